#pragma once

#include <string>

#include "actforge/net/zoo.h"

namespace actforge {

// A network from what a user wrote: the name of an architecture, or a file in text or JSON form. Throws Error
// (kBadInput) that names the file. A file has its own input and classes, so options that say otherwise are refused.
Network find_network(const std::string& name_or_file, const NetworkOptions& options = {});

}  // namespace actforge
