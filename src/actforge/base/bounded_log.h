#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace actforge {

// A file that keeps the beginning and the end of what is written to it. Between the two stands how much was left out.
class BoundedLog {
 public:
  static constexpr std::size_t kHead = 32 << 10, kTail = 32 << 10;  // bytes

  // Replaces the file; makes its folder. An empty path: nothing is kept. Throws Error (kStorage) where it cannot be
  // written; what fails later is lost, as a log is not worth more than that.
  explicit BoundedLog(const std::string& path);
  ~BoundedLog();  // writes the end
  BoundedLog(const BoundedLog&) = delete;
  BoundedLog& operator=(const BoundedLog&) = delete;

  void write(std::string_view bytes);

 private:
  std::ofstream file_;
  std::size_t head_ = 0;  // bytes in the file
  std::string tail_;
  std::uint64_t left_out_ = 0;
};

}  // namespace actforge
