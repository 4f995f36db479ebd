#include "actforge/expr/kernels/kernel.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/expr/kernels/kernel_program.h"
#include "actforge/expr/kernels/simd_kernels.h"

namespace actforge {
namespace {

// Scratch blocks together stay within this, so that they and the caller's three fit a first-level cache of 32 kB.
constexpr std::size_t kScratchBytes = 24 * 1024;
constexpr std::size_t kSmallestBlock = 64;
constexpr std::size_t kLargestBlock = 2048;
constexpr std::size_t kLoneBlock = 8192;  // a single operator needs no scratch

std::size_t block_length(std::uint32_t scratch_count) {
  if (scratch_count == 0) return kLoneBlock;
  const std::size_t fitting = kScratchBytes / (sizeof(float) * std::max(1u, scratch_count));
  return std::clamp(fitting / kSmallestBlock * kSmallestBlock, kSmallestBlock, kLargestBlock);
}

const KernelTable& find_table(std::string_view target) {
  if (target.empty()) return kernel_tables().front();
  for (const KernelTable& table : kernel_tables()) {
    if (table.name == target) return table;
  }
  const auto names = Kernel::targets();
  std::string known;
  for (const std::string_view name : names) known += " " + std::string(name);
  throw Error(ErrorCode::kBadInput,
              "this machine has no instruction set '" + std::string(target) + "'; it has" + known);
}

// Runs a program over all elements, block by block.
class KernelPass {
 public:
  KernelPass(const KernelTable& table, const KernelProgram& program, std::span<const Parameter> parameters,
             std::span<const ParameterView> views)
      : table_(table),
        program_(program),
        products_(program.guarded ? table.guarded : table.plain),
        block_(block_length(program.scratch_count)),
        scratch_(hwy::AllocateAligned<float>((program.scratch_count + 3) * block_)) {
    if (!views.empty() && views.size() != parameters.size()) {
      throw Error(ErrorCode::kBadInput, "the function has " + std::to_string(parameters.size()) +
                                            " parameters, values were given for " + std::to_string(views.size()));
    }
    for (const Parameter& parameter : parameters) initial_.push_back(static_cast<float>(parameter.initial));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      views_.push_back(views.empty() ? ParameterView{.values = &initial_[i]} : views[i]);
      if (views_[i].values == nullptr || views_[i].count == 0 || views_[i].inner == 0) {
        throw Error(ErrorCode::kBadInput, "parameter '" + parameter_name(parameters[i].index) + "' has no values");
      }
    }
    for (const auto& constant : program.constants) table.fill(constant.value, scratch(constant.target), block_);
    for (const auto& use : program.parameters) {
      uniform_ = uniform_ && views_[use.slot].count == 1;
      if (views_[use.slot].count == 1) table.fill(views_[use.slot].values[0], scratch(use.target), block_);
    }
  }

  void set_gradients(std::span<float* const> gradients) {
    if (!gradients.empty() && gradients.size() != views_.size()) {
      throw Error(ErrorCode::kBadInput, "one gradient per parameter is needed");
    }
    gradients_ = gradients;
    totals_.assign(gradients.size(), 0.0);
  }

  void run(const float* x, const float* grad_y, float* result, std::size_t n, std::size_t offset) {
    const std::size_t whole = n / table_.lanes * table_.lanes;
    for (std::size_t i = 0; i < whole; i += block_) {
      run_block(x + i, grad_y == nullptr ? nullptr : grad_y + i, result + i, std::min(block_, whole - i), offset + i);
    }
    if (whole < n)
      run_rest(x + whole, grad_y == nullptr ? nullptr : grad_y + whole, result + whole, n - whole, offset + whole);
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      if (gradients_[i] != nullptr && views_[i].count == 1) gradients_[i][0] += static_cast<float>(totals_[i]);
    }
  }

 private:
  float* scratch(Register r) { return scratch_.get() + (r - kFirstScratch) * block_; }
  // Three more blocks, for the rest of a tensor and for a gradient that is written over itself.
  float* spare(std::size_t i) { return scratch_.get() + (program_.scratch_count + i) * block_; }

  // Less than one vector is left: through padded copies.
  void run_rest(const float* x, const float* grad_y, float* result, std::size_t n, std::size_t offset) {
    const std::size_t lanes = table_.lanes;
    std::fill_n(spare(0), lanes, 0.0f);
    std::fill_n(spare(1), lanes, 0.0f);
    std::copy_n(x, n, spare(0));
    if (grad_y != nullptr) std::copy_n(grad_y, n, spare(1));
    valid_ = n;
    run_block(spare(0), spare(1), spare(2), lanes, offset);
    std::copy_n(spare(2), n, result);
  }

  void run_block(const float* x, const float* grad_y, float* result, std::size_t n, std::size_t offset) {
    if (grad_y != nullptr && grad_y == result) {
      std::copy_n(grad_y, n, spare(1));
      grad_y = spare(1);
    }
    if (valid_ == 0 || valid_ > n) valid_ = n;
    for (const auto& use : program_.parameters) {
      if (views_[use.slot].count > 1) spread(views_[use.slot], scratch(use.target), offset, n);
    }
    inputs_[0] = x;
    inputs_[2] = grad_y;
    inputs_[1] = result_ = result;
    if (!uniform_done_) {
      for (const KernelStep& step : program_.uniform_steps) run_step(step, uniform_ ? block_ : n, offset);
      uniform_done_ = uniform_;
    }
    for (const KernelStep& step : program_.steps) run_step(step, n, offset);
    valid_ = 0;
  }

  const float* input(Register r) { return r < kFirstScratch ? inputs_[r] : r == kNoRegister ? nullptr : scratch(r); }
  float* output(Register r) { return r == kNoRegister ? nullptr : r == kRegisterResult ? result_ : scratch(r); }

  void run_step(const KernelStep& step, std::size_t n, std::size_t offset) {
    const auto op = static_cast<std::size_t>(step.op);
    const float* a = input(step.a);
    const float* b = input(step.b);
    const float* g = input(step.g);
    float* y = output(step.y);
    switch (step.action) {
      case Action::kValue: b == nullptr ? table_.value[op](a, y, n) : table_.value2[op](a, b, y, n); break;
      case Action::kBoth: table_.both[op](a, y, output(step.slope), n); break;
      case Action::kPull: products_.pull[op](a, g, y, step.add, n); break;
      case Action::kPull2: products_.pull2[op](a, b, g, {y, step.add}, {output(step.y2), step.add2}, n); break;
      case Action::kPull2Constant:
        products_.pull2_constant[op](a, b, g, {y, step.add}, {output(step.y2), step.add2}, n);
        break;
      case Action::kProduct: products_.product(a, g, y, step.add, n); break;
      case Action::kCopy: table_.copy(a, y, n); break;
      case Action::kAdd: table_.add(a, y, n); break;
      case Action::kNegate: table_.negate(a, y, n); break;
      case Action::kSubtract: table_.subtract(a, y, n); break;
      case Action::kParameterGradient:
        if (step.slot < gradients_.size() && gradients_[step.slot] != nullptr) {
          if (views_[step.slot].count == 1) {
            totals_[step.slot] += products_.dot(a, g, valid_);
          } else {
            products_.product(a, g, y, false, n);
            gather(step.slot, y, offset, valid_);
          }
        }
        break;
    }
  }

  // Calls piece(parameter index, first element, length) for the stretches of a block that share one value (inner > 1)
  // or take consecutive values (inner == 1).
  template <class Piece>
  static void for_pieces(const ParameterView& view, std::size_t offset, std::size_t n, Piece piece) {
    for (std::size_t done = 0; done < n;) {
      const std::size_t position = offset + done;
      const std::size_t index = position / view.inner % view.count;
      const std::size_t left = view.inner == 1 ? view.count - index : view.inner - position % view.inner;
      const std::size_t length = std::min(left, n - done);
      piece(index, done, length);
      done += length;
    }
  }

  static void spread(const ParameterView& view, float* target, std::size_t offset, std::size_t n) {
    for_pieces(view, offset, n, [&](std::size_t index, std::size_t first, std::size_t length) {
      if (view.inner == 1) {
        std::copy_n(view.values + index, length, target + first);
      } else {
        std::fill_n(target + first, length, view.values[index]);
      }
    });
  }

  void gather(std::uint32_t slot, const float* products, std::size_t offset, std::size_t n) {
    const ParameterView& view = views_[slot];
    float* gradient = gradients_[slot];
    for_pieces(view, offset, n, [&](std::size_t index, std::size_t first, std::size_t length) {
      if (view.inner == 1) {
        for (std::size_t i = 0; i < length; ++i) gradient[index + i] += products[first + i];
      } else {
        gradient[index] += static_cast<float>(table_.sum(products + first, length));
      }
    });
  }

  const KernelTable& table_;
  const KernelProgram& program_;
  const KernelTable::Products& products_;
  std::size_t block_;
  hwy::AlignedFreeUniquePtr<float[]> scratch_;
  std::vector<float> initial_;
  std::vector<ParameterView> views_;
  std::span<float* const> gradients_;
  std::vector<double> totals_;
  const float* inputs_[3] = {};
  float* result_ = nullptr;
  bool uniform_ = true;        // all parameters in use are per layer
  bool uniform_done_ = false;  // values that depend on them alone are in place
  std::size_t valid_ = 0;      // elements of the block that are real, not padding; 0: all
};

void check_length(std::size_t wanted, std::size_t given, const char* what) {
  if (wanted != given) {
    throw Error(ErrorCode::kBadInput,
                std::string(what) + " has " + std::to_string(given) + " elements, x has " + std::to_string(wanted));
  }
}

}  // namespace

Kernel::Kernel(const Expr& expr, std::string_view target) : table_(&find_table(target)) {
  const Graph graph = canonical(expr);
  parameters_.assign(graph.parameters().begin(), graph.parameters().end());
  forward_ = std::make_unique<const KernelProgram>(compile_forward(graph));
  backward_ = std::make_unique<const KernelProgram>(compile_backward(graph, table_->cheap_slope));
}

Kernel::~Kernel() = default;
Kernel::Kernel(Kernel&&) noexcept = default;
Kernel& Kernel::operator=(Kernel&&) noexcept = default;

void Kernel::forward(const Forward& call) const {
  check_length(call.x.size(), call.y.size(), "y");
  KernelPass(*table_, *forward_, parameters_, call.parameters)
      .run(call.x.data(), nullptr, call.y.data(), call.x.size(), call.offset);
}

void Kernel::backward(const Backward& call) const {
  check_length(call.x.size(), call.grad_y.size(), "grad_y");
  check_length(call.x.size(), call.grad_x.size(), "grad_x");
  KernelPass run(*table_, *backward_, parameters_, call.parameters);
  run.set_gradients(call.parameter_gradients);
  run.run(call.x.data(), call.grad_y.data(), call.grad_x.data(), call.x.size(), call.offset);
}

std::string_view Kernel::target() const { return table_->name; }

std::vector<std::string_view> Kernel::targets() {
  std::vector<std::string_view> names;
  for (const KernelTable& table : kernel_tables()) names.push_back(table.name);
  return names;
}

}  // namespace actforge
