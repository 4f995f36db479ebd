// Networks that classify text. A sample is a row of whole numbers, one for each word (or byte).
#include "actforge/net/zoo/blocks.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

constexpr std::int64_t kEmbedding = 128;

LayerId embed(NetworkBuilder& net, LayerId words, const NetworkSizes& sizes) {
  return net.add("embedding", {words}, {{"vocabulary", sizes.vocabulary}, {"units", kEmbedding}});
}

}  // namespace

// Embedding and LSTM of 128 numbers, as in the example "imdb_lstm" of Keras; a hidden layer has the activation
// function, which the LSTM has no place for.
LayerId build_lstm_text(NetworkBuilder& builder, LayerId words, const NetworkSizes& sizes) {
  constexpr std::int64_t kState = 128, kHidden = 64;
  const Blocks net = {.net = builder};
  LayerId x = builder.add("lstm", {embed(builder, words, sizes)}, {{"units", kState}});
  x = net.activation(net.dense(x, kHidden));
  return net.dense(builder.add("dropout", {x}, {{"rate", 0.5}}), sizes.classes);
}

// Kim 2014, "Convolutional Neural Networks for Sentence Classification": 100 filters over each of 3, 4 and 5 words, the
// largest value of each.
LayerId build_cnn_text(NetworkBuilder& builder, LayerId words, const NetworkSizes& sizes) {
  constexpr std::int64_t kFilters = 100;
  const Blocks net = {.net = builder};
  const LayerId x = builder.add("permute", {embed(builder, words, sizes)}, {{"order", Shape{1, 0}}});
  std::vector<LayerId> features;
  for (const std::int64_t length : {3, 4, 5}) {
    const LayerId y = builder.add("conv", {x}, {{"filters", kFilters}, {"kernel", length}});
    features.push_back(builder.add("global_max_pool", {net.activation(y)}));
  }
  const LayerId all = builder.add("concatenate", features);
  return net.dense(builder.add("dropout", {all}, {{"rate", 0.5}}), sizes.classes);
}

}  // namespace actforge
