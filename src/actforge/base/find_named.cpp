#include "actforge/base/find_named.h"

#include "actforge/base/suggest.h"

namespace actforge {

void throw_unknown(std::string_view what, std::string_view name, const std::vector<std::string_view>& known,
                   ErrorCode code, std::string_view hint) {
  const std::string near = did_you_mean(name, known);
  throw Error(code, "unknown " + std::string(what) + " '" + std::string(name) + "'" +
                        (near.empty() ? "; there are: " + name_list(known) + std::string(hint) : near));
}

}  // namespace actforge
