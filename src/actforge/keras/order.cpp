// In which order the calls of a Keras model are made.
#include <algorithm>

#include "actforge/base/error.h"
#include "actforge/keras/model.h"

namespace actforge {
namespace {

// The calls of all layers, numbered one after another.
class Calls {
 public:
  explicit Calls(const KerasModel& model) : model_(model) {
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      first_.push_back(calls_.size());
      for (std::size_t node = 0; node < model.layers[i].nodes.size(); ++node) calls_.emplace_back(i, node);
    }
  }

  std::size_t size() const { return calls_.size(); }
  std::pair<std::size_t, std::size_t> call(std::size_t number) const { return calls_[number]; }
  std::size_t number(const KerasRef& ref) const { return first_[ref.layer] + ref.node; }
  const KerasNode& node(std::size_t number) const {
    return model_.layers[calls_[number].first].nodes[calls_[number].second];
  }

 private:
  const KerasModel& model_;
  std::vector<std::size_t> first_;
  std::vector<std::pair<std::size_t, std::size_t>> calls_;
};

// Layers through which whole numbers pass on their way to an embedding.
bool passes_indices(const std::string& class_name) {
  constexpr std::string_view kClasses[] = {"Reshape", "Flatten", "Permute", "ActivityRegularization"};
  return std::find(std::begin(kClasses), std::end(kClasses), class_name) != std::end(kClasses);
}

// Whether a layer needs indices as its argument of that number among the tensors.
bool wants_indices(const KerasLayer& layer, std::size_t argument, bool output_wanted) {
  if (layer.class_name == "Embedding") return true;
  if (layer.model == nullptr) return output_wanted && passes_indices(layer.class_name);
  const KerasModel& inner = *layer.model;
  return argument < inner.inputs.size() && inner.indices[inner.inputs[argument].layer];
}

}  // namespace

void order_keras_calls(KerasModel& model) {
  const Calls calls(model);
  std::vector<std::vector<std::size_t>> users(calls.size());
  std::vector<std::size_t> missing(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    for (const KerasArgument& argument : calls.node(i).arguments) {
      if (!argument.tensor) continue;
      users[calls.number(*argument.tensor)].push_back(i);
      ++missing[i];
    }
  }
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (missing[i] == 0) ready.push_back(i);
  }
  for (std::size_t at = 0; at < ready.size(); ++at) {
    for (const std::size_t user : users[ready[at]]) {
      if (--missing[user] == 0) ready.push_back(user);
    }
  }
  if (ready.size() < calls.size()) {
    const std::size_t stuck = static_cast<std::size_t>(
        std::find_if(missing.begin(), missing.end(), [](std::size_t count) { return count > 0; }) - missing.begin());
    throw Error(ErrorCode::kBadInput, "layer '" + model.layers[calls.call(stuck).first].name +
                                          "' depends on a layer after it: the model has a cycle");
  }
  model.order.clear();
  for (const std::size_t number : ready) model.order.push_back(calls.call(number));

  std::vector<bool> wanted(calls.size());
  model.indices.assign(model.layers.size(), false);
  for (std::size_t at = ready.size(); at-- > 0;) {
    const KerasLayer& layer = model.layers[calls.call(ready[at]).first];
    if (layer.is_input()) model.indices[calls.call(ready[at]).first] = wanted[ready[at]];
    std::size_t tensors = 0;
    for (const KerasArgument& argument : calls.node(ready[at]).arguments) {
      if (argument.tensor && wants_indices(layer, tensors++, wanted[ready[at]])) {
        wanted[calls.number(*argument.tensor)] = true;
      }
    }
  }
}

}  // namespace actforge
