#include "actforge/search/strategies/starting_functions.h"

#include "actforge/base/error.h"
#include "actforge/expr/language/parse.h"

namespace actforge {

std::vector<Expr> starting_functions(const std::string& list) {
  std::vector<Expr> functions;
  if (list.find_first_not_of(' ') == std::string::npos) return functions;
  for (const std::string& text : split_functions(list)) {
    try {
      functions.push_back(parse(text));
    } catch (const Error& error) {
      throw Error(ErrorCode::kUsage, "--start: '" + text + "': " + error.what());
    }
  }
  return functions;
}

std::string start_caution(std::uint64_t start, std::uint64_t functions) {
  if (functions == 0 || functions > start) return {};
  return "The first " + std::to_string(start) +
         " functions are given (--start, --start-random), and there will be about " + std::to_string(functions) +
         ": no function is predicted. Fewer of them, or more trials, let it search.";
}

}  // namespace actforge
