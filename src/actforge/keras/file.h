#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/net/graph/network.h"

namespace actforge {

// How a weight is to be drawn, for the initialisers of a Keras layer.
struct KerasInitialiser {
  LayerId layer = 0;
  std::size_t weight = 0;    // in Layer::weights
  std::string distribution;  // truncated-normal, normal, uniform, orthogonal
  double deviation = 1;      // standard deviation of the numbers that are drawn, after any truncation
  std::uint64_t seed = 0;
};

// A model as Keras 2 and 3 write it with model.to_json(), functional or sequential, or as they save it (.keras).
class KerasFile {
 public:
  // Throws Error (kBadInput) that names the layer.
  static KerasFile parse(std::string_view json);
  // The bytes of a .keras file.
  static KerasFile parse_archive(std::string archive);
  // Either, by its content.
  static KerasFile read(const std::string& path);
  ~KerasFile();
  KerasFile(KerasFile&&) noexcept;
  KerasFile& operator=(KerasFile&&) noexcept;

  const Network& network() const;
  // What was guessed or left out, a sentence each.
  std::span<const std::string> notes() const;

  // The same JSON with the kernel_initializer (depthwise_initializer, ...) of these layers set, and their biases zero.
  // Where the file has one entry for several weights (the kernels of an attention), it gets the root of their mean
  // square deviation and no seed: with one, Keras would draw them equal. `shifts` are added to the outputs of
  // activation layers by a Rescaling after the layer of Keras. Throws Error (kBadInput) where the file has no place for
  // it.
  std::string with_initialisers(std::span<const KerasInitialiser> initialisers,
                                const std::map<LayerId, double>& shifts = {}) const;

  bool is_archive() const;
  // Asked for each weight that is drawn, in the order of Weight::shape; an empty answer leaves the file's numbers.
  using NewValues = std::function<std::vector<float>(LayerId layer, std::size_t weight)>;
  // The archive with these weights in the places of the old ones, and everything else as it was, byte by byte. Biases
  // become zero, or what Keras gives them. Throws Error (kBadInput) where the archive has no place for a weight.
  std::string archive_with(const NewValues& new_values) const;

 private:
  struct Body;
  explicit KerasFile(std::unique_ptr<Body> body);
  std::unique_ptr<Body> body_;
};

// Whether a JSON text is a Keras model rather than a network of our own form.
bool is_keras_json(std::string_view json);

}  // namespace actforge
