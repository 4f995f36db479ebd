#include "actforge/data/source/parts.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"

namespace actforge {
namespace {

std::string in_lower_case(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::optional<long long> whole_number(const std::string& text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<SplitPart> part_of_name(std::string_view name) {
  const std::string text = in_lower_case(name);
  if (text == "train" || text == "training") return SplitPart::kTrain;
  if (text == "val" || text == "valid" || text == "validation") return SplitPart::kValidation;
  if (text == "test") return SplitPart::kTest;
  return std::nullopt;
}

std::map<SplitPart, std::string> find_part_names(const std::vector<std::string>& names) {
  std::map<SplitPart, std::string> found;
  for (const std::string& name : names) {
    const std::optional<SplitPart> part = part_of_name(name);
    if (!part) continue;
    const auto [place, is_new] = found.emplace(*part, name);
    if (!is_new) {
      throw Error(ErrorCode::kBadInput,
                  "'" + place->second + "' and '" + name + "' are both the same part of the data");
    }
  }
  return found.count(SplitPart::kTrain) > 0 ? found : std::map<SplitPart, std::string>();
}

ImageSet& part_of(SourceData& data, SplitPart part) {
  return part == SplitPart::kTrain ? data.train : part == SplitPart::kTest ? data.test : data.validation;
}

void ClassTable::complete() {
  constexpr std::size_t kMost = 100'000;
  if (numbers_.size() > kMost) {
    throw Error(ErrorCode::kBadInput, "there are " + std::to_string(numbers_.size()) + " classes; the limit is 100000");
  }
  for (const auto& [name, number] : numbers_) names_.push_back(name);
  if (std::ranges::all_of(names_, [](const std::string& name) { return whole_number(name).has_value(); })) {
    std::ranges::stable_sort(names_, {}, [](const std::string& name) { return *whole_number(name); });
  }
  for (std::size_t i = 0; i < names_.size(); ++i) numbers_[names_[i]] = static_cast<int>(i);
}

int ClassTable::label(const std::string& name, const std::string& origin) const {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  std::vector<std::string_view> known;  // a number is no misspelt other one
  if (!whole_number(name)) known.assign(names_.begin(), names_.end());
  throw Error(ErrorCode::kBadInput,
              origin + ": the training part has no class '" + name + "'" + did_you_mean(name, known));
}

}  // namespace actforge
