#include "actforge/base/version.h"

namespace actforge {

std::string software_version() { return "actforge " ACTFORGE_VERSION; }

}  // namespace actforge
