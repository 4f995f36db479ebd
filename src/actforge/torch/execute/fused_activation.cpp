#include "actforge/torch/execute/fused_activation.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "actforge/torch/execute/torch_ops.h"

namespace actforge {
namespace {

using torch::Tensor;
using torch::autograd::SavedVariable;
using torch::autograd::variable_list;

// Elements that are worth waking a thread for; a whole number of blocks and vectors of every kernel.
constexpr std::int64_t kChunk = 16384;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

std::span<const float> elements(const Tensor& tensor) { return {tensor.data_ptr<float>(), size(tensor.numel())}; }
std::span<float> writable(const Tensor& tensor) { return {tensor.data_ptr<float>(), size(tensor.numel())}; }

// Calls work(first chunk, last chunk + 1) on several threads. Where chunks begin depends on the size alone, never on
// the number of threads.
template <class Work>
void for_chunks(std::int64_t elements, std::int64_t chunk, const Work& work) {
  at::parallel_for(0, at::divup(elements, chunk), 1, work);
}

bool has_scope(std::span<const Parameter> parameters, Scope scope) {
  return std::ranges::any_of(parameters, [=](const Parameter& p) { return p.scope == scope; });
}

// A kernel sees elements in the order of memory, whatever the order of the axes is. Channels may lie anywhere in it:
// their stride says where. Neurons must repeat sample by sample.
bool kernel_can_read(const Tensor& x, std::span<const Parameter> parameters) {
  if (!x.is_non_overlapping_and_dense()) return false;
  const bool sample_by_sample = x.size(0) <= 1 || x.stride(0) * x.size(0) == x.numel();
  return sample_by_sample || !has_scope(parameters, Scope::kNeuron);
}

bool lies_like(const Tensor& a, const Tensor& b) {
  for (std::int64_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) > 1 && a.stride(i) != b.stride(i)) return false;
  }
  return true;
}

// Kernels copy a run of consecutive values at a time. Runs shorter than this, of few channels that lie together, are
// repeated, which is twice as fast for 16 channels; the sums of gradients become more exact, too.
constexpr std::size_t kShortestRun = 512;

// The values of all parameters as the kernel reads them.
class ParameterValues {
 public:
  explicit ParameterValues(const FusedCall& call) {
    const std::span<const Parameter> parameters = call.compiled->kernel.parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k) add(parameters[k].scope, call.parameters[k].detach(), call);
  }

  std::span<const ParameterView> views() const { return views_; }
  // Uninitialised memory for a gradient, in which it lies as the values do before they are repeated.
  Tensor like(std::size_t parameter) const { return torch::empty_like(ordered_[parameter]); }

 private:
  void add(Scope scope, const Tensor& values, const FusedCall& call) {
    const Tensor& x = call.x;
    const std::size_t count = size(values.numel());
    ParameterView view{.count = count};
    if (scope == Scope::kChannel && count > 1) view.inner = size(x.stride(1 + call.channel_axis));
    // Neurons in the order in which they lie in x.
    ordered_.push_back(scope == Scope::kNeuron
                           ? torch::empty_strided(values.sizes(), x.strides().slice(1), x.options()).copy_(values)
                           : values.contiguous());
    repeated_.push_back(ordered_.back());
    if (count > 1 && count < kShortestRun && view.inner == 1) {
      const auto times = static_cast<std::int64_t>(kShortestRun / count + 1);
      repeated_.back() = ordered_.back().as_strided({values.numel()}, {1}).repeat({times});
      view.count = size(repeated_.back().numel());
    }
    view.values = repeated_.back().data_ptr<float>();
    views_.push_back(view);
  }

  std::vector<Tensor> ordered_, repeated_;
  std::vector<ParameterView> views_;
};

Tensor forward(const FusedCall& call) {
  const Kernel& kernel = call.compiled->kernel;
  const ParameterValues values(call);
  Tensor y = torch::empty_like(call.x);
  const auto in = elements(call.x);
  const auto out = writable(y);
  for_chunks(y.numel(), kChunk, [&](std::int64_t begin, std::int64_t end) {
    const std::size_t from = size(begin * kChunk), count = std::min(size(end * kChunk), in.size()) - from;
    kernel.forward(
        {.x = in.subspan(from, count), .y = out.subspan(from, count), .parameters = values.views(), .offset = from});
  });
  return y;
}

// Sums over all elements, made in parts: a row of partial sums per chunk of elements, added up in the order of chunks.
class PartialSums {
 public:
  PartialSums(const ParameterValues& values, const std::vector<bool>& wanted) {
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      counts_.push_back(wanted[k] ? values.views()[k].count : 0);
      starts_.push_back(width_);
      width_ += counts_.back();
    }
  }

  bool empty() const { return width_ == 0; }
  // All rows together are at most a quarter of x.
  std::int64_t chunk() const { return at::divup(static_cast<std::int64_t>(4 * width_), kChunk) * kChunk; }

  void resize(std::int64_t chunks) { rows_.assign(size(chunks) * width_, 0); }
  // Where the kernel adds the gradients of one chunk; null for those that are not wanted.
  std::vector<float*> row(std::int64_t chunk) {
    std::vector<float*> row;
    row.reserve(starts_.size());
    for (std::size_t k = 0; k < starts_.size(); ++k) {
      row.push_back(counts_[k] == 0 ? nullptr : rows_.data() + size(chunk) * width_ + starts_[k]);
    }
    return row;
  }
  // Over all chunks, and over the repetitions of a value.
  void add_up(std::size_t parameter, std::span<float> totals) const {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      double total = 0;
      for (std::size_t row = starts_[parameter]; row < rows_.size(); row += width_) {
        for (std::size_t j = i; j < counts_[parameter]; j += totals.size()) total += rows_[row + j];
      }
      totals[i] = static_cast<float>(total);
    }
  }

 private:
  std::vector<std::size_t> starts_, counts_;
  std::size_t width_ = 0;
  std::vector<float> rows_;
};

// The gradients of x, wanted or not, as the kernel makes it anyway, and of the parameters that are wanted.
variable_list backward(const FusedCall& call, const Tensor& grad_y, const std::vector<bool>& wanted) {
  const Kernel& kernel = call.compiled->kernel;
  const ParameterValues values(call);
  PartialSums sums(values, wanted);
  const Tensor grad = lies_like(grad_y, call.x) ? grad_y : torch::empty_like(call.x).copy_(grad_y);
  const Tensor grad_x = torch::empty_like(call.x);
  const std::int64_t chunk = std::max(kChunk, sums.chunk());
  const auto part = [&](std::int64_t begin, std::int64_t end, std::span<float* const> gradients) {
    const std::size_t from = size(begin * chunk), count = std::min(size(end * chunk), size(grad_x.numel())) - from;
    kernel.backward({.x = elements(call.x).subspan(from, count),
                     .grad_y = elements(grad).subspan(from, count),
                     .grad_x = writable(grad_x).subspan(from, count),
                     .parameters = values.views(),
                     .parameter_gradients = gradients,
                     .offset = from});
  };
  sums.resize(at::divup(grad_x.numel(), chunk));
  for_chunks(grad_x.numel(), chunk, [&](std::int64_t begin, std::int64_t end) {
    if (sums.empty()) return part(begin, end, {});
    for (std::int64_t c = begin; c < end; ++c) part(c, c + 1, sums.row(c));
  });

  variable_list gradients = {grad_x};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    gradients.emplace_back();
    if (!wanted[k]) continue;
    const Tensor gradient = values.like(k);
    sums.add_up(k, writable(gradient));
    gradients.back() = gradient.contiguous();
  }
  return gradients;
}

// For second derivatives, which the kernels do not have: as LibTorch's operators, whose gradients have gradients.
variable_list differentiable_gradients(const FusedCall& call, const Tensor& grad_y, const std::vector<bool>& wanted) {
  variable_list inputs = {call.x}, wanted_inputs, gradients;
  inputs.insert(inputs.end(), call.parameters.begin(), call.parameters.end());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (wanted[k]) wanted_inputs.push_back(inputs[k]);
  }
  const Tensor y = run_operators(call.compiled->graph, {call.x, call.parameters, call.channel_axis});
  const variable_list found = torch::autograd::grad({y}, wanted_inputs, {grad_y}, /*retain_graph=*/true,
                                                    /*create_graph=*/true, /*allow_unused=*/true);
  for (std::size_t k = 0, next = 0; k < inputs.size(); ++k) gradients.push_back(wanted[k] ? found[next++] : Tensor());
  return gradients;
}

// Keeps what the kernel recomputes everything from. A Node of its own rather than an autograd::Function, because that
// one's context cannot hold a kernel.
class FusedBackward : public torch::autograd::Node {
 public:
  explicit FusedBackward(const FusedCall& call)
      : compiled_(call.compiled), x_(call.x, false), channel_axis_(call.channel_axis) {
    for (const Tensor& parameter : call.parameters) parameters_.emplace_back(parameter, false);
  }

  std::string name() const override { return "FusedActivationBackward"; }

  variable_list apply(variable_list&& grads) override {
    const FusedCall call = unpack();
    std::vector<bool> wanted;
    for (std::size_t k = 0; k <= call.parameters.size(); ++k) wanted.push_back(task_should_compute_output(k));
    if (!grads[0].defined()) return variable_list(wanted.size());
    if (torch::GradMode::is_enabled()) return differentiable_gradients(call, grads[0], wanted);
    return backward(call, grads[0], {wanted.begin() + 1, wanted.end()});
  }

  void release_variables() override {
    const std::lock_guard lock(mutex_);
    x_.reset_data();
    for (SavedVariable& parameter : parameters_) parameter.reset_data();
  }

 private:
  FusedCall unpack() {
    const std::lock_guard lock(mutex_);
    FusedCall call{.compiled = compiled_, .x = x_.unpack(), .parameters = {}, .channel_axis = channel_axis_};
    for (const SavedVariable& parameter : parameters_) call.parameters.push_back(parameter.unpack());
    return call;
  }

  std::shared_ptr<const CompiledActivation> compiled_;
  SavedVariable x_;
  std::vector<SavedVariable> parameters_;
  std::int64_t channel_axis_;
};

}  // namespace

Tensor apply_fused(FusedCall call) {
  if (!kernel_can_read(call.x, call.compiled->kernel.parameters())) call.x = call.x.contiguous();
  variable_list inputs = {call.x};
  inputs.insert(inputs.end(), call.parameters.begin(), call.parameters.end());
  Tensor y = forward(call);
  if (torch::GradMode::is_enabled() && torch::autograd::any_variable_requires_grad(inputs)) {
    const std::shared_ptr<FusedBackward> node(new FusedBackward(call), torch::autograd::deleteNode);
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    torch::autograd::set_history(y, node);
  }
  return y;
}

}  // namespace actforge
