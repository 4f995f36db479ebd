// AutoInit over whole networks: what is aimed at, shared layers, unknown ones, rules of the user, depth.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "actforge/base/error.h"
#include "actforge/init/maps/map_rules.h"
#include "actforge/init/maps/rule_formula.h"
#include "actforge/init/moments/activation_moments.h"
#include "actforge/init/weight_plan.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/layers/layers.h"
#include "actforge/net/zoo/zoo.h"

namespace actforge {
namespace {

Network read(const std::string& lines) { return parse_network_text("network test\n" + lines); }

const NodeSignal& node(const Network& network, const SignalAnalysis& analysis, std::string_view name) {
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    if (network.layer(id).name == name) return analysis.nodes[id];
  }
  throw std::logic_error("no such layer");
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Analysis, EveryLayerWithWeightsGetsTheWantedVariance) {
  for (const double wanted : {1.0, 0.01}) {
    const Network network = build_network("allcnn-c");
    const SignalAnalysis analysis = analyse_signals(network, {.signal_variance = wanted, .input = {0.2, 3}});
    for (LayerId id = 0; id < network.layers().size(); ++id) {
      if (network.layer(id).kind != &kConvLayer) continue;
      EXPECT_EQ(analysis.nodes[id].output.mean, 0);
      EXPECT_NEAR(analysis.nodes[id].output.variance, wanted, 1e-9);
    }
    EXPECT_EQ(analysis.coverage, (std::array<std::size_t, 3>{network.layers().size(), 0, 0}));
    EXPECT_TRUE(analysis.warnings.empty());
  }
}

// fan_in = 27 without padding: the formula of the dissertation, equation "init_example".
TEST(Analysis, ScalesAreThoseOfTheFormula) {
  const Network network = read("x = input(shape=3x9x9)\ny = conv(x, filters=5, kernel=3)\nreturn y\n");
  const SignalAnalysis analysis = analyse_signals(network, {.input = {0.5, 2}});
  EXPECT_NEAR(*analysis.nodes[1].weight_deviation, 1 / std::sqrt(27 * (2 + 0.25)), 1e-12);
}

TEST(Analysis, SharedWeightsAreSetOnceAndFollowed) {
  const Network network = read(
      "x = input(shape=8)\na = dense(x, units=8)\nf = activation(a, function=relu(x))\nb = dense(f, units=8, "
      "shares=a)\nreturn b\n");
  const SignalAnalysis analysis = analyse_signals(network, {.input = {0, 4}});
  const NodeSignal &a = node(network, analysis, "a"), &b = node(network, analysis, "b");
  EXPECT_NEAR(a.output.variance, 1, 1e-12);
  EXPECT_EQ(a.weight_deviation, b.weight_deviation);
  // 8 σ² E relu² = E relu² / E x² = (1/2) / 4
  EXPECT_NEAR(b.output.variance, 0.125, 1e-6);
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit")});
  EXPECT_EQ(draw_weight(plan, network, 1, 0, 3), draw_weight(plan, network, 3, 0, 3));
}

TEST(Analysis, UnknownLayersPassThroughWithAWarningOrAreErrors) {
  const Network network =
      read("x = input(shape=4)\ny = opaque(x, type=MyScale, shape=4)\nz = dense(y, units=3)\nreturn z\n");
  const SignalAnalysis analysis = analyse_signals(network, {.input = {0.3, 2}});
  EXPECT_EQ(analysis.nodes[1].output, (SignalMoments{0.3, 2}));
  EXPECT_EQ(analysis.nodes[1].how, MomentMethod::kPassThrough);
  EXPECT_EQ(analysis.coverage, (std::array<std::size_t, 3>{2, 0, 1}));
  ASSERT_EQ(analysis.warnings.size(), 1u);
  EXPECT_NE(analysis.warnings[0].find("MyScale"), std::string::npos);
  EXPECT_NE(message([&] { analyse_signals(network, {.strict = true}); }).find("layer 'y' (opaque)"), std::string::npos);

  AnalysisOptions options = {.input = {0.3, 2}, .strict = true};
  options.maps = parse_map_rules("[MyScale]\nmean = \"2*m\"\nvariance = \"4*v\"\n");
  const SignalAnalysis ruled = analyse_signals(network, options);
  EXPECT_EQ(ruled.nodes[1].output, (SignalMoments{0.6, 8}));
  EXPECT_EQ(ruled.coverage[0], 3u);
  // And by a function, also for kinds that are known.
  options.maps["dense"] = [](const MomentQuery& q) { return MomentResult{.output = {1, q.inputs[0].variance + 1}}; };
  EXPECT_EQ(analyse_signals(network, options).nodes[2].output, (SignalMoments{1, 9}));
}

TEST(Analysis, FunctionsWithoutMomentsPassThrough) {
  const Network network =
      read("x = input(shape=4)\ny = activation(x, function=exp(x*x))\nz = dense(y, units=3)\nreturn z\n");
  const SignalAnalysis analysis = analyse_signals(network);
  EXPECT_EQ(analysis.nodes[1].how, MomentMethod::kPassThrough);
  EXPECT_EQ(analysis.warnings.size(), 1u);
  EXPECT_NEAR(analysis.nodes[2].output.variance, 1, 1e-12);
}

// ReLU doubles with its input, so with given weights all variances are in proportion to the input's: also
// beyond 3.4e38, the largest float, as in deep networks with He's weights.
TEST(Analysis, SignalsThatExplodeAreFollowed) {
  const Network network = build_network("resnet-v2-29-nobn");
  const auto with_input = [&](double variance) {
    const PlanOptions options = {.initialiser = &find_initialiser("he-normal"), .analysis = {.input = {0, variance}}};
    return plan_weights(network, options).analysis;
  };
  const SignalAnalysis usual = with_input(1), large = with_input(1e80);
  EXPECT_EQ(large.coverage, usual.coverage);
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    if (network.layer(id).kind == &kSoftmaxLayer) continue;
    const double expected = usual.nodes[id].output.variance;
    EXPECT_NEAR(large.nodes[id].output.variance / 1e80, expected, 1e-4 * expected) << network.layer(id).name;
  }
}

TEST(Analysis, SilentInputsAreSaid) {
  const Network network =
      read("x = input(shape=4)\ny = activation(x, function=0*x)\nz = dense(y, units=3)\nreturn z\n");
  const SignalAnalysis analysis = analyse_signals(network);
  ASSERT_EQ(analysis.warnings.size(), 1u);
  EXPECT_NE(analysis.warnings[0].find("always zero"), std::string::npos);
}

TEST(Analysis, CentredActivationsHaveMeanZero) {
  Network network = build_network("allcnn-mini");
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit++")});
  EXPECT_EQ(plan.shifts.size(), network.activation_count());
  shift_activations(network, plan.shifts);
  for (const auto& [id, shift] : plan.shifts) {
    EXPECT_NEAR(shift, -1 / std::sqrt(2 * M_PI), 1e-6);  // ReLU of a standard normal number
    const Expr& function = network.setting(id).function("function");
    EXPECT_NEAR(activation_moments(function, {0, 1}, false).output.mean, 0, 1e-6);
  }
}

// Two equal functions, one of them fixed: the sigmoid of a gate opens it by half on average, and must stay so.
TEST(Analysis, FixedActivationsAreNotCentred) {
  const Network network = read(
      "x = input(shape=4)\nact = activation(x, function=sigmoid(x))\n"
      "gate = activation(x, function=sigmoid(x), fixed=true)\ny = multiply(act, gate)\nreturn y\n");
  const WeightPlan plan = plan_weights(network, {.initialiser = &find_initialiser("autoinit++")});
  EXPECT_EQ(plan.shifts.size(), 1u);
  EXPECT_EQ(node(network, plan.analysis, "act").output.mean, 0);
  EXPECT_NEAR(node(network, plan.analysis, "gate").output.mean, 0.5, 1e-6);
}

// The function is kept node by node: text has no spelling for a NaN with a sign, which arithmetic gives.
TEST(Analysis, ShiftedFunctionsAreOtherwiseTheSame) {
  ExprBuilder function, sum;
  const std::array<NodeId, 2> arguments = {function.input(), function.constant(-std::nan(""))};
  function.apply(Op::kMax, arguments);
  const Expr before = function.finish();
  const std::array<NodeId, 2> terms = {sum.insert(before), sum.constant(-0.25)};
  sum.apply(Op::kAdd, terms);
  Network network = read("x = input(shape=4)\ny = activation(x)\nreturn y\n");
  network.set_function(1, before);
  shift_activations(network, {{1, -0.25}});
  EXPECT_EQ(network.setting(1).function("function"), sum.finish());
}

TEST(Analysis, ThousandsOfLayersAndNoRecursion) {
  NetworkBuilder builder("deep");
  LayerId at = builder.add("input", {}, {{"shape", Shape{4}}});
  for (int i = 0; i < 20'000; ++i) {
    at = builder.add(i % 2 == 0 ? "dense" : "activation", {at},
                     i % 2 == 0 ? Attributes{{"units", std::int64_t{4}}} : Attributes{});
  }
  const SignalAnalysis analysis = analyse_signals(builder.finish({at}));
  EXPECT_NEAR(analysis.nodes[19'999].output.variance, 1, 1e-9);
}

// Without normalisation the variance of a residual network grows by one with every block, not by a factor.
TEST(Analysis, ResidualNetworksGrowLinearly) {
  const Network network = build_network("resnet-v2-812-nobn");
  const SignalAnalysis ours = analyse_signals(network);
  const SignalAnalysis usual = analyse_signals(network, {.initialiser = &find_initialiser("he-normal")});
  double most = 0, most_usual = 0;
  for (const NodeSignal& n : ours.nodes) most = std::max(most, n.output.variance);
  for (const NodeSignal& n : usual.nodes) most_usual = std::max(most_usual, n.output.variance);
  EXPECT_LT(most, 300);         // 270 blocks
  EXPECT_GT(most_usual, 3e38);  // more than float32 holds
}

TEST(Plan, DistributionsHaveTheDeviationTheyAreAskedFor) {
  const Weight weight = {.name = "kernel", .shape = {64, 48, 3, 3}};
  for (const WeightDistribution& row : weight_distributions()) {
    std::vector<float> values(64 * 48 * 9);
    Random random(1);
    row.fill(weight, 0.3, random, values);
    double sum = 0, squares = 0, largest = 0;
    for (const float v : values) {
      sum += static_cast<double>(v), squares += static_cast<double>(v) * static_cast<double>(v);
      largest = std::max(largest, std::fabs(static_cast<double>(v)));
    }
    const auto n = static_cast<double>(values.size());
    EXPECT_NEAR(std::sqrt(squares / n - sum * sum / n / n), 0.3, 0.3 * 0.01) << row.name;
    if (row.name == "truncated-normal") {
      EXPECT_LE(largest, 2 * 0.3 / kTruncatedDeviation * 1.000001);
    }
    if (row.name == "uniform") {
      EXPECT_LE(largest, 0.3 * std::sqrt(3.0) * 1.000001);
    }
  }
  // 1 - 2·2φ(2)/(2Φ(2) - 1)
  const double density = std::exp(-2.0) / std::sqrt(2 * M_PI), inside = std::erf(std::sqrt(2.0));
  EXPECT_NEAR(kTruncatedDeviation, std::sqrt(1 - 4 * density / inside), 1e-12);
}

TEST(Formula, Computes) {
  const SignalMoments two[] = {{2, 3}, {5, 7}};
  const std::pair<const char*, double> rows[] = {
      {"2*m", 4},         {"v", 3},          {"m2 - v2", -2},   {"-m^2", -4},      {"2^3^2", 512},
      {"(1+2)*3", 9},     {"max(m1,m2)", 5}, {"min(v, v2)", 3}, {"sqrt(16)/2", 2}, {"abs(-3)", 3},
      {"exp(log(m))", 2}, {"8/4/2", 1},      {"1e-3*1000", 1},  {" 1 - - 1 ", 2}};
  for (const auto& [text, value] : rows) EXPECT_NEAR(RuleFormula(text).value(two), value, 1e-12) << text;
}

TEST(Formula, RefusesWithThePlace) {
  const std::pair<const char*, const char*> rows[] = {
      {"2*", "ends too early"}, {"2*q", "unknown name 'q'"}, {"(1", "expected ')'"}, {"1 2", "did not expect '2'"},
      {"m0", "unknown name"},   {"max(1)", "expected ','"},  {"", "ends too early"}, {"sqrt", "expected '('"}};
  for (const auto& [text, wanted] : rows) {
    EXPECT_NE(message([&] { RuleFormula formula(text); }).find(wanted), std::string::npos) << text;
  }
  EXPECT_NE(message([] { RuleFormula(std::string(10'000, '(')); }).find("too many"), std::string::npos);
  EXPECT_NE(message([] { RuleFormula("1" + std::string(10'000, '^') + "1"); }), "nothing");
}

TEST(Rules, RefusalsNameTheTable) {
  const std::pair<const char*, const char*> rows[] = {
      {"[A]\nmean = \"m\"\n", "[A]: 'variance' is missing"},
      {"[A]\nmean = \"m\"\nvariance = \"v\"\nmaen = 1\n", "unknown key 'maen'"},
      {"[A]\nmean = \"m+\"\nvariance = \"v\"\n", "[A] mean: "},
      {"A = 3\n", "not a table"},
      {"[A]\nmean = true\nvariance = \"v\"\n", "a formula in quotes"},
      {"[A\n", "line 1"}};
  for (const auto& [text, wanted] : rows) {
    const std::string said = message([&] { parse_map_rules(text); });
    EXPECT_NE(said.find(wanted), std::string::npos) << said;
  }
  const Network network = read("x = input(shape=4)\ny = opaque(x, type=A, shape=4)\nreturn y\n");
  AnalysisOptions options;
  options.maps = parse_map_rules("[A]\nmean = 0\nvariance = \"v2\"\n");
  EXPECT_NE(message([&] { analyse_signals(network, options); }).find("there is no input 2"), std::string::npos);
  options.maps = parse_map_rules("[A]\nmean = 0\nvariance = \"-v\"\n");
  EXPECT_NE(message([&] { analyse_signals(network, options); }).find("gives layer 'y'"), std::string::npos);
}

}  // namespace
}  // namespace actforge
