#pragma once

#include <string>
#include <string_view>

#include "actforge/expr/export/steps.h"

namespace actforge {

// What the Python targets have in common.
struct PythonDialect {
  std::string_view Spelling::*spelling;
  std::string_view arrays;       // the module of where, full_like, zeros_like
  std::string_view result = {};  // a function of the result and x that the result goes through
};

std::string python_number(double value);

// One statement per step and the return, indented. x and the parameters are local variables of their names.
std::string python_body(const StepProgram& program, const PythonDialect& dialect, int indent);

// How the docstring of a class begins: the function, and its parameters; an empty line is last.
std::string python_docstring(const Expr& expr, const StepProgram& program);
bool has_scope(const StepProgram& program, Scope scope);

// For the signature of what makes the parameters: `channels=None, neuron_shape=None`, or those of the two it needs.
std::string python_shape_arguments(const StepProgram& program, std::string_view channels);

}  // namespace actforge
