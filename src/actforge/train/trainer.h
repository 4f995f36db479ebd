#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "actforge/data/dataset.h"
#include "actforge/net/network.h"
#include "actforge/train/train_options.h"

namespace actforge {

// What is trained, on what, by whom: everything about a run that is not part of a recipe.
struct TrainRun {
  const Network* network = nullptr;
  const Dataset* dataset = nullptr;
  TrainOptions options = {};
  std::optional<std::size_t> subset = {};      // training images, balanced; all of them unless it says so
  std::optional<std::size_t> validation = {};  // images held out; else the data set's own number
  std::uint64_t seed = 0;
  std::size_t threads = 0;  // 0: one per processor
  std::string device = "cpu";
  bool test = false;              // measure the test images at the end
  double time_limit = 0;          // seconds; 0 is none
  std::string checkpoint = {};    // a file that lets the run go on after a stop; empty: none
  double checkpoint_every = 60;   // seconds between two of them
  bool resume = false;            // go on from `checkpoint`
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
  std::vector<ParameterPoint> points = {};  // of a run that went on from a checkpoint, those since then
};

// Text forms: "completed", "diverged", "chance", "timeout", "interrupted".
enum class TrainStatus : std::uint8_t { kCompleted, kDiverged, kChance, kTimeout, kInterrupted };
std::string_view status_name(TrainStatus status);

struct TrainResult {
  TrainStatus status = TrainStatus::kCompleted;
  std::string reason = {};               // why it ended early
  std::optional<Score> train = {};       // of the last whole epoch; none where it diverged
  std::optional<Score> validation = {};  // at the end
  std::optional<Score> test = {};        // where it was asked for
  std::vector<EpochScore> curve = {};    // one per whole epoch
  std::vector<ParameterTrack> parameters = {};
  double seconds = 0;            // of training and validation
  double images_per_second = 0;  // trained, without validation
};

struct TrainProgress {
  std::uint64_t epoch = 0, epochs = 0;  // whole epochs behind, and in all
  std::uint64_t step = 0, steps = 0;    // within the epoch
  Score train = {};                     // of this epoch so far
  std::optional<Score> validation = {};
  double images_per_second = 0;
  double seconds_left = 0;
};

// Called after every step; to stop, it returns false: then the run ends as interrupted, with a checkpoint if it has
// one.
using TrainObserver = std::function<bool(const TrainProgress& progress)>;

// Trains a network from new weights, or goes on from a checkpoint to the same numbers that an undisturbed run gives.
// The same seed on the same machine with the same number of threads gives the same result to the last bit. Throws Error
// where network, data and options do not fit; a run that fails to learn is a result, not an error.
TrainResult train(const TrainRun& run, const TrainObserver& observer = {});

}  // namespace actforge
