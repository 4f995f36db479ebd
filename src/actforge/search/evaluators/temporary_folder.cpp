#include "actforge/search/evaluators/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "actforge/base/error.h"

namespace actforge {

TemporaryFolder::TemporaryFolder(const std::string& where) {
  const std::filesystem::path parent = where.empty() ? std::filesystem::temp_directory_path().string() : where;
  std::string name = (parent / "actforge-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorCode::kStorage, "cannot make a folder for temporary files in '" + parent.string() +
                                         "': " + std::strerror(errno) + "; --scratch takes another place");
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace actforge
