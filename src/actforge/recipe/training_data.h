#pragma once

#include <optional>
#include <string>

#include "actforge/data/dataset.h"
#include "actforge/data/normalisation.h"
#include "actforge/data/split.h"
#include "actforge/init/moments/signal_moments.h"
#include "actforge/net/graph/network.h"

namespace actforge {

struct TrainingDataOptions {
  std::string normalise = "standard";
  std::optional<std::size_t> subset = {};      // training images, balanced; all of them unless it says so
  std::optional<std::size_t> validation = {};  // images held out; else the data set's own number
  std::uint64_t seed = 0;                      // of the split
};

// The training part of a data set, split and ready for a network. Test images are not among them.
struct TrainingData {
  ImageSet images;
  Split split;
  Normalisation normalisation;
  SignalMoments input;  // what the training images are to the network, after normalisation
};

// Throws Error where files are missing or there are too few images.
TrainingData load_training_data(const Dataset& dataset, const TrainingDataOptions& options);

// A network of the zoo for these images and classes, or one of a file as it is. Throws Error.
Network network_for(const std::string& name_or_file, const Dataset& dataset);

// Throws Error (kBadInput) unless the network takes such images and tells so many classes apart.
void check_network(const Network& network, const Dataset& dataset);

}  // namespace actforge
