#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actforge/base/atomic_file.h"
#include "tools/actforge/space/options.h"

namespace actforge::tool {

struct FunctionRow {
  Integer index;
  std::string expression;
  // Of a class of equal functions:
  std::optional<std::string> fingerprint = std::nullopt;
  std::vector<FunctionRow> equivalents = {};
};

// Writes functions one by one: as text to standard output, or to a .csv or .jsonl file.
class FunctionWriter {
 public:
  // Without a file, to standard output. Throws Error for a file of another kind.
  FunctionWriter(const std::optional<std::string>& output, bool classes);

  void write(const FunctionRow& row);
  void finish();
  // Keeps what was written so far next to the file; returns the name, or nothing for standard output.
  std::string finish_part();

 private:
  enum class Format { kText, kCsv, kJsonLines };
  void put(const std::string& text);

  Format format_ = Format::kText;
  bool classes_;
  std::unique_ptr<AtomicFile> file_;
};

nlohmann::json to_json(const FunctionRow& row);

}  // namespace actforge::tool
