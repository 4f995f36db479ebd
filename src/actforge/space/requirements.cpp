#include "actforge/space/requirements.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "actforge/base/error.h"
#include "actforge/base/find_named.h"
#include "actforge/base/option_field.h"
#include "actforge/expr/kernels/kernel.h"
#include "actforge/expr/kernels/kernel_cost.h"
#include "actforge/expr/kernels/simd_kernels.h"
#include "actforge/expr/moments/properties.h"

namespace actforge {
namespace {

constexpr float kRange = 10;

// As a network computes them, but with the same last bits on every machine.
std::vector<float> outputs_at(const Expr& expr, const std::vector<float>& inputs) {
  std::vector<float> outputs(inputs.size());
  Kernel(expr, portable_table().name).forward({.x = inputs, .y = outputs});
  return outputs;
}

// `offset`, in steps: 0 meets 0, the ends and other round numbers, where a function may have a value of its own.
std::vector<float> grid(int steps, float offset) {
  std::vector<float> inputs;
  for (int i = 0; i <= steps; ++i) {
    const float x = kRange * (2 * (static_cast<float>(i) + offset) / static_cast<float>(steps) - 1);
    if (x <= kRange) inputs.push_back(x);
  }
  return inputs;
}

// Single points do not count: x/x, which is undefined or 0 at 0, is a constant to a network. Nor do the last bits.
std::string refuse_constant(const Expr& expr, double /*limit*/) {
  static const std::vector<float> inputs = grid(1000, 0.5F);
  float least = std::numeric_limits<float>::infinity(), most = -least;
  bool has_value = false;
  for (const float y : outputs_at(expr, inputs)) {
    if (std::isnan(y)) continue;
    has_value = true;
    least = std::min(least, y);
    most = std::max(most, y);
  }
  if (!has_value) return "it is nowhere defined";
  constexpr float kNoise = 1e-6F;  // some eight units in the last place
  const float size = std::max(std::fabs(least), std::fabs(most));
  const bool is_constant = least == most || (std::isfinite(size) && most - least <= kNoise * size);
  return is_constant ? "it is constant, " + option_text(static_cast<double>(most)) : std::string();
}

std::string refuse_infinite(const Expr& expr, double /*limit*/) {
  static const std::vector<float> inputs = grid(4000, 0);
  const std::vector<float> outputs = outputs_at(expr, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!std::isfinite(outputs[i])) return "it is not finite at " + option_text(static_cast<double>(inputs[i]));
  }
  // A pole may be between two of these.
  for (const Kink& kink : find_kinks(Reference(expr))) {
    if (kink.kind == "pole") return "it has a pole at " + option_text(kink.x);
  }
  return {};
}

std::string refuse_dear(const Expr& expr, double limit) {
  const double cost = relative_cost(expr);
  if (cost <= limit) return {};
  return "it costs " + option_text(std::round(10 * cost) / 10) + " times as much as ReLU";
}

constexpr RequirementRow kRows[] = {
    {"not-constant", "its values on [-10, 10] are not all the same", false, refuse_constant},
    {"finite", "all its values on [-10, 10] are finite", false, refuse_infinite},
    {"cost", "it takes at most so many times as long as ReLU, by a table", true, refuse_dear},
};

constexpr std::string_view kNone = "none";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

Requirement read_requirement(std::string_view text) {
  constexpr std::string_view kSign = "<=";
  const std::size_t sign = text.find(kSign);
  const RequirementRow& row = find_named(kRows, trimmed(text.substr(0, sign)), "requirement");
  const bool has_limit = sign != std::string_view::npos;
  if (has_limit != row.has_limit) {
    throw Error(ErrorCode::kUsage,
                "'" + std::string(row.name) + "' " + (has_limit ? "takes no limit" : "needs a limit, such as cost<=8"));
  }
  Requirement requirement = {.name = row.name};
  if (has_limit) {
    read_option({.name = "require"}, std::string(trimmed(text.substr(sign + kSign.size()))), requirement.limit);
  }
  return requirement;
}

}  // namespace

std::span<const RequirementRow> requirement_rows() { return kRows; }

Requirements read_requirements(std::string_view text) {
  Requirements found;
  if (trimmed(text) == kNone) return found;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const Requirement requirement = read_requirement(text.substr(at, end - at));
    if (std::ranges::find(found, requirement.name, &Requirement::name) != found.end()) {
      throw Error(ErrorCode::kUsage, "'" + std::string(requirement.name) + "' is required twice");
    }
    found.push_back(requirement);
    at = end + 1;
  }
  std::ranges::sort(found, {}, [](const Requirement& r) {
    return std::ranges::find(kRows, r.name, &RequirementRow::name) - std::begin(kRows);
  });
  return found;
}

std::string requirements_text(const Requirements& requirements) {
  std::string text;
  for (const Requirement& requirement : requirements) {
    const bool has_limit = find_named(kRows, requirement.name, "requirement").has_limit;
    text += (text.empty() ? "" : ",") + std::string(requirement.name) +
            (has_limit ? "<=" + option_text(requirement.limit) : "");
  }
  return text.empty() ? std::string(kNone) : text;
}

// What is looked up comes before what is evaluated.
std::string refusal(const Requirements& requirements, const Expr& expr) {
  for (const bool by_table : {true, false}) {
    for (const Requirement& requirement : requirements) {
      const RequirementRow& row = find_named(kRows, requirement.name, "requirement");
      std::string why = row.has_limit == by_table ? row.refuse(expr, requirement.limit) : std::string();
      if (!why.empty()) return why;
    }
  }
  return {};
}

void throw_all_refused(const Requirements& requirements, const std::string& last) {
  throw Error(ErrorCode::kBadInput, "hardly a function of the space meets '" + requirements_text(requirements) +
                                        "': 1,000 draws in a row were refused, the last because " + last);
}

}  // namespace actforge
