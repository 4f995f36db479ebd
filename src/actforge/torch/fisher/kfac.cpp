#include "actforge/torch/fisher/kfac.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "actforge/base/error.h"
#include "actforge/base/random.h"

namespace actforge {
namespace {

using torch::Tensor;

// The layer whose weights this one uses.
LayerId owner_of(const Network& network, LayerId id) { return network.layer(id).shares.value_or(id); }

// How each layer looks at its input, for K-FAC; nothing for those without factors.
std::vector<std::optional<PatchShape>> patch_shapes(const Network& network) {
  std::vector<std::optional<PatchShape>> shapes;
  for (LayerId id = 0; id < network.layers().size(); ++id) shapes.push_back(patch_shape(network, id));
  return shapes;
}

bool is_finite(const Tensor& sums) { return std::isfinite(sums.sum().item<double>()); }

// Labels from the network's own predictions, by a stream of their own.
Tensor draw_labels(const Tensor& logits, std::uint64_t seed) {
  const Tensor sums = torch::softmax(logits.detach().to(torch::kCPU, torch::kFloat64), 1).cumsum(1).contiguous();
  const auto rows = sums.accessor<double, 2>();
  Random random(seed, 0, "fisher labels");
  Tensor labels = torch::empty({sums.size(0)}, torch::kInt64);
  auto chosen = labels.accessor<std::int64_t, 1>();
  for (std::int64_t i = 0; i < sums.size(0); ++i) {
    const double u = random.uniform() * rows[i][sums.size(1) - 1];
    std::int64_t c = 0;
    while (c + 1 < sums.size(1) && rows[i][c] <= u) ++c;
    chosen[i] = c;
  }
  return labels;
}

// Gathers the factors while a batch passes.
class Kfac {
 public:
  Kfac(Model& model, const KfacBatch& batch)
      : model_(model), network_(model.network()), batch_(batch), shapes_(patch_shapes(network_)) {
    for (const LayerId id : factored_layers(network_)) sums_.emplace(id, Sums{});
    for (ModelWeight& weight : model.weights()) weight.tensor.set_requires_grad(false);
  }

  KfacAnswer run() {
    forward();
    if (failure_.empty() && !is_finite(logits_.detach())) failure_ = "the network's output is undefined";
    if (failure_.empty()) backward();
    KfacAnswer answer = {.factors = {}, .failure = failure_};
    const auto samples = static_cast<double>(batch_.images.size(0));
    for (auto& [id, sums] : sums_) {
      if (!sums.omega.defined() || !sums.gamma.defined()) {
        answer.untouched.push_back({network_.layer(id).name, "the first output does not depend on it"});
        continue;
      }
      const double places = static_cast<double>(sums.rows) / samples;
      answer.factors.push_back({id, sums.omega / samples, sums.gamma / (samples * places)});
    }
    return answer;
  }

 private:
  struct Sums {
    Tensor omega = {}, gamma = {};
    std::int64_t rows = 0;  // samples · places
  };

  void forward() {
    std::vector<Tensor> values(network_.layers().size());
    // How often the value of a layer is still to be looked at.
    std::vector<int> uses(network_.layers().size(), 0);
    for (LayerId id = 0; id < uses.size(); ++id) {
      if (shapes_[id]) ++uses[network_.layer(id).inputs[0]];
    }
    model_.walk({batch_.images}, /*training=*/true, batch_.seed, [&](LayerId id, Tensor& value) {
      if (!failure_.empty()) return;
      if (shapes_[id]) {
        const LayerId input = network_.layer(id).inputs[0];
        look_at_input(id, values[input]);
        if (--uses[input] == 0) values[input].reset();
        watch_gradient(id, value);
      }
      if (uses[id] > 0) values[id] = value.detach();
      if (id == model_.logits()) logits_ = value;
    });
  }

  // Without a window; then the channels come last.
  bool is_dense(LayerId id) const { return shapes_[id].value().window.size.empty(); }

  void look_at_input(LayerId id, const Tensor& input) {
    Sums& sums = sums_.at(owner_of(network_, id));
    const Tensor products =
        patch_products(is_dense(id) ? input.reshape({-1, input.size(-1)}) : input, shapes_[id].value());
    if (!is_finite(products)) failure_ = "the input of '" + network_.layer(id).name + "' is undefined or too large";
    sums.omega = sums.omega.defined() ? sums.omega + products : products;
  }

  // The first layers do not depend on anything that has a gradient, so their values begin the graph.
  void watch_gradient(LayerId id, Tensor& value) {
    if (!value.requires_grad()) value = value.detach().set_requires_grad(true);
    value.register_hook([this, id](const Tensor& gradient) { look_at_gradient(id, gradient); });
  }

  void look_at_gradient(LayerId id, const Tensor& gradient) {
    const torch::NoGradGuard no_grad;
    Sums& sums = sums_.at(owner_of(network_, id));
    const Tensor last = is_dense(id) ? gradient : gradient.movedim(1, -1);
    const Tensor rows = last.reshape({-1, last.size(-1)});
    const Tensor products = patch_products(rows, {});
    sums.gamma = sums.gamma.defined() ? sums.gamma + products : products;
    if (passage_ == 0) sums.rows += rows.size(0);
    if (!failure_.empty()) return;
    if (!is_finite(products)) {
      failure_ = "the gradient at '" + network_.layer(id).name + "' is undefined or too large";
    }
  }

  void backward() {
    const Tensor log_shares = torch::log_softmax(logits_, 1);
    if (batch_.kind != FisherLabels::kEvery) {
      const Tensor labels = batch_.kind == FisherLabels::kData ? batch_.labels : draw_labels(logits_, batch_.seed);
      (-log_shares.gather(1, labels.to(logits_.device()).unsqueeze(1))).sum().backward();
      return;
    }
    // √p times the gradient, so that the products have the weight p.
    const Tensor weights = log_shares.detach().mul(0.5).exp();
    const std::int64_t classes = logits_.size(1);
    for (; passage_ < classes && failure_.empty(); ++passage_) {
      const Tensor loss = -(log_shares.select(1, passage_) * weights.select(1, passage_)).sum();
      loss.backward({}, /*retain_graph=*/passage_ + 1 < classes);
    }
  }

  Model& model_;
  const Network& network_;
  const KfacBatch& batch_;
  std::vector<std::optional<PatchShape>> shapes_;
  std::map<LayerId, Sums> sums_;
  Tensor logits_;
  std::int64_t passage_ = 0;
  std::string failure_;
};

}  // namespace

std::vector<LayerId> factored_layers(const Network& network) {
  std::vector<LayerId> layers;
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    if (patch_shape(network, id) && !network.layer(id).shares) layers.push_back(id);
  }
  return layers;
}

std::vector<SkippedLayer> unfactored_layers(const Network& network) {
  std::vector<SkippedLayer> skipped;
  for (LayerId id = 0; id < network.layers().size(); ++id) {
    const Layer& layer = network.layer(id);
    if (layer.parameter_count() == 0 || patch_shape(network, id)) continue;
    skipped.push_back({layer.name, "no factors for layers of kind '" + std::string(layer.kind->name) + "'"});
  }
  return skipped;
}

std::optional<PatchShape> patch_shape(const Network& network, LayerId id) {
  return find_layer_execution(*network.layer(id).kind).patches(network.setting(id));
}

KfacAnswer kfac_factors(Model& model, const KfacBatch& batch) { return Kfac(model, batch).run(); }

}  // namespace actforge
