// Any bytes, read as a TOML file and as schemas joined by |, either give a space whose functions can be reached, found
// again and written down, or are refused with the line or the position.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "actforge/base/error.h"
#include "actforge/space/find_space.h"
#include "actforge/space/space_file.h"

namespace {

using actforge::Error;
using actforge::Expr;
using actforge::Integer;
using actforge::Space;

void require(bool holds) {
  if (!holds) std::abort();
}

// A function that fits several schemas is found where it comes first.
void check_function(const Space& space, const Integer& index) {
  const Expr expr = space.at(index);
  const auto found = space.index_of(expr);
  require(found.has_value());
  require(space.schemas().size() == 1 || space.is_graph_space() ? *found == index : *found <= index);
  require(space.at(*found) == expr);
  space.require(expr);
}

void check(const Space& space) {
  const Integer& total = space.total();
  require(total > 0);
  for (const Integer& index : {Integer(0), Integer(total / 2), Integer(total - 1)}) check_function(space, index);
  const Space again = actforge::parse_space(actforge::space_toml(space), "again");
  require(again.name() == space.name());
  require(again.total() == total);
  require(again.at(total - 1) == space.at(total - 1));
}

void try_file(const std::string& text) {
  std::optional<Space> space;
  try {
    space = actforge::parse_space(text, "file");
  } catch (const Error& error) {
    require(error.code() == actforge::ErrorCode::kBadInput);
    require(std::string(error.what()).starts_with("file, line "));
    return;
  }
  check(*space);
}

void try_schemas(const std::string& text) {
  std::optional<Space> space;
  try {
    space = actforge::space_of_schemas(text);
  } catch (const Error& error) {
    require(error.code() == actforge::ErrorCode::kBadInput);
    require(error.position() && *error.position() <= text.size());
    return;
  }
  check(*space);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try_file(text);
  try_schemas(text);
  return 0;
}
