#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actforge/base/hash.h"
#include "actforge/data/dataset.h"
#include "actforge/data/source/source.h"

namespace actforge {

struct PackedHeader;

// A data set that files hold, read once. Its parts are kept in the user's cache, or in memory where that cannot be
// written.
class OpenedData : public Dataset {
 public:
  OpenedData(const SourceName& source, const SourceFormat& format, const SourceFiles& files);
  ~OpenedData();
  OpenedData(const OpenedData&) = delete;
  OpenedData& operator=(const OpenedData&) = delete;

  const std::string& path() const { return path_; }
  std::string_view unit() const { return unit_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // Of the content of all files and of the options: the same wherever they lie.
  const Hash128& identity() const { return identity_; }

 private:
  friend const OpenedData* opened_data(const Dataset& row);
  struct Parts;
  static ImageSet load_part(const Dataset& row, Part part);
  void describe(const PackedHeader& header, std::string_view format, const SourceOptions& options);

  std::string text_, path_, summary_, unit_;
  std::vector<std::string> class_texts_;
  std::vector<std::string_view> class_views_;
  std::vector<Finding> findings_;
  Hash128 identity_;
  std::unique_ptr<Parts> parts_;
};

// What the files of a path hold: a folder or a file, with options (source_options.h). Opened once per process; the
// result stays valid. Throws Error: kBadInput where the files cannot be read, kUsage for wrong options.
const OpenedData& open_data(std::string_view text);

// The same object, where a data set came from files; nullptr for the named ones.
const OpenedData* opened_data(const Dataset& row);

}  // namespace actforge
