#pragma once

#include <span>
#include <string>
#include <string_view>

#include "actforge/expr/language/expr.h"

namespace actforge {

// A function's shape without its size. With initial weights that keep the signal (AutoInit), a·f begins with weights
// 1/a times those of f and computes the same; but a step of gradient descent on these weights changes the output by a²
// times as much (with Adam, whose steps do not depend on the size of gradients, a times as much). So a search that
// compares functions as they are compares learning rates as well, and the function with the largest rate that does not
// diverge wins. In normal form all functions have the same size, and it is the shape that is compared.
//
// With z standard normal, parameters at their initial values, and a > 0:
//   scale   a·f,        E (a·f(z))² = 1
//   centre  a·(f - b),  E = 0 and E (...)² = 1
//   slope   a·(f - b),  E = 0 and E (a·f'(z))² = 1
// No form has E = 0, E (...)² = 1 and the slope as well: by the Gaussian Poincaré inequality Var f(z) ≤ E f'(z)², with
// equality for straight lines alone.
struct NormalForm {
  std::string_view name;
  std::string_view summary;
  bool centred = false;
  bool by_slope = false;  // the slope has size 1, not the value
};
// "none" is not among them.
std::span<const NormalForm> normal_forms();
// Throws Error (kUsage) with the nearest name.
const NormalForm& find_normal_form(std::string_view name);

// The function in that form, with constants of six digits, so that E (...)² is 1 to that accuracy. One that has the
// form already stays as it is. Throws Error (kBadInput) where a moment is infinite, or zero where it would have to
// be 1.
Expr in_normal_form(const Expr& function, const NormalForm& form);
// The same by name, where "none" leaves functions alone.
Expr in_normal_form(const Expr& function, std::string_view form);

}  // namespace actforge
