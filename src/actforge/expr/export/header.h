#pragma once

#include <string>
#include <string_view>

#include "actforge/expr/export/steps.h"

namespace actforge {

// What stands in the head of every exported file: the function, how to read it back, what it costs, how to make it
// faster, who made it. Each line begins with `mark`, which makes a comment of it. In `faster`, which is left out where
// there is only one operator, {name} and {n} stand for the function's name and the number of its operators.
std::string export_header(const Expr& expr, const StepProgram& program, const ExportOptions& options,
                          std::string_view mark, std::string_view faster);

// The operator of the language that has the same values, if the function is written with several: `mish(x)`.
std::string shorter_form(const Expr& expr, const StepProgram& program);

// The same advice for people who look at a function, before they know where they take it.
struct SpeedAdvice {
  std::string cheaper = {};   // shorter_form()
  std::size_t operators = 0;  // that a framework runs one after the other unless it compiles them
};
SpeedAdvice speed_advice(const Expr& expr);

}  // namespace actforge
