#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <stdlib.h>  // mkdtemp

#include <cstdlib>
#include <filesystem>
#include <set>

#include "actforge/base/error.h"
#include "actforge/expr/export/export.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "tests/expr/export_cases.h"
#include "tests/expr/random_expr.h"

namespace actforge {
namespace {

std::string error_of(std::string_view target, const ExportOptions& options) {
  try {
    export_expr(parse("swish(x)"), target, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return {};
}

std::string exported(std::string_view text, std::string_view target, const ExportOptions& options = {}) {
  return export_expr(parse(text), target, options);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Export, UnknownTargetIsAnsweredWithTheNearestOrAll) {
  EXPECT_TRUE(contains(error_of("pytroch", {}), "did you mean 'pytorch'?"));
  const std::string message = error_of("frobnicate", {});
  for (const ExportTarget& target : export_targets()) EXPECT_TRUE(contains(message, target.name)) << message;
}

TEST(Export, NamesMustBeFreeIdentifiers) {
  for (const char* name : {"", "2fast", "my-relu", "a b", "_hidden", "naïve", "a.b", "class", "lambda", "namespace",
                           "torch", "std", "tanh", "x", "init_params"}) {
    EXPECT_FALSE(error_of("pytorch", {.name = name}).empty()) << name;
  }
  EXPECT_TRUE(contains(error_of("cpp", {.name = "tanh"}), "my_tanh"));
  for (const char* name : {"activation", "Swish", "relu", "f2", "my_relu_", "alpha", "v1", "T"}) {
    EXPECT_EQ(error_of("cpp", {.name = name}), "") << name;
  }
}

TEST(Export, SameExpressionSameBytesEverywhere) {
  std::set<std::string_view> names;
  for (const ExportTarget& target : export_targets()) {
    EXPECT_TRUE(names.insert(target.name).second);
    EXPECT_TRUE(target.file_extension.starts_with('.'));
    for (const char* text : {"mul(log_sigmoid(alpha(x)),beta[0.25,neuron](arcsinh(x)))", "apl(x)", "0"}) {
      const std::string first = exported(text, target.name);
      EXPECT_EQ(first, exported(text, target.name)) << target.name;
      EXPECT_TRUE(contains(first, to_call(parse(text)))) << target.name;
    }
  }
}

TEST(Export, EveryOperatorIsSpelledInEveryLanguage) {
  for (const OpInfo& row : op_table()) {
    const bool is_rewritten = row.op == Op::kZero || row.op == Op::kOne || row.op == Op::kIdentity ||
                              row.arity == kVariadic || !row.definition.empty();
    if (is_rewritten) continue;
    const Spelling& s = row.spelling;
    for (const ExportTarget& target : export_targets()) {
      EXPECT_FALSE((s.*target.spelling).empty()) << row.name << " for " << target.name;
    }
    EXPECT_FALSE(s.cpp_slope.empty()) << row.name;
    EXPECT_EQ(s.cpp_slope2.empty(), row.arity == 1) << row.name;
  }
}

TEST(Export, SharedPartsAreWrittenOnce) {
  std::string text = "tanh(x)";
  for (int i = 0; i < 9; ++i) text = "mul(sigmoid(" + text + ")," + text + ")";  // 512 leaves
  for (const ExportTarget& target : export_targets()) {
    if (target.name == "latex") continue;
    const std::string code = exported(text, target.name);
    const std::size_t quoted = 3 * to_infix(parse(text)).size() + 3 * to_call(parse(text)).size();
    EXPECT_LT(code.size(), quoted + 6000) << target.name;
  }
}

TEST(Export, AsksOnlyForTheShapesItNeeds) {
  EXPECT_FALSE(contains(exported("swish(x)", "jax"), "params"));
  EXPECT_TRUE(contains(exported("alpha(beta[1,neuron](x))", "jax"), "init_params(channels=None, neuron_shape=None):"));
}

TEST(Export, ModulesOfPyTorchHaveOneConstructor) {
  for (const char* text : {"swish(x)", "swish(alpha[1,layer](x))", "swish(alpha(x))", "swish(alpha[1,neuron](x))"}) {
    EXPECT_TRUE(contains(exported(text, "pytorch"),
                         "def __init__(self, num_channels=None, neuron_shape=None, channel_dim=None, inplace=False):"))
        << text;
    EXPECT_TRUE(contains(exported(text, "tensorflow"),
                         "def __init__(self, channels=None, neuron_shape=None, dtype=tf.float32, name=None):"))
        << text;
  }
}

TEST(Export, TheHeadSaysWhatTheFunctionCostsAndHowToMakeItFaster) {
  const ExportOptions options = {.name = "Found",
                                 .cost = FunctionCost{.function = 1.5, .relu = 0.25, .target = "AVX2"}};
  for (const ExportTarget& target : export_targets()) {
    const std::string several = exported("mul(tanh(x),softsign(x))", target.name, options);
    EXPECT_TRUE(contains(several, "6 times ReLU (1.5 against 0.25 ns per number")) << target.name;
    EXPECT_EQ(contains(several, "Faster: "), target.name != "latex") << target.name;
    EXPECT_FALSE(contains(exported("tanh(x)", target.name, options), "Faster: ")) << target.name;
    EXPECT_FALSE(contains(exported("tanh(x)", target.name), "times ReLU")) << target.name;
  }
  EXPECT_TRUE(contains(exported("mul(tanh(x),softsign(x))", "pytorch", options), "torch.compile(Found())"));
}

TEST(Export, TheHeadNamesAnOperatorThatHasTheSameValues) {
  EXPECT_TRUE(contains(exported("mul(x,tanh(softplus(x)))", "pytorch"), "# Cheaper: mish(x) has the same values.\n"));
  for (const char* text : {"mul(tanh(x),softsign(x))", "mul(x,sigmoid(alpha(x)))", "mish(x)"}) {
    EXPECT_FALSE(contains(exported(text, "pytorch"), "Cheaper")) << text;
  }
}

TEST(Export, CostIsMeasuredBesideReLU) {
  const FunctionCost cost = measure_cost(parse("mul(tanh(x),erf(x))"));
  EXPECT_GT(cost.relu, 0);
  EXPECT_GT(cost.times_relu(), 1);
  EXPECT_TRUE(contains(cost_text(cost), " times ReLU ("));
}

TEST(Export, HelpersComeOnlyWhenCalled) {
  for (const char* target : {"keras", "keras2", "tensorflow", "jax"}) {
    EXPECT_FALSE(contains(exported("mul(sigmoid(x),tanh(x))", target), "\ndef _")) << target;
    EXPECT_TRUE(contains(exported("pow(x,cosh(x))", target), "def _pow(")) << target;
  }
  EXPECT_FALSE(contains(exported("mul(sigmoid(x),tanh(x))", "pytorch"), "def _sqrt"));
  EXPECT_TRUE(contains(exported("pow(x,cosh(x))", "pytorch"), "def _pow("));
  EXPECT_FALSE(contains(exported("swish(alpha[1,layer](x))", "pytorch"), "def _per_channel"));
  EXPECT_TRUE(contains(exported("bessel_i0e(x)", "keras"), "def _polynomial("));
  EXPECT_TRUE(contains(exported("bessel_i0e(x)", "keras2"), "tf.math.bessel_i0e("));
  EXPECT_FALSE(contains(exported("bessel_i0e(x)", "keras2"), "def _polynomial("));
  EXPECT_FALSE(contains(exported("add(x,abs(x))", "cpp"), "softplus"));
}

TEST(Export, LatexIsADisplayedEquation) {
  const std::string text = exported("add(prelu(x),alpha[0.5,layer](square(x)))", "latex");
  EXPECT_TRUE(contains(text, "\\[\n  f(x) = \\mathrm{PReLU}\\left(x\\right) + \\alpha x^{2}\n\\]\n")) << text;
  EXPECT_TRUE(contains(text, "% alpha starts at 0.5, one per layer\n")) << text;
  EXPECT_TRUE(contains(text, "% beta starts at 0.25, one per neuron\n")) << text;
}

// ---- ONNX

onnx::ModelProto read_model(const std::string& bytes) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(bytes));
  return model;
}

// Every name is defined before it is used, and once.
void expect_valid_body(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, std::set<std::string> known) {
  for (const onnx::NodeProto& node : nodes) {
    for (const std::string& input : node.input()) EXPECT_TRUE(known.contains(input)) << input;
    ASSERT_EQ(node.output_size(), 1);
    EXPECT_TRUE(known.insert(node.output(0)).second) << node.output(0);
  }
  EXPECT_TRUE(known.contains("y"));
}

TEST(ExportOnnx, BothFormsAreWellFormedForEveryCase) {
  std::vector<Expr> cases = export_cases(ACTFORGE_EXPORT_LIST);
  Random random(2);
  for (int i = 0; i < 300; ++i) cases.push_back(random_expr(random, 12));
  for (const Expr& expr : cases) {
    SCOPED_TRACE(to_call(expr));
    for (const bool local : {true, false}) {
      const auto model = read_model(export_expr(expr, "onnx", {.onnx_local_function = local}));
      EXPECT_EQ(model.ir_version(), 8);
      ASSERT_EQ(model.functions_size(), local ? 1 : 0);
      EXPECT_EQ(model.opset_import_size(), local ? 2 : 1);
      std::set<std::string> known = {"x"};
      for (const auto& initializer : model.graph().initializer()) known.insert(initializer.name());
      expect_valid_body(model.graph().node(), known);
      if (!local) continue;
      ASSERT_EQ(model.graph().node_size(), 1);
      EXPECT_EQ(model.graph().node(0).op_type(), model.functions(0).name());
      EXPECT_EQ(model.graph().node(0).input_size(), model.functions(0).input_size());
      expect_valid_body(model.functions(0).node(), known);
    }
  }
}

TEST(ExportOnnx, ParametersHaveTheShapeAndInputsTheRankAskedFor) {
  const Expr expr = parse("add(alpha[0.25](x),beta(tanh(x)))");
  const auto model = read_model(export_expr(expr, "onnx", {.parameter_shape = {64, 1, 1}}));
  ASSERT_EQ(model.graph().initializer_size(), 2);
  EXPECT_EQ(model.graph().initializer(0).dims_size(), 3);
  EXPECT_EQ(model.graph().initializer(0).float_data_size(), 64);
  EXPECT_EQ(model.graph().initializer(0).float_data(63), 0.25f);
  EXPECT_EQ(model.graph().input(0).type().tensor_type().shape().dim_size(), 4);
  const auto any = read_model(export_expr(expr, "onnx", {.onnx_rank = 0}));
  EXPECT_FALSE(any.graph().input(0).type().tensor_type().has_shape());
  EXPECT_FALSE(error_of("onnx", {.onnx_rank = -1}).empty());
  EXPECT_THROW(export_expr(expr, "onnx", {.parameter_shape = {0}}), Error);
  EXPECT_THROW(export_expr(expr, "onnx", {.parameter_shape = {1 << 20, 1 << 20}}), Error);
}

TEST(ExportOnnx, EqualNodesAreWrittenOnce) {
  const auto model = read_model(exported("add(expm1(x),exp(x))", "onnx", {.onnx_local_function = false}));
  std::multiset<std::string> types;
  for (const auto& node : model.graph().node()) types.insert(node.op_type());
  EXPECT_EQ(types.count("Exp"), 1u);
}

// ---- C++

class Folder {
 public:
  Folder() {
    std::string pattern = testing::TempDir() + "/actforge_export_XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string case_name(std::size_t i) { return "f" + std::to_string(i); }

// A program that prints value, slope and slopes along the parameters for each case and point; float must compile too.
std::string program(std::span<const Expr> cases, std::span<const double> grid) {
  std::string text = "#include <cstdio>\n#include <cmath>\n";
  for (std::size_t i = 0; i < cases.size(); ++i) text += "#include \"" + case_name(i) + ".h\"\n";
  text += "const double inf = INFINITY, nan_ = NAN;\nconst double grid[] = {";
  for (const double x : grid) text += (std::isnan(x) ? "nan_" : number_text(x)) + ", ";
  text += "};\nvoid print(double v) { std::printf(\"%.17g\\n\", v); }\nint main() {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string space = case_name(i) + "::";
    text += "  for (double x : grid) {\n    const auto g = " + space + "gradient(x);\n    print(" + space +
            "value(x));\n    print(g.value);\n    print(g.x);\n    print(" + space +
            "gradient(static_cast<float>(x)).value);\n";
    for (const Parameter& parameter : all_parameters(cases[i]))
      text += "    print(g." + parameter_name(parameter.index) + ");\n";
    text += "  }\n";
  }
  return text + "}\n";
}

bool same(double got, double wanted, double inside, double precision) {
  if (std::isnan(wanted) || std::isinf(wanted)) return std::isnan(wanted) ? std::isnan(got) : got == wanted;
  return std::fabs(got - wanted) <= precision * (std::fabs(wanted) + std::fmax(1, inside) / 16);
}

TEST(ExportCpp, HeadersCompileAndAgreeWithTheReference) {
  const Folder folder;
  const std::vector<Expr> cases = export_cases(ACTFORGE_EXPORT_LIST);
  std::vector<double> grid = export_grid();
  const double inf = std::numeric_limits<double>::infinity();
  grid.insert(grid.end(), {2.5, -2.5, 700, -700, inf, -inf, std::numeric_limits<double>::quiet_NaN()});
  for (std::size_t i = 0; i < cases.size(); ++i)
    std::ofstream(folder / (case_name(i) + ".h")) << export_expr(cases[i], "cpp", {.name = case_name(i)});
  std::ofstream(folder / "main.cpp") << program(cases, grid);
  const std::string build = std::string(ACTFORGE_TEST_CXX) +
                            " -std=c++17 -O0 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -o '" +
                            (folder / "run") + "' '" + (folder / "main.cpp") + "'";
  ASSERT_EQ(std::system(build.c_str()), 0);
  ASSERT_EQ(std::system(("'" + (folder / "run") + "' > '" + (folder / "out") + "'").c_str()), 0);

  std::ifstream out(folder / "out");
  const auto next = [&] {
    std::string line;
    EXPECT_TRUE(std::getline(out, line));
    return std::strtod(line.c_str(), nullptr);
  };
  for (const Expr& expr : cases) {
    const Reference reference(expr);
    for (const double x : grid) {
      SCOPED_TRACE(to_call(expr) + " at " + number_text(x));
      const auto [value, slope] = reference.at(x);
      const double inside = largest_inside(expr, x);
      const bool is_operator = expr.nodes().size() == 2 && definition_of(expr.nodes().back().op) == nullptr;
      const auto expect = [&](double wanted, double precision) {
        const double got = next();
        EXPECT_TRUE(same(got, wanted, inside, precision)) << "is " << got << ", not " << wanted;
      };
      // Slopes mean little at kinks and where something overflows on the way, but those of an operator are fixed.
      const bool is_kink = !is_smooth([&](double at) { return reference.value(at); }, x, slope);
      const auto expect_slope = [&](double wanted) {
        is_operator || (inside < 1e150 && !is_kink) ? expect(wanted, 1e-9) : static_cast<void>(next());
      };
      expect(value, 1e-11);
      expect(value, 1e-11);
      expect_slope(slope);
      inside < 1e12 ? expect(value, 1e-4) : static_cast<void>(next());
      for (std::size_t i = 0; i < reference.parameters().size(); ++i) expect_slope(reference.at(x, i).slope);
    }
  }
}

}  // namespace
}  // namespace actforge
