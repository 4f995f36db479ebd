#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "actforge/base/option_field.h"

namespace actforge {

// How files become a data set. What each field means stands once, in the table of source_options.cpp.
struct SourceOptions {
  double test = 0.2;
  double validation = 0.1;
  std::uint64_t seed = 0;
  std::string size = "";
  std::string fit = "crop";
  std::string color = "auto";
  std::string layout = "auto";
  std::string label = "fine";
  std::string target = "";
  std::string header = "auto";
  std::string missing = "mean";
  std::string categorical = "";
  std::string ignore = "";
};

struct SourceField {
  OptionField<SourceOptions> option;
  bool any_format = false;  // else a format says that it reads it
};
std::span<const SourceField> source_fields();

// "folder?size=32&test=0.1": a path, and options in any order.
struct SourceName {
  std::string path = {};
  std::map<std::string, std::string> options = {};

  std::string text() const;
};
// Throws Error (kUsage) for text that cannot be such a name.
SourceName parse_source_name(std::string_view text);

// Throws Error (kUsage) for options that do not exist, that a format does not read, or whose value cannot be.
// `format` is its name, `reads` the names of what it reads.
SourceOptions read_source_options(const SourceName& name, std::string_view format,
                                  std::span<const std::string_view> reads);

}  // namespace actforge
