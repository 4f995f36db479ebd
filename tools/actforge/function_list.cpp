#include "actforge/function_list.h"

#include "actforge/verb.h"

namespace actforge::tool {

std::vector<Expr> read_function_list(const std::string& text) {
  std::vector<Expr> functions;
  std::string part;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < text.size())) {
      part += c;
      continue;
    }
    functions.push_back(read_expr(part));
    part.clear();
  }
  return functions;
}

}  // namespace actforge::tool
