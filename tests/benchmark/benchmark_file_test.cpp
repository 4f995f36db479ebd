#include "actforge/benchmark/benchmark_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "actforge/base/error.h"
#include "actforge/base/gzip.h"
#include "actforge/benchmark/act_bench.h"
#include "actforge/benchmark/spectrum_rows.h"
#include "tests/benchmark/small_benchmark.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

void expect_same(double a, double b) {
  if (std::isnan(a)) {
    EXPECT_TRUE(std::isnan(b));
  } else {
    EXPECT_NEAR(a, b, 1e-6);
  }
}

void expect_same_runs(const BenchmarkFunction& a, const BenchmarkFunction& b) {
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < a.runs.size(); ++i) {
    EXPECT_EQ(a.runs[i].completed, b.runs[i].completed);
    EXPECT_EQ(a.runs[i].seed, b.runs[i].seed);
    for (const auto value : {&BenchmarkRun::accuracy, &BenchmarkRun::loss, &BenchmarkRun::train_accuracy,
                             &BenchmarkRun::train_loss, &BenchmarkRun::test_loss, &BenchmarkRun::seconds}) {
      expect_same(a.runs[i].*value, b.runs[i].*value);
    }
  }
}

TEST(BenchmarkFile, ComesBackAsItWas) {
  const Benchmark before = small_benchmark();
  const Benchmark after = unpack_benchmark(packed_benchmark(before), "a file");
  EXPECT_EQ(after.command, before.command);
  EXPECT_EQ(after.spectra, before.spectra);
  EXPECT_EQ(after.version, before.version);
  ASSERT_EQ(after.functions.size(), before.functions.size());
  for (std::size_t i = 0; i < after.functions.size(); ++i) {
    EXPECT_EQ(after.functions[i].expression, before.functions[i].expression);
    EXPECT_EQ(after.functions[i].equivalents, before.functions[i].equivalents);
    EXPECT_EQ(after.functions[i].reason, before.functions[i].reason);
    expect_same_runs(after.functions[i], before.functions[i]);
    ASSERT_EQ(after.functions[i].spectrum.size(), before.functions[i].spectrum.size());
    for (std::size_t k = 0; k < after.functions[i].spectrum.size(); ++k) {
      EXPECT_NEAR(after.functions[i].spectrum[k], before.functions[i].spectrum[k], 5.0 / kSpectrumSteps);
    }
  }
  EXPECT_EQ(packed_benchmark(after), packed_benchmark(unpack_benchmark(packed_benchmark(after), "a file")));
}

TEST(BenchmarkFile, FunctionsMayHaveDifferentNumbersOfRuns) {
  Benchmark before = small_benchmark();
  before.functions[1].runs.pop_back();
  before.functions[3].runs.clear();
  const Benchmark after = unpack_benchmark(packed_benchmark(before), "a file");
  EXPECT_EQ(after.functions[0].runs.size(), 2U);
  EXPECT_EQ(after.functions[1].runs.size(), 1U);
  EXPECT_EQ(after.functions[3].runs.size(), 0U);
  EXPECT_EQ(unpack_benchmark(packed_benchmark({}), "nothing").functions.size(), 0U);
}

std::string message_of_file(const std::string& bytes) {
  try {
    unpack_benchmark(bytes, "a file");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(BenchmarkFile, SaysWhatIsWrong) {
  const std::string good = packed_benchmark(small_benchmark());
  EXPECT_NE(message_of_file(good.substr(0, good.size() / 2)).find("a file: "), std::string::npos);
  EXPECT_NE(message_of_file(gzip("[]")).find("no benchmark of actforge"), std::string::npos);
  const std::vector<std::uint8_t> bytes =
      gunzip({reinterpret_cast<const std::uint8_t*>(good.data()), good.size()}, 1 << 20, "good");
  const nlohmann::json root = nlohmann::json::parse(bytes);
  const auto with = [&](const char* pointer, const nlohmann::json& value) {
    nlohmann::json changed = root;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return message_of_file(gzip(changed.dump()));
  };
  EXPECT_EQ(with("/version", 2), "a file: it has version 2 of the format, and this program knows version 1");
  EXPECT_EQ(with("/functions", "x"), "a file: 'functions' is no list");
  EXPECT_EQ(with("/functions/0", 5), "a file: it has 5 where a text belongs");
  EXPECT_EQ(with("/runs/0/status", "cc"), "a file: 'status' must have one of the letters c, f, - for each function");
  EXPECT_EQ(with("/runs/0/seed", -1), "a file: 'seed' is -1, no whole number");
  EXPECT_EQ(with("/runs/1/loss", {1}), "a file: 'loss' has 1 entries for 4 functions");
  EXPECT_EQ(with("/runs/1/loss/2", "a"), "a file: 'loss' has \"a\" where a number belongs");
  EXPECT_EQ(with("/spectra/bounds", {0, 5, 3}), "a file: 'bounds' are no rising numbers");
  EXPECT_EQ(with("/spectra/scales", nlohmann::json::array()), "a file: 'bounds' do not fit 'scales'");
  EXPECT_EQ(with("/spectra/rows/0/1", 1e9), "a file: a spectrum has the step 1000000000.0");
  EXPECT_EQ(with("/spectra/rows/0", {1, 2}), "a file: a spectrum does not have 5 numbers");
}

// Whatever happens to a file, reading it ends with an answer or an Error.
TEST(BenchmarkFile, SurvivesDamage) {
  const std::string good = packed_benchmark(small_benchmark());
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    try {
      unpack_benchmark(bad, "a file");
    } catch (const Error&) {
    }
  }
}

TEST(BenchmarkFile, IsReadOnceWhileItStays) {
  const ScratchFolder folder;
  const std::string path = (folder.path() / "a.bench").string();
  std::ofstream(path, std::ios::binary) << packed_benchmark(small_benchmark());
  const auto first = shared_benchmark(path);
  EXPECT_EQ(first, shared_benchmark(path));
  EXPECT_THROW(shared_benchmark(path + ".none"), Error);
}

TEST(ActBench, HasThePublishedFields) {
  const nlohmann::json root = nlohmann::json::parse(act_bench_json(small_benchmark()));
  ASSERT_EQ(root.size(), 4U);
  const nlohmann::json& relu = root["relu(x)"];
  EXPECT_DOUBLE_EQ(relu["Validation Accuracy"], 0.75);  // the median of two
  EXPECT_DOUBLE_EQ(relu["Train Accuracy"], 0.76);
  EXPECT_DOUBLE_EQ(relu["Validation Loss"], 0.55);
  EXPECT_TRUE(relu["Test Accuracy"].is_null());
  EXPECT_DOUBLE_EQ(relu["Runtime (s)"], 1.5);
  EXPECT_EQ(relu["Equivalent Activation Functions"], nlohmann::json({"max(x,0)"}));
  EXPECT_EQ(relu["Fisher log eigenvalue CDF"], nlohmann::json({0.0, 0.5, 1.0, 0.5, 1.0}));
  EXPECT_DOUBLE_EQ(root["tanh(x)"]["Validation Accuracy"], 0.6);  // of the run that did not fail
  EXPECT_TRUE(root["exp(x)*x"]["Validation Accuracy"].is_null());
  EXPECT_TRUE(root["exp(x)*x"]["Fisher log eigenvalue CDF"].is_null());
}

// As somebody else's program writes it: with fields in another order, whole numbers, and fields that are missing.
constexpr const char* kOthers = R"json({
  "min(square(x),selu(x))": {
    "Validation Accuracy": 0.5, "Test Accuracy": 1, "Runtime (s)": 12.5, "Fisher log eigenvalue CDF": [0, 0.5, 1],
    "Equivalent Activation Functions": ["min(selu(x),square(x))"]
  },
  "exp(exp(x))": {"Validation Accuracy": null, "Fisher log eigenvalue CDF": null}
})json";

TEST(ActBench, IsReadAsOthersWriteIt) {
  const Benchmark benchmark = parse_act_bench(kOthers, "a file");
  ASSERT_EQ(benchmark.functions.size(), 2U);
  const auto& row = benchmark.functions[benchmark.functions[0].expression == "exp(exp(x))" ? 1 : 0];
  EXPECT_EQ(row.expression, "min(square(x),selu(x))");
  EXPECT_DOUBLE_EQ(row.runs.at(0).accuracy, 0.5);
  EXPECT_DOUBLE_EQ(row.runs.at(0).test_accuracy, 1);
  EXPECT_DOUBLE_EQ(row.runs.at(0).seconds, 12.5);
  EXPECT_TRUE(std::isnan(row.runs.at(0).train_loss));
  EXPECT_EQ(row.spectrum, (std::vector<float>{0, 0.5F, 1}));
  EXPECT_EQ(row.equivalents, std::vector<std::string>{"min(selu(x),square(x))"});
  EXPECT_EQ(true_scores(benchmark).size(), 2U);
}

TEST(ActBench, RefusesWhatIsNone) {
  for (const char* bad :
       {"[]", "{", R"json({"relu(x)": 1})json", R"json({"relu(x)": {"Validation Accuracy": "a"}})json",
        R"json({"relu(x)": {"Fisher log eigenvalue CDF": 3}})json",
        R"json({"relu(x)": {"Equivalent Activation Functions": [1]}})json",
        R"json({"a": {"Fisher log eigenvalue CDF": [1]}, "b": {"Fisher log eigenvalue CDF": [1, 2]}})json"}) {
    EXPECT_THROW(parse_act_bench(bad, "a file"), Error) << bad;
  }
}

TEST(ActBench, WhatIsWrittenCanBeRead) {
  const Benchmark again = parse_act_bench(act_bench_json(small_benchmark()), "a file");
  EXPECT_EQ(again.functions.size(), 4U);
  EXPECT_EQ(again.seeds(), 1U);
  EXPECT_TRUE(again.has_spectra());
}

TEST(SpectrumRows, LayersEndWhereADistributionFalls) {
  const std::vector<std::vector<float>> spectra = {{0, 1, 2, 2.5F, 5}, {0.5F, 0.5F, 2, 0, 5}};
  const std::vector<std::size_t> bounds = layer_bounds(spectra);
  EXPECT_EQ(bounds, (std::vector<std::size_t>{0, 3, 5}));
  EXPECT_EQ(layer_scales(spectra, bounds), (std::vector<float>{2, 5}));
  EXPECT_EQ(spectrum_steps(spectra[0], bounds, std::vector<float>{2, 5}),
            (std::vector<std::int32_t>{0, 2048, 2047, 2048, 2047}));
  EXPECT_EQ(layer_bounds({}), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace actforge
