#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "actforge/expr/language/expr.h"

namespace actforge {

struct KernelTable;
struct KernelProgram;

// The values of one parameter and how they lie over the elements: element i takes values[i / inner % count].
//   per layer                       count 1
//   per channel, channels last      count C,  inner 1
//   per channel, channels first     count C,  inner H·W
//   per neuron                      count C·H·W,  inner 1
struct ParameterView {
  const float* values = nullptr;
  std::size_t count = 1;
  std::size_t inner = 1;
};

// An activation function compiled to float32 vector loops. It works block by block, each small enough for the
// first-level cache, so memory is read and written once whatever the number of operators; the backward pass recomputes
// what it needs from x. Immutable: threads may share one and work on different parts.
class Kernel {
 public:
  struct Forward {
    std::span<const float> x;
    std::span<float> y;                              // may be the same memory as x
    std::span<const ParameterView> parameters = {};  // one per parameters(); empty: the initial values
    std::size_t offset = 0;                          // index of x[0], where a thread has a part of a tensor
  };
  struct Backward {
    std::span<const float> x;
    std::span<const float> grad_y;
    std::span<float> grad_x;  // may be the same memory as grad_y
    std::span<const ParameterView> parameters = {};
    std::span<float* const> parameter_gradients = {};  // added to, `count` numbers each; null where not wanted
    std::size_t offset = 0;
  };

  // `target` names an instruction set ("AVX2", "SCALAR", ...); empty picks the best this machine has.
  explicit Kernel(const Expr& expr, std::string_view target = {});
  ~Kernel();
  Kernel(Kernel&&) noexcept;
  Kernel& operator=(Kernel&&) noexcept;

  void forward(const Forward& call) const;
  void backward(const Backward& call) const;

  // The order of the views and gradients: the expression's own parameters, then those of its named functions.
  std::span<const Parameter> parameters() const { return parameters_; }
  std::string_view target() const;

  // Names of the instruction sets that this machine can run, best first.
  static std::vector<std::string_view> targets();

 private:
  std::vector<Parameter> parameters_;
  const KernelTable* table_;
  std::unique_ptr<const KernelProgram> forward_;
  std::unique_ptr<const KernelProgram> backward_;
};

}  // namespace actforge
