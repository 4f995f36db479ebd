#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actforge/net/graph/network.h"
#include "actforge/onnx/constant.h"
#include "actforge/onnx/function.h"
#include "actforge/onnx/graph.h"

namespace actforge {

// Where the file keeps the numbers of a weight.
struct WeightSource {
  const onnx::TensorProto* tensor = nullptr;  // null: nowhere
  double scale = 1;                           // the weight is this times the file's number
  bool inverted = false;                      // or one over it
  bool transposed = false;                    // the file has columns where the weight has rows
  std::vector<int> gates = {};                // the file's place of each block of rows
  std::int64_t offset = 0;                    // numbers before the first
  TensorId name = kNoTensor;                  // by which the graph uses it; exporters write equal tensors only once
  std::optional<std::int64_t> added = {};     // the offset of numbers that are added to these

  bool operator==(const WeightSource&) const = default;
};

struct ImportedOnnx {
  Network network;
  std::vector<std::string> notes = {};
  std::map<std::pair<LayerId, std::size_t>, WeightSource> sources = {};
  std::map<LayerId, std::string> activations = {};  // the tensor that holds the output of an activation
};
// `folder` is the model's. The model must outlive the result. Throws Error (kBadInput) that names the node.
ImportedOnnx import_onnx(const onnx::ModelProto& model, const std::string& folder);

// ---- for the nodes

class OnnxImporter {
 public:
  // Inputs whose last extent counts the channels; found out while the graph is read, which then starts again.
  using ChannelsLast = std::map<TensorId, bool>;
  struct Restart : std::exception {};

  OnnxImporter(const OnnxGraph& graph, const OnnxFunctions& functions, std::string folder, ChannelsLast& channels_last);
  ImportedOnnx run();

  const OnnxGraph& graph() const { return graph_; }
  const std::string& folder() const { return folder_; }
  NetworkBuilder& builder() { return builder_; }
  OnnxValue& value(TensorId id) { return values_[id]; }
  std::optional<std::int64_t> batch_size() const { return batch_size_; }
  void note(const OnnxNode& node, const std::string& what);

  // A layer of this node. `part` distinguishes what is not the node itself, and is empty for that.
  LayerId add(const OnnxNode& node, std::string_view kind, const std::vector<LayerId>& inputs,
              const Attributes& attributes = {}, std::string_view part = {});
  // A layer with weights of the file, one source per weight of the kind.
  LayerId add_weighted(const OnnxNode& node, std::string_view kind, LayerId input, const Attributes& attributes,
                       const std::vector<WeightSource>& sources);
  // Throws OnnxMisfit where the file has too few or too many numbers for a weight; notes what it does not hold itself.
  void check_sources(const OnnxNode& node, LayerId made, const std::vector<WeightSource>& sources);
  // The signal as a layer whose output has the extents of a sample, with its channels in the wanted place.
  LayerId layer_of(const OnnxNode& node, const OnnxValue& value, std::optional<std::size_t> channels = {});
  LayerId layer_as(const OnnxNode& node, LayerId layer, const Shape& sample, std::optional<std::size_t> channels);
  // A layer `constant` with the numbers, or one over each, as an operand of something of the extents `whole`.
  LayerId constant_layer(const OnnxNode& node, OnnxConstant& constant, const Dims& whole, std::size_t channels,
                         bool inverted = false);
  void set(TensorId id, LayerId layer, Dims dims);
  void set_constant(TensorId id, OnnxConstant constant);
  // A permutation of a signal that comes from an input tells where that one has its channels.
  void remember_permutation(LayerId made, LayerId from, const Shape& order);

  // The number that the next node multiplies this tensor by, and what it makes, where nothing else needs the tensor.
  std::optional<std::pair<TensorId, double>> scale_after(TensorId id) const;

  // A layer for something that is not known, with these extents, those that the file declares, or else those of the
  // first input where `guess` allows it. Whether there were any.
  bool add_opaque(const OnnxNode& node, const std::optional<Dims>& dims, bool guess);

 private:
  void read_inputs();
  std::size_t input_batch_axis(TensorId id, const onnx::TensorShapeProto& shape) const;
  bool is_index_input(TensorId id) const;
  void find_index_inputs();
  void visit(std::size_t node);
  void visit_function(const OnnxNode& node, const OnnxFunction& function);
  void visit_line(const OnnxNode& node, const OnnxFunction& function, const OnnxFunction::Line& line);
  void visit_known(const OnnxNode& node);
  bool fold_node(const OnnxNode& node);
  bool add_unknown_constant(const OnnxNode& node);
  std::optional<Dims> declared_dims(TensorId id, const OnnxNode& node);
  // All layers are made here, and remembered: those that lead to no output are left out in the end.
  LayerId build(std::string_view kind, const std::vector<LayerId>& inputs, const Attributes& attributes,
                std::string name, std::optional<LayerId> shares = {});
  std::string layer_name(const OnnxNode& node, std::string_view part);
  std::string unique_name(std::string_view wanted);
  std::vector<LayerId> find_outputs();
  ImportedOnnx finish();

  const OnnxGraph& graph_;
  const OnnxFunctions& functions_;
  std::string folder_;
  ChannelsLast& channels_last_;
  NetworkBuilder builder_;
  std::vector<OnnxValue> values_;
  std::vector<bool> index_inputs_;
  std::optional<std::int64_t> batch_size_;
  std::string batch_name_;
  std::int64_t folded_ = 0;
  std::vector<std::string> notes_;
  std::unordered_map<std::string, int> names_;
  std::map<std::pair<LayerId, std::size_t>, WeightSource> sources_;
  std::map<LayerId, TensorId> activations_;
  struct Statistics {
    double mean = 0, variance = 0;
    bool all_finite = true;
  };
  Statistics constant_statistics(const OnnxNode& node, const OnnxConstant& constant, bool inverted);
  std::map<std::pair<const onnx::TensorProto*, bool>, Statistics> statistics_;  // by tensor, and whether inverted
  std::map<std::tuple<LayerId, Shape, std::size_t>, LayerId> reshaped_;
  std::multimap<const onnx::TensorProto*, LayerId> owners_;  // by the first weight
  struct Origin {
    TensorId input;
    Shape axes;  // of the input, in the order of the layer
  };
  std::map<LayerId, Origin> origins_;
  struct Made {
    std::string kind;
    std::vector<LayerId> inputs;
    Attributes attributes;
    std::string name;
    std::optional<LayerId> shares;
  };
  std::vector<Made> made_;
};

// The characters that names of layers may have; others become underlines.
std::string clean_onnx_name(std::string_view name);

}  // namespace actforge
