#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actforge/base/run_context.h"
#include "actforge/data/dataset.h"
#include "actforge/net/graph/network.h"
#include "actforge/recipe/train_options.h"

namespace actforge {

// What is trained, and on what: everything about a training that is not part of a recipe.
struct TrainJob {
  const Network* network = nullptr;
  const Dataset* dataset = nullptr;
  TrainOptions options = {};
  std::optional<std::size_t> subset = {};      // training images, balanced; all of them unless it says so
  std::optional<std::size_t> validation = {};  // images held out; else the data set's own number
  RunContext run = {.threads = 0};             // its progress is not called: see TrainObserver
  std::string device = "cpu";
  bool test = false;              // measure the test images at the end
  double time_limit = 0;          // seconds; 0 is none
  std::string checkpoint = {};    // a file from which the training can continue after a stop; empty: none
  double checkpoint_every = 60;   // seconds between two of them
  bool resume = false;            // continue from `checkpoint`
  std::string save_weights = {};  // a file for the final weights; empty: none
};

// What the network did on a set of images.
struct Score {
  double loss = 0;
  double accuracy = 0;
};

struct EpochScore {
  std::uint64_t epoch = 0;  // from 1
  double learning_rate = 0;
  Score train = {};  // while it learned: averages over the epoch, augmented images, dropout
  Score validation = {};
  double seconds = 0;  // since the run began
};

// Where the values of an activation's learned parameter were after an epoch; 0 is before training. Of one value per
// channel or neuron, their mean, the smallest and the largest.
struct ParameterPoint {
  std::uint64_t epoch = 0;
  double mean = 0, low = 0, high = 0;
};
struct ParameterTrack {
  std::string layer = {}, parameter = {};
  std::vector<ParameterPoint> points = {};  // of a training that continued from a checkpoint, those since then
};

// Text forms: "completed", "diverged", "chance", "timeout", "interrupted".
enum class TrainStatus : std::uint8_t { kCompleted, kDiverged, kChance, kTimeout, kInterrupted };
std::string_view status_name(TrainStatus status);

struct TrainResult {
  TrainStatus status = TrainStatus::kCompleted;
  std::string reason = {};               // why it ended early
  std::optional<Score> train = {};       // of the last whole epoch; none where it diverged
  std::optional<Score> validation = {};  // at the end
  std::optional<Score> test = {};        // if it was asked for
  std::vector<EpochScore> curve = {};    // one per whole epoch
  std::vector<ParameterTrack> parameters = {};
  double seconds = 0;            // of training and validation
  double images_per_second = 0;  // trained, without validation
};

struct TrainProgress {
  std::uint64_t epoch = 0, epochs = 0;  // completed epochs, and all
  std::uint64_t step = 0, steps = 0;    // within the epoch
  Score train = {};                     // of this epoch so far
  std::optional<Score> validation = {};
  double images_per_second = 0;
  double seconds_left = 0;
};

// Called after every step, before the job is asked whether to stop.
using TrainObserver = std::function<void(const TrainProgress& progress)>;

// Trains a network from new weights, or continues from a checkpoint, with the same result as without interruption.
// The same seed on the same machine with the same number of threads gives the same result to the last bit. Throws Error
// where network, data and options do not fit; a run that fails to learn is a result, not an error. So is one that is
// told to stop: it ends after a step as interrupted, with a checkpoint if it has one.
TrainResult train(const TrainJob& job, const TrainObserver& observer = {});

}  // namespace actforge
