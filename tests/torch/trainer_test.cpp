#include "actforge/torch/train/trainer.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"
#include "actforge/import/find_network.h"
#include "actforge/net/graph/network_text.h"
#include "actforge/net/graph/tensor_file.h"
#include "actforge/net/zoo/zoo.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

const Dataset& digits() { return find_dataset("digits"); }

Network small_network(const std::string& activation = "relu(x)") {
  Network network = build_network("allcnn-mini", {.input = {1, 8, 8}});
  network.set_activation(parse(activation));
  return network;
}

TrainJob small_job(const Network& network) {
  TrainJob job = {.network = &network, .dataset = &digits(), .options = find_recipe("mini").options()};
  job.options.epochs = 2;
  job.subset = 200;
  job.run.threads = 2;
  return job;
}

std::string error_of(const TrainJob& job) {
  try {
    train(job);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Everything that a result is made of, but for its times.
std::string numbers(const TrainResult& result) {
  std::string text(status_name(result.status));
  const auto add = [&](double value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    text.append(bytes, sizeof value);
  };
  for (const EpochScore& e : result.curve) {
    for (const double v : {e.train.loss, e.train.accuracy, e.validation.loss, e.validation.accuracy}) add(v);
  }
  return text;
}

class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("actforge_train_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Scratch() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

TEST(Trainer, SameSeedSameBits) {
  const Network network = small_network("swish(alpha*x)");
  TrainJob job = small_job(network);
  job.options.flip = true;
  job.options.pad = 1;
  const std::string first = numbers(train(job));
  EXPECT_EQ(first, numbers(train(job)));
  job.run.seed = 1;
  EXPECT_NE(first, numbers(train(job)));
}

TEST(Trainer, LearnsDigits) {
  const Network network = small_network();
  TrainJob job = small_job(network);
  job.subset = {};
  job.options.epochs = 20;
  job.test = true;
  for (job.run.seed = 0; job.run.seed < 3; ++job.run.seed) {
    const TrainResult result = train(job);
    EXPECT_EQ(result.status, TrainStatus::kCompleted);
    EXPECT_GE(result.validation->accuracy, 0.97) << "seed " << job.run.seed;
    EXPECT_GE(result.test->accuracy, 0.95) << "seed " << job.run.seed;
    EXPECT_EQ(result.curve.size(), 20u);
    EXPECT_GT(result.images_per_second, 0);
  }
}

TEST(Trainer, EveryNetworkTakesAStepOnEveryImageSize) {
  for (const Architecture& row : architectures()) {
    if (row.text) continue;                    // images are not for them: tests/torch/zoo_step_test.cpp
    if (row.example == "coatnet-0") continue;  // coatnet, only larger
    // The large ones would take a minute on the whole set.
    const std::map<std::string_view, std::string_view> smaller = {
        {"resnet-v1-56", "resnet-v1-20"}, {"resnet-v2-56", "resnet-v2-20"},
        {"resnet-50", "resnet-18"},       {"vgg-16", "vgg-11"},
        {"vgg-16-bn", "vgg-11-bn"},       {"wrn-10-4", "wrn-10-1"}};
    const auto found = smaller.find(row.example);
    const std::string_view name = found == smaller.end() ? row.example : found->second;
    Network network = build_network(name, {.input = {1, 8, 8}});
    TrainJob job = small_job(network);
    job.options = find_recipe(row.recipe).options();
    job.options.epochs = 1;
    job.options.batch = 10;
    job.subset = 10;
    job.validation = 10;
    const TrainResult result = train(job);
    EXPECT_TRUE(result.status == TrainStatus::kCompleted || row.name == "resnet-v2-D-nobn")
        << row.name << ": " << result.reason;
  }
}

TEST(Trainer, ParametersOfActivationsLearnAtTheirOwnRate) {
  const Scratch scratch;
  const Network network = small_network("alpha[1,layer]*relu(x) + beta[0.5,neuron]*x + gamma*tanh(x)");
  const auto alpha = [&](double rate, const char* name) {
    TrainJob job = small_job(network);
    job.options.parameter_rate = rate;
    job.options.learning_rate = 0.01;
    job.options.epochs = 1;
    job.save_weights = scratch.file(name);
    train(job);
    for (const NamedTensor& tensor : read_tensor_file(job.save_weights).tensors) {
      if (tensor.name == "activation_1.alpha") return tensor.values[0];
    }
    return 0.0f;
  };
  EXPECT_EQ(alpha(0, "still"), 1);
  EXPECT_NE(alpha(1, "moving"), 1);
}

TEST(Trainer, BackendsAndLayoutsAgree) {
  const Network network = small_network("swish(x)");
  TrainJob job = small_job(network);
  job.options.epochs = 1;
  const Score fused = *train(job).validation;
  job.options.backend = "operators";
  const Score operators = *train(job).validation;
  job.options.layout = "channels-first";
  const Score first = *train(job).validation;
  EXPECT_NEAR(fused.loss, operators.loss, 1e-3);
  EXPECT_NEAR(fused.loss, first.loss, 1e-3);
}

TEST(Trainer, StoppedAnywhereItGoesOnToTheSameNumbers) {
  const Scratch scratch;
  Network network = build_network("resnet-mini", {.input = {1, 8, 8}});  // running statistics
  for (const char* optimizer : {"nesterov", "adamw"}) {
    TrainJob job = small_job(network);
    job.options.optimizer = optimizer;
    job.options.learning_rate = 0.01;
    job.options.epochs = 3;
    job.save_weights = scratch.file("whole");
    const std::string whole = numbers(train(job));
    job.save_weights = scratch.file("pieces");
    job.checkpoint = scratch.file(std::string(optimizer) + ".ckpt");
    // Stops after 2 steps, after 4 (the end of an epoch), and so on.
    TrainResult result;
    int sittings = 0;
    do {
      int steps = 0;
      job.run.stop = [&] { return steps == 3; };
      result = train(job, [&](const TrainProgress&) { ++steps; });
      job.resume = true;
      ASSERT_LT(++sittings, 30);
    } while (result.status == TrainStatus::kInterrupted);
    EXPECT_GT(sittings, 3);
    EXPECT_EQ(numbers(result), whole) << optimizer;
    const auto bytes = [](const std::string& path) {
      std::ifstream file(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    };
    EXPECT_EQ(bytes(scratch.file("whole")), bytes(scratch.file("pieces"))) << optimizer;
  }
}

TEST(Trainer, RefusesCheckpointsOfOthers) {
  const Scratch scratch;
  const Network network = small_network();
  TrainJob job = small_job(network);
  job.options.epochs = 1;
  job.checkpoint = scratch.file("run.ckpt");
  job.resume = true;
  EXPECT_NE(error_of(job).find("there is no checkpoint"), std::string::npos);
  job.resume = false;
  train(job);
  EXPECT_NE(error_of(job).find("--resume continues"), std::string::npos);
  job.resume = true;
  job.run.seed = 5;
  EXPECT_NE(error_of(job).find("seed: 0 in the file, 5 here"), std::string::npos);
  job.run.seed = 0;
  // Every truncation and some changed bytes: an error, never a crash.
  std::ifstream file(job.checkpoint, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100}, whole.size() - 1}) {
    std::ofstream(job.checkpoint, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    EXPECT_NE(error_of(job).find(job.checkpoint), std::string::npos) << size;
  }
}

TEST(Trainer, UndefinedFunctionsEndAtOnce) {
  const Network network = small_network("0*x/(0*x)");
  const TrainResult result = train(small_job(network));
  EXPECT_EQ(result.status, TrainStatus::kDiverged);
  EXPECT_NE(result.reason.find("undefined in epoch 1, step 1"), std::string::npos) << result.reason;
  EXPECT_FALSE(result.validation.has_value());
  EXPECT_TRUE(result.curve.empty());
}

TEST(Trainer, ExplodingWeightsEndARun) {
  const Network network = small_network();
  TrainJob job = small_job(network);
  job.options.largest_weight = 0.05;
  const TrainResult result = train(job);
  EXPECT_EQ(result.status, TrainStatus::kDiverged);
  EXPECT_NE(result.reason.find("exploded"), std::string::npos);
}

TEST(Trainer, AccuracyAtChanceEndsARun) {
  const Network network = small_network("0*x");
  TrainJob job = small_job(network);
  job.options.epochs = 9;
  job.options.chance_epochs = 2;
  const TrainResult result = train(job);
  EXPECT_EQ(result.status, TrainStatus::kChance);
  EXPECT_EQ(result.curve.size(), 2u);
}

TEST(Trainer, TimeLimitEndsARun) {
  const Network network = small_network();
  TrainJob job = small_job(network);
  job.options.epochs = 100'000;
  job.time_limit = 0.2;
  const TrainResult result = train(job);
  EXPECT_EQ(result.status, TrainStatus::kTimeout);
  EXPECT_TRUE(result.validation.has_value());
}

TEST(Trainer, NetworksThatDoNotFitAreRefused) {
  const Network image = build_network("allcnn-mini", {.input = {3, 8, 8}});
  EXPECT_NE(error_of(small_job(image)).find("takes 3x8x8, the images of 'digits' are 1x8x8"), std::string::npos);
  const Network classes = build_network("allcnn-mini", {.input = {1, 8, 8}, .classes = 7});
  EXPECT_NE(error_of(small_job(classes)).find("has 10 classes"), std::string::npos);
  const Network network = small_network();
  TrainJob job = small_job(network);
  job.device = "cuda";
  if (!torch::cuda::is_available()) {
    EXPECT_NE(error_of(job).find("no device 'cuda'"), std::string::npos);
  }
  job.device = "abacus";
  EXPECT_NE(error_of(job).find("unknown device"), std::string::npos);
}

}  // namespace
}  // namespace actforge
