#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace actforge {

// A file that is written piece by piece and appears only when it is whole: until commit() a reader sees the old one,
// and if anything fails it stays. Links are followed. Throws Error (kStorage).
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();
  // Leaves the file alone and puts what was written so far next to it. Returns that name: the file's with .part
  // appended.
  std::string commit_part();
  // Replaces nothing: the file becomes `path`, or else `path`.2, `path`.3, ..., the first that is free, in the folder
  // of the file that this one was made for. Gives the name.
  std::string commit_new(const std::string& path);

 private:
  void commit_to(const std::string& target);
  void finish();

  struct Temporary;
  std::unique_ptr<Temporary> file_;
  std::string target_;
  std::string buffer_;
};

// Throws Error (kStorage) where such a file could not be written: before long work, not after it.
void check_writable(const std::string& path);

// Puts `bytes` into the file at once, the same way.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace actforge
