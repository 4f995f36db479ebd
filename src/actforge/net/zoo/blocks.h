#pragma once

#include <string>

#include "actforge/expr/language/parse.h"
#include "actforge/net/graph/network.h"

namespace actforge {

struct ConvOptions {
  std::int64_t filters = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  bool bias = false;
};

// Short names for the layers that the architectures of PyTorch's libraries are made of. A window has half its size of
// zeros on every side.
struct Blocks {
  NetworkBuilder& net;
  Expr function = parse("relu(x)");
  bool normalise = true;  // without it the normalisations below leave their input alone

  LayerId conv(LayerId x, const ConvOptions& options) const;
  LayerId depthwise_conv(LayerId x, std::int64_t kernel, std::int64_t stride) const;
  LayerId dense(LayerId x, std::int64_t units) const;
  LayerId batch_norm(LayerId x) const;
  LayerId layer_norm(LayerId x) const;
  LayerId activation(LayerId x) const;
  // Batch normalisation, then the activation.
  LayerId norm_activation(LayerId x) const { return activation(batch_norm(x)); }
  LayerId max_pool(LayerId x, std::int64_t size, std::int64_t stride, std::int64_t padding) const;

  const Shape& shape(LayerId x) const { return net.signal(x).shape; }
  std::int64_t channels(LayerId x) const { return net.signal(x).channels(); }
};

// Whether an image is so small, less than 64 pixels on one side, that the first layers of a network made for 224 x 224
// must not shrink it. Throws Error (kBadInput) where it is no image.
bool is_small_image(const NetworkBuilder& net, LayerId image);

// The multiple of eight nearest to a number of channels, not less than nine tenths of it.
std::int64_t round_channels(double channels);

}  // namespace actforge
