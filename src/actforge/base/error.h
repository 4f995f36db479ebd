#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace actforge {

// The values are the exit codes of the command line, where a signal that cancelled the work may give 143 instead of
// 130.
enum class ErrorCode { kFailed = 1, kUsage = 2, kBadInput = 3, kStorage = 4, kCancelled = 130 };

// The library's only exception. `position` is the byte offset in the text that was being read, where there is one.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message, std::optional<std::size_t> position = std::nullopt)
      : std::runtime_error(message), code_(code), position_(position) {}

  ErrorCode code() const { return code_; }
  std::optional<std::size_t> position() const { return position_; }

 private:
  ErrorCode code_;
  std::optional<std::size_t> position_;
};

}  // namespace actforge
