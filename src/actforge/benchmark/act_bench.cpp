#include "actforge/benchmark/act_bench.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "actforge/base/error.h"
#include "actforge/benchmark/spectrum_rows.h"

namespace actforge {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kEquivalents = "Equivalent Activation Functions";
constexpr const char* kSpectrum = "Fisher log eigenvalue CDF";

struct Field {
  const char* name;
  double BenchmarkRun::*value;
};
constexpr Field kFields[] = {
    {"Train Accuracy", &BenchmarkRun::train_accuracy}, {"Validation Accuracy", &BenchmarkRun::accuracy},
    {"Train Loss", &BenchmarkRun::train_loss},         {"Validation Loss", &BenchmarkRun::loss},
    {"Test Accuracy", &BenchmarkRun::test_accuracy},   {"Test Loss", &BenchmarkRun::test_loss},
    {"Runtime (s)", &BenchmarkRun::seconds},
};

// Null where nothing was measured.
ordered_json median(const BenchmarkFunction& function, double BenchmarkRun::*value) {
  std::vector<double> values;
  for (const BenchmarkRun& run : function.runs) {
    if (std::isfinite(run.*value)) values.push_back(run.*value);
  }
  if (values.empty()) return nullptr;
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// To six digits: the shares of a layer with a million weights.
double short_share(double share) { return std::round(share * 1e6) / 1e6; }

class Writer {
 public:
  explicit Writer(const Benchmark& benchmark) {
    std::vector<std::vector<float>> spectra;
    for (const BenchmarkFunction& function : benchmark.functions) {
      if (!function.spectrum.empty()) spectra.push_back(function.spectrum);
    }
    bounds_ = layer_bounds(spectra);
    scales_ = layer_scales(spectra, bounds_);
  }

  ordered_json operator()(const BenchmarkFunction& function) const {
    ordered_json row;
    for (const Field& field : kFields) row[field.name] = median(function, field.value);
    row[kEquivalents] = function.equivalents;
    row[kSpectrum] = function.spectrum.empty() ? ordered_json() : shares(function.spectrum);
    return row;
  }

 private:
  ordered_json shares(const std::vector<float>& spectrum) const {
    ordered_json list = ordered_json::array();
    for (std::size_t layer = 0; layer + 1 < bounds_.size(); ++layer) {
      for (std::size_t i = bounds_[layer]; i < bounds_[layer + 1]; ++i) {
        list.push_back(scales_[layer] > 0 ? short_share(spectrum[i] / scales_[layer]) : 0);
      }
    }
    return list;
  }

  std::vector<std::size_t> bounds_;
  std::vector<float> scales_;
};

class Reader {
 public:
  explicit Reader(std::string origin) : origin_(std::move(origin)) {}

  Benchmark read(std::string_view text) {
    const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!root.is_object()) fail("", "it is no JSON object with a field for each function");
    Benchmark benchmark = {.spectra = "Act-Bench"};
    for (const auto& [name, row] : root.items()) benchmark.functions.push_back(function(name, row));
    check_widths(benchmark);
    return benchmark;
  }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& why) const {
    throw Error(ErrorCode::kBadInput, origin_ + ": " + (name.empty() ? "" : "'" + name + "': ") + why);
  }

  BenchmarkFunction function(const std::string& name, const json& row) const {
    if (!row.is_object()) fail(name, "it is no JSON object");
    BenchmarkFunction function = {.expression = name, .runs = {BenchmarkRun()}};
    for (const Field& field : kFields) function.runs[0].*field.value = number(name, row, field.name);
    function.runs[0].completed = std::isfinite(function.runs[0].accuracy);
    if (const auto list = row.find(kEquivalents); list != row.end() && list->is_array()) {
      for (const json& other : *list) {
        if (!other.is_string()) fail(name, std::string(kEquivalents) + ": a name is no text");
        function.equivalents.push_back(other.get<std::string>());
      }
    }
    function.spectrum = spectrum(name, row);
    if (function.spectrum.empty()) function.reason = "none in the file";
    return function;
  }

  double number(const std::string& name, const json& row, const char* field) const {
    const auto value = row.find(field);
    if (value == row.end() || value->is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value->is_number()) fail(name, std::string(field) + ": it is no number");
    return value->get<double>();
  }

  // Their shares count as they are: which columns make a layer is not in the file.
  std::vector<float> spectrum(const std::string& name, const json& row) const {
    const auto list = row.find(kSpectrum);
    if (list == row.end() || list->is_null()) return {};
    if (!list->is_array()) fail(name, std::string(kSpectrum) + ": it is no list");
    std::vector<float> values;
    values.reserve(list->size());
    for (const json& value : *list) {
      if (value.is_null()) return {};
      if (!value.is_number()) fail(name, std::string(kSpectrum) + ": an entry is no number");
      values.push_back(value.get<float>());
      if (!std::isfinite(values.back())) return {};
    }
    return values;
  }

  void check_widths(const Benchmark& benchmark) const {
    std::size_t width = 0;
    for (const BenchmarkFunction& function : benchmark.functions) {
      if (function.spectrum.empty()) continue;
      if (width == 0) width = function.spectrum.size();
      if (function.spectrum.size() == width) continue;
      fail(function.expression, std::string(kSpectrum) + ": it has " + std::to_string(function.spectrum.size()) +
                                    " numbers, others have " + std::to_string(width));
    }
  }

  std::string origin_;
};

}  // namespace

std::string act_bench_json(const Benchmark& benchmark) {
  const Writer writer(benchmark);
  ordered_json root = ordered_json::object();
  for (const BenchmarkFunction& function : benchmark.functions) {
    // Not by [], which looks through all that came before.
    root.get_ref<ordered_json::object_t&>().emplace_back(function.expression, writer(function));
  }
  return root.dump() + "\n";
}

Benchmark parse_act_bench(std::string_view json, const std::string& origin) { return Reader(origin).read(json); }

}  // namespace actforge
