#include "tools/actforge/common/function_list.h"

#include "actforge/expr/language/parse.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {

std::vector<Expr> read_function_list(const std::string& text) {
  std::vector<Expr> functions;
  for (const std::string& part : split_functions(text)) functions.push_back(read_expr(part));
  return functions;
}

}  // namespace actforge::tool
