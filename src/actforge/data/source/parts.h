#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actforge/data/source/source.h"

namespace actforge {

// The parts that data come in.
enum class SplitPart { kTrain, kValidation, kTest };

// "train", "val", "valid", "validation", "test", in any case; nothing for other names.
std::optional<SplitPart> part_of_name(std::string_view name);
// Which of the names are parts, where one of them is the training part; empty where none is. Throws Error (kBadInput)
// where two names are of the same part.
std::map<SplitPart, std::string> find_part_names(const std::vector<std::string>& names);

ImageSet& part_of(SourceData& data, SplitPart part);

// Names of classes, and their numbers: those of the training part, in the order of their numbers where all are whole
// numbers, else of their bytes.
class ClassTable {
 public:
  void add(const std::string& name) { numbers_.emplace(name, 0); }
  // After the last add().
  void complete();

  int count() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return numbers_.count(name) > 0; }
  // Throws Error (kBadInput) with "`origin`: why" for a class that the training part does not have.
  int label(const std::string& name, const std::string& origin) const;

 private:
  std::map<std::string, int> numbers_;
  std::vector<std::string> names_;
};

}  // namespace actforge
