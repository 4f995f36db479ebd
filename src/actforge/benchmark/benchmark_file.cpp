#include "actforge/benchmark/benchmark_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "actforge/base/error.h"
#include "actforge/base/gzip.h"
#include "actforge/base/read_file.h"
#include "actforge/benchmark/act_bench.h"
#include "actforge/benchmark/spectrum_rows.h"

namespace actforge {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kFormat = "actforge benchmark";
constexpr int kVersion = 1;
constexpr std::size_t kLargest = std::size_t{1} << 30;  // bytes, unpacked
constexpr std::size_t kMostFunctions = 10'000'000, kMostSeeds = 100'000;

struct Field {
  const char* name;
  double BenchmarkRun::*value;
  double decimals;
  bool optional = false;  // left out where no run has it
};
constexpr Field kFields[] = {
    {"accuracy", &BenchmarkRun::accuracy, 1e6},
    {"loss", &BenchmarkRun::loss, 1e6},
    {"train_accuracy", &BenchmarkRun::train_accuracy, 1e6, true},
    {"train_loss", &BenchmarkRun::train_loss, 1e6, true},
    {"test_accuracy", &BenchmarkRun::test_accuracy, 1e6, true},
    {"test_loss", &BenchmarkRun::test_loss, 1e6, true},
    {"seconds", &BenchmarkRun::seconds, 1e3, true},
};

ordered_json number(double value, double decimals) {
  if (!std::isfinite(value)) return nullptr;
  const double rounded = std::round(value * decimals) / decimals;
  return std::isfinite(rounded) ? rounded : value;
}

// Runs of one round have the same.
std::uint64_t seed_of(const Benchmark& benchmark, std::size_t round) {
  for (const BenchmarkFunction& function : benchmark.functions) {
    if (round < function.runs.size()) return function.runs[round].seed;
  }
  return 0;
}

ordered_json seed_json(const Benchmark& benchmark, std::size_t seed) {
  // A function may have fewer runs than others.
  const auto run_of = [&](const BenchmarkFunction& function) {
    return seed < function.runs.size() ? &function.runs[seed] : nullptr;
  };
  std::string status;
  for (const BenchmarkFunction& function : benchmark.functions) {
    const BenchmarkRun* run = run_of(function);
    status += run == nullptr ? '-' : run->completed ? 'c' : 'f';
  }
  ordered_json object = {{"seed", seed_of(benchmark, seed)}, {"status", status}};
  for (const Field& field : kFields) {
    ordered_json list = ordered_json::array();
    bool any = false;
    for (const BenchmarkFunction& function : benchmark.functions) {
      const BenchmarkRun* run = run_of(function);
      list.push_back(run == nullptr ? ordered_json() : number(run->*field.value, field.decimals));
      any = any || !list.back().is_null();
    }
    if (any || !field.optional) object[field.name] = std::move(list);
  }
  return object;
}

ordered_json spectra_json(const Benchmark& benchmark) {
  std::vector<std::vector<float>> valid;
  for (const BenchmarkFunction& function : benchmark.functions) {
    if (!function.spectrum.empty()) valid.push_back(function.spectrum);
  }
  const std::vector<std::size_t> bounds = layer_bounds(valid);
  const std::vector<float> scales = layer_scales(valid, bounds);
  ordered_json rows = ordered_json::array();
  for (const BenchmarkFunction& function : benchmark.functions) {
    rows.push_back(function.spectrum.empty() ? ordered_json(function.reason)
                                             : ordered_json(spectrum_steps(function.spectrum, bounds, scales)));
  }
  return {{"conditions", benchmark.spectra}, {"bounds", bounds}, {"scales", scales}, {"rows", std::move(rows)}};
}

// Fields of a file that is not to be trusted.
class Reader {
 public:
  Reader(std::string_view text, std::string origin)
      : origin_(std::move(origin)), root_(json::parse(text, nullptr, /*allow_exceptions=*/false)) {}

  Benchmark read() const {
    if (!root_.is_object() || text(root_, "format") != kFormat) fail("it is no benchmark of actforge");
    if (const json& version = member(root_, "version"); version != kVersion) {
      fail("it has version " + version.dump() + " of the format, and this program knows version " +
           std::to_string(kVersion));
    }
    Benchmark benchmark = {
        .command = text(root_, "command"), .settings = text(root_, "settings"), .version = text(root_, "software")};
    for (const json& name : list(root_, "functions")) benchmark.functions.push_back({.expression = as_text(name)});
    if (benchmark.functions.size() > kMostFunctions) fail("it has too many functions");
    read_equivalents(benchmark);
    const json& seeds = list(root_, "runs");
    if (seeds.size() > kMostSeeds) fail("it has too many seeds");
    for (const json& seed : seeds) read_seed(seed, benchmark);
    if (root_.contains("spectra")) read_spectra(member(root_, "spectra"), benchmark);
    return benchmark;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorCode::kBadInput, origin_ + ": " + why); }

  const json& member(const json& object, const char* name) const {
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (!object.is_object() || found == object.end()) fail("it has no '" + std::string(name) + "'");
    return *found;
  }
  std::string as_text(const json& value) const {
    if (!value.is_string()) fail("it has " + value.dump() + " where a text belongs");
    return value.get<std::string>();
  }
  std::string text(const json& object, const char* name) const { return as_text(member(object, name)); }
  const json& list(const json& object, const char* name) const {
    const json& value = member(object, name);
    if (!value.is_array()) fail("'" + std::string(name) + "' is no list");
    return value;
  }
  // One entry for each function.
  const json& column(const json& object, const char* name, std::size_t size) const {
    const json& value = list(object, name);
    if (value.size() != size) {
      fail("'" + std::string(name) + "' has " + std::to_string(value.size()) + " entries for " + std::to_string(size) +
           " functions");
    }
    return value;
  }
  double as_number(const json& value, const char* name) const {
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) fail("'" + std::string(name) + "' has " + value.dump() + " where a number belongs");
    return value.get<double>();
  }

  void read_equivalents(Benchmark& benchmark) const {
    if (!root_.contains("equivalents")) return;
    const json& all = column(root_, "equivalents", benchmark.functions.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].is_array()) fail("'equivalents' has " + all[i].dump() + " where a list belongs");
      for (const json& name : all[i]) benchmark.functions[i].equivalents.push_back(as_text(name));
    }
  }

  void read_seed(const json& seed, Benchmark& benchmark) const {
    const std::string status = text(seed, "status");
    if (status.size() != benchmark.functions.size() || status.find_first_not_of("cf-") != std::string::npos) {
      fail("'status' must have one of the letters c, f, - for each function");
    }
    const json& number = member(seed, "seed");
    if (!number.is_number_unsigned()) fail("'seed' is " + number.dump() + ", no whole number");
    for (std::size_t i = 0; i < status.size(); ++i) {
      if (status[i] == '-') continue;
      benchmark.functions[i].runs.push_back({.completed = status[i] == 'c', .seed = number.get<std::uint64_t>()});
    }
    for (const Field& field : kFields) {
      if (field.optional && !seed.contains(field.name)) continue;
      const json& values = column(seed, field.name, benchmark.functions.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (status[i] != '-') benchmark.functions[i].runs.back().*field.value = as_number(values[i], field.name);
      }
    }
  }

  void read_spectra(const json& spectra, Benchmark& benchmark) const {
    benchmark.spectra = text(spectra, "conditions");
    std::vector<std::size_t> bounds;
    for (const json& bound : list(spectra, "bounds")) {
      if (!bound.is_number_unsigned() || (!bounds.empty() && bound.get<std::size_t>() <= bounds.back()))
        fail("'bounds' are no rising numbers");
      bounds.push_back(bound.get<std::size_t>());
    }
    std::vector<float> scales;
    for (const json& scale : list(spectra, "scales")) scales.push_back(static_cast<float>(as_number(scale, "scales")));
    if (bounds.empty() || bounds[0] != 0 || scales.size() + 1 != bounds.size()) fail("'bounds' do not fit 'scales'");
    if (!std::ranges::all_of(scales, [](float scale) { return std::isfinite(scale); })) {
      fail("'scales' has an entry that is not finite");
    }
    const json& rows = column(spectra, "rows", benchmark.functions.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      BenchmarkFunction& function = benchmark.functions[i];
      if (rows[i].is_string()) {
        function.reason = rows[i].get<std::string>();
      } else {
        function.spectrum = spectrum_of_steps(steps(rows[i], bounds.back()), bounds, scales);
      }
    }
  }

  std::vector<std::int32_t> steps(const json& row, std::size_t width) const {
    if (!row.is_array() || row.size() != width) fail("a spectrum does not have " + std::to_string(width) + " numbers");
    std::vector<std::int32_t> values;
    values.reserve(width);
    for (const json& step : row) {
      if (!step.is_number_integer() || step < -kSpectrumSteps || step > kSpectrumSteps) {
        fail("a spectrum has the step " + step.dump());
      }
      values.push_back(step.get<std::int32_t>());
    }
    return values;
  }

  std::string origin_;
  json root_;
};

bool is_packed(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

// The last four bytes of an archive say how much it unpacks to. They may lie: then gunzip() refuses it.
std::size_t unpacked_size(std::string_view packed) {
  std::size_t size = 0;
  for (std::size_t i = 1; i <= 4 && i <= packed.size(); ++i) {
    size = size << 8 | static_cast<unsigned char>(packed[packed.size() - i]);
  }
  return std::min(size, kLargest);
}

}  // namespace

std::string packed_benchmark(const Benchmark& benchmark) {
  ordered_json root = {{"format", kFormat},
                       {"version", kVersion},
                       {"command", benchmark.command},
                       {"settings", benchmark.settings},
                       {"software", benchmark.version}};
  bool any_equivalents = false;
  ordered_json names = ordered_json::array(), equivalents = ordered_json::array();
  for (const BenchmarkFunction& function : benchmark.functions) {
    names.push_back(function.expression);
    equivalents.push_back(function.equivalents);
    any_equivalents = any_equivalents || !function.equivalents.empty();
  }
  root["functions"] = std::move(names);
  if (any_equivalents) root["equivalents"] = std::move(equivalents);
  root["runs"] = ordered_json::array();
  for (std::size_t seed = 0; seed < benchmark.seeds(); ++seed) root["runs"].push_back(seed_json(benchmark, seed));
  if (benchmark.has_spectra()) root["spectra"] = spectra_json(benchmark);
  return gzip(root.dump());
}

Benchmark unpack_benchmark(std::string_view packed, const std::string& origin) {
  const std::vector<std::uint8_t> bytes =
      gunzip({reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size()}, unpacked_size(packed), origin);
  return Reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, origin).read();
}

Benchmark read_benchmark(const std::string& path) {
  const std::optional<std::string> bytes = read_file(path, kLargest);
  if (!bytes) throw Error(ErrorCode::kBadInput, "cannot read the benchmark '" + path + "'");
  if (is_packed(*bytes)) return unpack_benchmark(*bytes, path);
  if (looks_like_benchmark(*bytes)) return parse_act_bench(*bytes, path);
  throw Error(
      ErrorCode::kBadInput,
      path + ": it is neither a benchmark of actforge (packed by gzip) nor one in the form of Act-Bench (JSON)");
}

std::shared_ptr<const Benchmark> shared_benchmark(const std::string& path) {
  struct Entry {
    std::filesystem::file_time_type written = {};
    std::weak_ptr<const Benchmark> benchmark = {};
  };
  static std::mutex mutex;
  static std::map<std::string, Entry> entries;
  const std::lock_guard lock(mutex);
  std::error_code ignored;
  const auto written = std::filesystem::last_write_time(path, ignored);
  Entry& entry = entries[path];
  std::shared_ptr<const Benchmark> benchmark = entry.benchmark.lock();
  if (!benchmark || entry.written != written) {
    benchmark = std::make_shared<const Benchmark>(read_benchmark(path));
    entry = {.written = written, .benchmark = benchmark};
  }
  return benchmark;
}

bool looks_like_benchmark(std::string_view bytes) {
  if (is_packed(bytes)) return true;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

}  // namespace actforge
