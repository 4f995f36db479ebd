#include "tools/actforge/common/libtorch.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "actforge/base/error.h"

namespace actforge::tool {
namespace {

const LibTorch* present = nullptr;

}  // namespace

void set_libtorch(const LibTorch* libtorch) { present = libtorch; }

const LibTorch& libtorch() {
  if (present == nullptr) throw Error(ErrorCode::kFailed, "this program has no LibTorch");
  return *present;
}

void become_torch_program(char** arguments) {
  if (present != nullptr) return;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string program = here / "actforge-torch";
  ::execv(program.c_str(), arguments);
  throw Error(
      ErrorCode::kFailed,
      errno == ENOENT
          ? "this command needs LibTorch, and this copy of actforge was built without it: there is no '" + program + "'"
          : "cannot start '" + program + "': " + std::strerror(errno));
}

}  // namespace actforge::tool
