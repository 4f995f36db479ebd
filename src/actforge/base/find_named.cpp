#include "actforge/base/find_named.h"

#include "actforge/base/suggest.h"

namespace actforge {

void throw_unknown(std::string_view what, std::string_view name, const std::vector<std::string_view>& known,
                   ErrorCode code, std::string_view hint) {
  const bool is_near = !nearest_name(name, known).empty();
  throw Error(code, "unknown " + std::string(what) + " '" + std::string(name) + "'" + nearest_or_list(name, known) +
                        (is_near ? "" : std::string(hint)));
}

}  // namespace actforge
