#include "actforge/recipe/training_data.h"

#include "actforge/base/error.h"
#include "actforge/import/find_network.h"
#include "actforge/net/layers/layers.h"

namespace actforge {
namespace {

Shape shape_of(const ImageShape& image) { return {image.channels, image.height, image.width}; }

SignalMoments input_moments(const ImageSet& images, std::span<const std::uint32_t> chosen,
                            const Normalisation& normalisation) {
  const ChannelStats stats = channel_stats(images, chosen);
  MixedMoments mixed;
  for (std::size_t c = 0; c < stats.mean.size(); ++c) {
    const double deviation = stats.deviation[c] / normalisation.scale[c];
    mixed.add(1, {(stats.mean[c] - normalisation.shift[c]) / normalisation.scale[c], deviation * deviation});
  }
  return mixed.moments();
}

}  // namespace

TrainingData load_training_data(const Dataset& dataset, const TrainingDataOptions& options) {
  TrainingData data = {.images = load(dataset, Part::kTrain), .split = {}, .normalisation = {}, .input = {}};
  data.split = split_training_part(dataset, data.images,
                                   {.subset = options.subset, .validation = options.validation, .seed = options.seed});
  if (data.split.train.empty()) throw Error(ErrorCode::kUsage, "there are no training images");
  data.normalisation = make_normalisation(find_normalise(options.normalise), data.images, data.split.train);
  data.input = input_moments(data.images, data.split.train, data.normalisation);
  return data;
}

Network network_for(const std::string& name_or_file, const Dataset& dataset) {
  return find_network(name_or_file, {.input = shape_of(dataset.shape), .classes = dataset.classes()});
}

void check_network(const Network& network, const Dataset& dataset) {
  const Shape wanted = shape_of(dataset.shape);
  std::size_t inputs = 0;
  for (const Layer& layer : network.layers()) {
    // Training begins with new weights; these numbers would be lost without a word.
    if (layer.kind == &kConstantLayer) {
      throw Error(ErrorCode::kBadInput, "network '" + network.name() + "' computes with numbers of its file (layer '" +
                                            layer.name + "'), which training does not read");
    }
    if (layer.kind != &kInputLayer) continue;
    ++inputs;
    if (layer.output.shape != wanted || layer.output.indices) {
      throw Error(ErrorCode::kBadInput, "network '" + network.name() + "' takes " + shape_text(layer.output.shape) +
                                            ", the images of '" + std::string(dataset.name) + "' are " +
                                            shape_text(wanted));
    }
  }
  if (inputs != 1) throw Error(ErrorCode::kBadInput, "network '" + network.name() + "' does not have one input");
  const Shape& output = network.layer(network.outputs()[0]).output.shape;
  if (output != Shape{dataset.classes()}) {
    throw Error(ErrorCode::kBadInput, "the output of network '" + network.name() + "' is " + shape_text(output) +
                                          ", but '" + std::string(dataset.name) + "' has " +
                                          std::to_string(dataset.classes()) + " classes");
  }
}

}  // namespace actforge
