// Any bytes either parse to an expression that prints and reads back to itself, or are refused with a position.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "actforge/base/error.h"
#include "actforge/expr/language/graph.h"
#include "actforge/expr/language/parse.h"
#include "actforge/expr/language/print.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  actforge::Expr expr;
  try {
    expr = actforge::parse(text);
  } catch (const actforge::Error& error) {
    require(error.code() == actforge::ErrorCode::kBadInput);
    require(error.position() && *error.position() <= size);
    require(std::string(error.what()).find("at column") != std::string::npos);
    return 0;
  }
  require(actforge::parse(actforge::to_call(expr)) == expr);
  require(actforge::parse(actforge::to_infix(expr)) == expr);
  try {
    actforge::canonical(expr);
  } catch (const actforge::Error&) {
    return 0;  // it has no canonical form, and says so
  }
  return 0;
}
