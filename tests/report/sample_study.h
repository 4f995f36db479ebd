#pragma once

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "actforge/report/page/study_page.h"
#include "tests/report/plot_helpers.h"

namespace actforge::testing {

// Studies that never were, for the tests of their pages.

inline double uniform(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

// About normal: good enough to look like scores.
inline double bell(std::mt19937& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(random);
  return sum;
}

inline std::string sample_expression(std::mt19937& random) {
  static const std::vector<std::string> kUnary{"relu", "swish", "tanh", "softplus", "log_sigmoid", "arcsinh", "elu"};
  static const std::vector<std::string> kBinary{"mul", "sum_n", "max", "min", "sub"};
  const auto pick = [&random](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  std::string text = pick(kUnary) + "(x)";
  for (unsigned depth = random() % 4; depth > 0; --depth) {
    const bool is_unary = random() % 2 == 0;
    text = pick(is_unary ? kUnary : kBinary).append("(").append(text);
    text += is_unary ? ")" : "," + pick(kUnary) + "(x))";
  }
  return text;
}

inline std::vector<PageTrial> sample_trials(std::size_t count, std::mt19937& random) {
  std::vector<PageTrial> trials;
  for (std::size_t i = 0; i < count; ++i) {
    const double progress = static_cast<double>(i) / static_cast<double>(count);
    PageTrial trial{.number = static_cast<std::int64_t>(i), .expression = sample_expression(random)};
    trial.status = random() % 17 == 0 ? "failed" : random() % 11 == 0 ? "stopped" : "completed";
    trial.seconds = 20 * std::exp(0.35 * bell(random));
    trial.finish_order = static_cast<std::int64_t>(i);
    trial.origin = i < 20 ? "random" : "mutation";
    if (trial.status == "failed") {
      trial.reason = random() % 2 == 0 ? "the loss became NaN in epoch 2" : "no finite value at 0";
    } else {
      trial.scores = {0.93 - 0.12 * std::exp(-3 * progress) - 0.03 * std::abs(bell(random)) -
                      (random() % 9 == 0 ? 0.3 * uniform(random) : 0)};
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

inline PageFunction sample_function(std::string expression, double (*value)(double), double (*slope)(double)) {
  PageFunction function{.expression = std::move(expression)};
  function.value = sampled("", value, {-5, 5, 201});
  function.slope = sampled("", slope, {-5, 5, 201});
  const std::string& name = function.expression;
  function.exports = {
      {"PyTorch", "import torch\n\n\nclass Found(torch.nn.Module):\n    def forward(self, x):\n        return \"" +
                      name + "\" if x < 1 & x > 2 else x\n"},
      {"Keras", "import keras\n# " + name + "\n"},
      {"JAX", "import jax\n\t# with a tab: " + name + "\n"},
      {"ONNX", "graph { node: \"" + name + "\" }"},
      {"LaTeX", "\\operatorname{found}(x) = \\max\\{x, 0\\}"}};
  return function;
}

inline std::vector<PageFunction> sample_functions() {
  std::vector<PageFunction> functions{
      sample_function(
          "mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))",
          [](double x) { return -std::log1p(std::exp(-x)) * std::asinh(x); },
          [](double x) { return std::asinh(x) / (1 + std::exp(x)) - std::log1p(std::exp(-x)) / std::hypot(x, 1); }),
      sample_function(
          "swish(x)", [](double x) { return swish(x); },
          [](double x) { return (1 + x / (1 + std::exp(x))) / (1 + std::exp(-x)); }),
      sample_function(
          "max(relu(x),cosh(elu(x)))", [](double x) { return std::max(relu(x), std::cosh(x > 0 ? x : std::expm1(x))); },
          [](double x) { return x > 0 ? std::sinh(x) : std::sinh(std::expm1(x)) * std::exp(x); }),
      sample_function(
          "div(swish(x),x)", [](double x) { return x == 0 ? kNan : 1 / (1 + std::exp(-x)); },
          [](double x) { return x == 0 ? kNan : std::exp(-x) / std::pow(1 + std::exp(-x), 2); }),
      sample_function(
          "reciprocal(x)", [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); }),
      sample_function(
          "sum_n(abs(x),swish(mul(x,sigmoid(alpha(softplus(x))))),sub(tanh(gamma(x)),arctan(sum_n(x,x,beta(x)))))",
          [](double x) { return std::abs(x) + std::tanh(x) - std::atan(3 * x); },
          [](double x) { return (x > 0 ? 1 : -1) + 1 - std::pow(std::tanh(x), 2) - 3 / (1 + 9 * x * x); })};
  double score = 0.934;
  for (PageFunction& function : functions) {
    function.scores = {score};
    function.trial = static_cast<std::int64_t>(1000 * score) % 97;
    score -= 0.0041;
  }
  functions[0].infix = "log_sigmoid(alpha*x) * beta*arcsinh(x)";
  return functions;
}

// Each has one parent, as in PANGAEA, or two, as in CAFE.
inline std::vector<PageAncestor> sample_family(std::size_t count, std::size_t parents, std::mt19937& random) {
  std::vector<PageAncestor> family;
  for (std::size_t i = 0; i < count; ++i) {
    PageAncestor ancestor{.number = static_cast<std::int64_t>(3 * i + 2), .expression = sample_expression(random)};
    ancestor.score = 0.8 + 0.13 * static_cast<double>(i) / static_cast<double>(count);
    ancestor.origin = i < parents ? "random" : parents == 2 ? "crossover" : "mutation";
    for (std::size_t k = 0; k < parents && i >= parents; ++k) {
      const std::size_t back = k == 0 ? 1 : 1 + random() % std::min<std::size_t>(i, 7);
      ancestor.parents.push_back(family[i - back].number);
    }
    if (i >= parents) {
      ancestor.story = {"replaced relu by " + sample_expression(random)};
      if (random() % 3 == 0)
        ancestor.story.push_back("inserted mul above the second argument of max, with tanh(x) beside it");
    }
    family.push_back(std::move(ancestor));
  }
  return family;
}

inline PageParameter sample_parameter(std::string name, std::size_t layers, std::size_t epochs, std::mt19937& random) {
  PageParameter parameter{.function = "mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))", .parameter = std::move(name)};
  for (std::size_t i = 0; i < layers; ++i) {
    parameter.layers.push_back("block_" + std::to_string(i / 2 + 1) + ".activation_" + std::to_string(i % 2 + 1));
    const double goal = 1 + 0.5 * std::sin(0.7 * static_cast<double>(i)) - 0.04 * static_cast<double>(i);
    auto& mean = parameter.mean.emplace_back();
    auto& low = parameter.low.emplace_back();
    auto& high = parameter.high.emplace_back();
    for (std::size_t k = 0; k <= epochs; ++k) {
      const double share = 1 - std::exp(-4.0 * static_cast<double>(k) / static_cast<double>(epochs));
      mean.push_back(1 + (goal - 1) * share + (k > 0 ? 0.01 * bell(random) : 0));
      low.push_back(mean.back() - 0.3 * share * uniform(random));
      high.push_back(mean.back() + 0.3 * share * uniform(random));
    }
  }
  return parameter;
}

inline PageTable sample_table() {
  return {
      .title = "Final tests",
      .caption = "Each function was trained anew five times on all training data. The interval holds 95%.",
      .columns = {"function", "#trial", "#accuracy", "#interval", "#p", "verdict"},
      .rows = {{"mul(log_sigmoid(alpha(x)),beta(arcsinh(x)))", "45", "0.9312", "0.9296 – 0.9328", "0.0004", "better"},
               {"swish(x)", "12", "0.9274", "0.9251 – 0.9297", "0.013", "better"},
               {"relu(x)", "", "0.9215", "0.9190 – 0.9240", "", "baseline"}}};
}

// A cloud, with its trials at the places of the first functions.
inline FunctionMapPicture sample_map(const std::vector<PageTrial>& trials, std::mt19937& random) {
  FunctionMapPicture map{.score_name = "accuracy"};
  for (std::size_t i = 0; i < 1500; ++i) {
    map.functions.push_back({3 * bell(random) + (i % 3 == 0 ? 8 : 0), 2 * bell(random)});
  }
  for (std::size_t i = 0; i < trials.size() && i < 1000; ++i) {
    MapTrial trial{.place = map.functions[i % 1500], .number = trials[i].number, .expression = trials[i].expression};
    if (!trials[i].scores.empty()) trial.score = trials[i].scores[0];
    map.trials.push_back(std::move(trial));
  }
  for (const char* name : {"ELU", "ReLU", "SELU", "sigmoid", "tanh", "-tanh"}) {
    map.known.push_back({{2 * bell(random), bell(random)}, name});
  }
  return map;
}

inline StudyPage normal_page() {
  std::mt19937 random(7);
  StudyPage page{.title = "Study fashion-resnet"};
  page.figures = {{"trials", "240"},
                  {"best accuracy", "0.9297"},
                  {"above relu", "+0.021"},
                  {"time", "1 h 24 min"},
                  {"strategy", "pangaea"}};
  page.objectives = {{.name = "accuracy"}};
  page.trials = sample_trials(240, random);
  page.population = 20;
  page.baseline = "relu(x)";
  page.baseline_score = 0.905;
  page.tables = {sample_table()};
  page.functions = sample_functions();
  page.family = sample_family(14, 1, random);
  page.map = sample_map(page.trials, random);
  page.parameters = {sample_parameter("alpha", 10, 20, random), sample_parameter("beta", 10, 20, random)};
  page.settings = "[study]\nname = \"fashion-resnet\"\nseed = 7\n\n[strategy]\nname = \"pangaea\"\npopulation = 20\n";
  page.versions = {{"actforge", "0.1.0"}, {"LibTorch", "1.13.1"}, {"made", "2026-11-16 19:30"}};
  page.events = {"2026-11-16 18:02 created", "2026-11-16 18:02 worker 1 began",
                 "2026-11-16 19:26 all trials have ended"};
  return page;
}

// Two objectives, a long family with two parents each, trials that still run, and a network of many layers.
inline StudyPage unfinished_page() {
  std::mt19937 random(11);
  StudyPage page = normal_page();
  page.title = "Study digits-cafe";
  page.figures = {{"trials", "148 of 200"}, {"best loss", "0.1302"}, {"strategy", "cafe"}};
  page.notes = {"The study is unfinished: 148 of 200 trials have ended."};
  page.objectives = {{.name = "loss", .less_is_better = true}, {.name = "cost", .less_is_better = true}};
  page.trials = sample_trials(152, random);
  for (PageTrial& trial : page.trials) {
    if (!trial.scores.empty()) {
      const double loss = 1.05 - trial.scores[0];
      trial.scores = {loss, 0.2 / loss + 0.8 * uniform(random)};
      if (trial.number == 30) trial.scores[0] = 1e6;
    }
    trial.seconds *= std::exp(1.5 * bell(random));
    if (trial.number >= 148)
      trial.status = "running", trial.scores.clear(), trial.reason.clear(), trial.finish_order = -1;
  }
  page.baseline_score = 0.145;
  page.family = sample_family(120, 2, random);
  page.parameters = {sample_parameter("alpha", 56, 100, random)};
  return page;
}

inline StudyPage large_page() {
  std::mt19937 random(13);
  StudyPage page = normal_page();
  page.title = "Study of 10000 trials";
  page.trials = sample_trials(10000, random);
  page.figures[0].second = "10000";
  page.population = 64;
  return page;
}

inline StudyPage empty_page() { return {.title = "Study that has just begun", .objectives = {{.name = "accuracy"}}}; }

inline StudyPage failed_page() {
  StudyPage page{.title = "Study in which all failed", .objectives = {{.name = "accuracy"}}};
  for (std::int64_t i = 0; i < 12; ++i) {
    page.trials.push_back({.number = i,
                           .expression = "reciprocal(x)",
                           .status = i % 5 == 0 ? "quarantined" : "failed",
                           .finish_order = i,
                           .origin = "random",
                           .reason = i % 3 == 0 ? "the loss became NaN in epoch 1" : "the worker was killed"});
  }
  return page;
}

// Every text of the page is one that would like to be more than text.
inline StudyPage hostile_page(const std::string& text) {
  StudyPage page = normal_page();
  page.title = text;
  page.notes = {text};
  page.figures = {{text, text}};
  page.objectives = {{.name = text}};
  for (std::size_t i = 0; i < page.trials.size(); ++i) {
    PageTrial& trial = page.trials[i];
    trial.expression = trial.origin = trial.status = trial.reason = text;
  }
  page.map.score_name = text;
  for (MapTrial& trial : page.map.trials) trial.expression = text;
  for (MapName& known : page.map.known) known.name = text;
  page.baseline = text;
  page.tables = {{.title = text, .caption = text, .columns = {text, "#" + text}, .rows = {{text, text}}}};
  for (PageFunction& function : page.functions) {
    function.expression = function.infix = function.value.label = function.slope.label = text;
    function.exports = {{text, text}};
  }
  for (PageAncestor& ancestor : page.family) {
    ancestor.expression = ancestor.origin = text;
    ancestor.story = {text};
  }
  for (PageParameter& parameter : page.parameters) {
    parameter.function = parameter.parameter = text;
    for (std::string& layer : parameter.layers) layer = text;
  }
  page.settings = text;
  page.versions = {{text, text}};
  page.events = {text};
  page.live = true;
  page.revision = text;
  return page;
}

}  // namespace actforge::testing
