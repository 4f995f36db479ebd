#pragma once

#include <span>
#include <string_view>

namespace actforge::tool {

// What the man page says of the program's surroundings; docs/environment.md says it at greater length.
struct EnvironmentRow {
  std::string_view name, meaning;
};
std::span<const EnvironmentRow> environment_variables();
std::span<const EnvironmentRow> command_variables();  // set for the commands of --evaluate
std::span<const EnvironmentRow> exit_codes();

}  // namespace actforge::tool
