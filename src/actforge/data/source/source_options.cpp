#include "actforge/data/source/source_options.h"

#include <algorithm>
#include <vector>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

using S = SourceOptions;

constexpr double kMostSeed = 9.2e18;

const SourceField kFields[] = {
    {{"test", "share of the rows that become the test part where the data have none; 0: no test part", &S::test, 0,
      0.9},
     true},
    {{"validation", "share of the training part that is held out where the data have no validation part",
      &S::validation, 0, 0.9},
     true},
    {{"seed", "of the test part that is drawn", &S::seed, 0, kMostSeed}, true},
    {{"size", "of images: 32, or 24x32 for height and width; needed where they have different sizes", &S::size}},
    {{"fit", "crop: the middle of the image, in the right proportion; stretch: all of it", &S::fit, 0, 0,
      "crop stretch"}},
    {{"color", "auto: grey where all images are; grey, rgb: all of them", &S::color, 0, 0, "auto grey rgb"}},
    {{"layout", "where an image has its channels: nhwc (last) or nchw (first)", &S::layout, 0, 0, "auto nhwc nchw"}},
    {{"label", "of CIFAR-100: fine (100 classes) or coarse (20)", &S::label, 0, 0, "fine coarse"}},
    {{"target", "the column of the class, by name or number (from 1) [target, label, class or y; else the last]",
      &S::target}},
    {{"header", "whether the first row has the names of the columns", &S::header, 0, 0, "auto yes no"}},
    {{"missing", "mean: the mean of the column, or a category of its own; drop: such rows are left out; error",
      &S::missing, 0, 0, "mean drop error"}},
    {{"categorical", "columns of numbers that are names, such as codes; several with +", &S::categorical}},
    {{"ignore", "columns that are left out; several with +", &S::ignore}},
};

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kUsage, why); }

}  // namespace

std::span<const SourceField> source_fields() { return kFields; }

std::string SourceName::text() const {
  std::string text = path, separator = "?";
  for (const auto& [name, value] : options) {
    text += separator + name + "=" + value;
    separator = "&";
  }
  return text;
}

SourceName parse_source_name(std::string_view text) {
  SourceName name;
  const std::size_t mark = std::min(text.find('?'), text.size());
  name.path = std::string(text.substr(0, mark));
  while (name.path.size() > 1 && name.path.ends_with('/')) name.path.pop_back();
  if (name.path.empty()) refuse("'" + std::string(text) + "': there is no path before the options");
  std::string_view rest = text.substr(std::min(mark + 1, text.size()));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view option = rest.substr(0, end);
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      refuse("'" + std::string(text) + "': '" + std::string(option) + "' is not an option such as size=32");
    }
    const std::string key(option.substr(0, equals));
    if (!name.options.emplace(key, option.substr(equals + 1)).second) {
      refuse("'" + std::string(text) + "': the option '" + key + "' is given twice");
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return name;
}

SourceOptions read_source_options(const SourceName& name, std::string_view format,
                                  std::span<const std::string_view> reads) {
  SourceOptions options;
  std::vector<std::string_view> known;
  for (const SourceField& field : kFields) {
    if (field.any_format || std::ranges::find(reads, field.option.name) != reads.end()) {
      known.push_back(field.option.name);
    }
  }
  for (const auto& [key, value] : name.options) {
    if (std::ranges::find(known, std::string_view(key)) == known.end()) {
      refuse("'" + name.path + "' (" + std::string(format) + ") has no option '" + key + "'" +
             nearest_and_list(key, known));
    }
    for (const SourceField& field : kFields) {
      if (field.option.name == key) set_field(options, field.option, value);
    }
  }
  return options;
}

}  // namespace actforge
