// Writes every test case in every language into a folder, with cases.json: what the functions are and what they should
// give. Usage: export_driver FOLDER LIST
#include <cmath>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "actforge/expr/export/export.h"
#include "actforge/expr/language/print.h"
#include "actforge/expr/language/reference.h"
#include "tests/expr/export_cases.h"

namespace actforge {
namespace {

using Json = nlohmann::ordered_json;

Json along_x(const Reference& reference, std::span<const double> grid) {
  Json values, slopes, smooth, largest;
  for (const double x : grid) {
    const auto [value, slope] = reference.at(x);
    largest.push_back(largest_inside(reference.expr(), x));
    values.push_back(value);
    slopes.push_back(slope);
    smooth.push_back(is_smooth([&](double at) { return reference.value(at); }, x, slope));
  }
  return {{"value", values}, {"slope", slopes}, {"smooth", smooth}, {"largest", largest}};
}

Json along_parameter(Reference reference, std::size_t place, std::span<const double> grid) {
  const Parameter parameter = reference.parameters()[place];
  Json slopes, smooth;
  for (const double x : grid) {
    const double slope = reference.at(x, place).slope;
    slopes.push_back(slope);
    const auto moved = [&](double value) {
      reference.set_parameter(place, value);
      return reference.value(x);
    };
    smooth.push_back(is_smooth(moved, parameter.initial, slope));
    reference.set_parameter(place, parameter.initial);
  }
  return {{"name", parameter_name(parameter.index)},
          {"scope", scope_name(parameter.scope)},
          {"initial", parameter.initial},
          {"slope", slopes},
          {"smooth", smooth}};
}

void write(const std::filesystem::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

void run(const std::filesystem::path& folder, const std::string& list_file) {
  const std::vector<double> grid = export_grid();
  Json all;
  for (const Expr& expr : export_cases(list_file)) {
    const std::string name = "f" + std::to_string(all.size());
    const Reference reference(expr);
    Json entry = {{"name", name}, {"call", to_call(expr)}, {"is_operator", all.size() < op_table().size()}};
    entry.update(along_x(reference, grid));
    entry["parameters"] = Json::array();
    for (std::size_t i = 0; i < reference.parameters().size(); ++i) {
      entry["parameters"].push_back(along_parameter(reference, i, grid));
    }
    all.push_back(entry);
    for (const ExportTarget& target : export_targets()) {
      std::filesystem::create_directories(folder / target.name);
      const ExportOptions options{.name = name};
      write(folder / target.name / (name + std::string(target.file_extension)), target.write(expr, options));
    }
    write(folder / "onnx" / (name + "_inlined.onnx"),
          export_expr(expr, "onnx", {.name = name, .onnx_local_function = false}));
  }
  const Expr parametric = parse("mul(log_sigmoid(alpha[0.5](x)),beta[2,layer](arcsinh(x)))");
  write(folder / "onnx" / "image.onnx", export_expr(parametric, "onnx", {.parameter_shape = {3, 1, 1}}));
  write(folder / "onnx" / "any_rank.onnx", export_expr(parametric, "onnx", {.onnx_rank = 0}));
  write(folder / "cases.json", Json({{"x", grid}, {"cases", all}}).dump());
}

}  // namespace
}  // namespace actforge

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: export_driver FOLDER LIST\n";
    return 2;
  }
  try {
    actforge::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "export_driver: " << error.what() << "\n";
    return 1;
  }
}
