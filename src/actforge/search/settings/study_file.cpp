#include "actforge/search/settings/study_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/read_file.h"
#include "actforge/base/suggest.h"
#include "actforge/recipe/train_options.h"

namespace actforge {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;

[[noreturn]] void refuse(const toml::source_region& where, const std::string& why) {
  throw Error(ErrorCode::kBadInput, "line " + std::to_string(where.begin.line) + ": " + why);
}

// Numbers, words and lists of words, as a command line would have them.
std::string value_text(const toml::node& node, std::string_view key) {
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const auto number = node.value_exact<double>()) return option_text(*number);
  if (const auto flag = node.value_exact<bool>()) return option_text(*flag);
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const toml::array* list = node.as_array()) {
    std::string text;
    for (const toml::node& item : *list) {
      const auto word = item.value_exact<std::string>();
      if (!word) refuse(item.source(), "'" + std::string(key) + "' takes a list of words in quotes");
      text += (text.empty() ? "" : ",") + *word;
    }
    return text;
  }
  refuse(node.source(), "'" + std::string(key) + "' takes a number, a text in quotes, true, false or a list of texts");
}

void read_key(StudySettings& settings, std::string_view section, const toml::key& key, const toml::node& node) {
  try {
    set_study_field(settings, section, key.str(), value_text(node, key.str()));
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with("line ")) throw;
    refuse(key.source(), what);
  }
}

void read_section(StudySettings& settings, std::string_view name, const toml::table& table) {
  // A preset first: what else stands there overrides it.
  for (const bool preset : {true, false}) {
    for (const auto& [key, node] : table) {
      if ((key.str() == "preset") == preset) read_key(settings, name, key, node);
    }
  }
}

void check_section(const toml::key& key, const toml::node& node) {
  std::vector<std::string_view> names;
  for (const StudySection& section : study_sections()) names.push_back(section.name);
  if (std::find(names.begin(), names.end(), key.str()) == names.end()) {
    refuse(key.source(), "there is no section or key '" + std::string(key.str()) + "'" +
                             did_you_mean(key.str(), names) + " (sections: " + name_list(names) + ")");
  }
  if (!node.is_table())
    refuse(key.source(),
           "'" + std::string(key.str()) + "' is a section: write [" + std::string(key.str()) + "] and its keys below");
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04X", static_cast<unsigned char>(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

class Writer {
 public:
  Writer(const StudySettings& settings, bool comments) : settings_(settings), comments_(comments) {}

  std::string write() {
    for (const StudySection& section : study_sections()) {
      text_ += (text_.empty() ? "" : "\n");
      if (comments_) text_ += "# " + std::string(section.summary) + "\n";
      text_ += "[" + std::string(section.name) + "]\n";
      for (const StudyField& field : study_fields()) {
        if (field.section == section.name) add(field.option, settings_);
      }
      if (section.name == "strategy") {
        for (const StrategyField& field : strategy_fields()) add_option(field);
      }
      if (section.name == "evaluate") {
        for (const EvaluatorField& field : evaluator_fields()) add(field, settings_.evaluate);
      }
      if (section.name == "train") add_training();
    }
    return text_;
  }

 private:
  void add(const OptionField<StudySettings>& field, const StudySettings& settings) {
    add_value(kind_of(field), field.name, field_text(settings, field), field.help);
  }

  void add(const OptionRow& row, const OptionTexts& options) {
    add_value(row.kind, row.name, field_text(options, row), row.help);
  }

  // What is left open stands there as a comment.
  void add_option(const StrategyField& field) {
    if (!field.is_open || settings_.options.contains(field.name)) return add(field, settings_.options);
    if (comments_) add_line("# " + std::string(field.name) + " =", field.help);
  }

  void add_value(OptionKind kind, std::string_view name, const std::string& value, std::string_view help) {
    // TOML spells infinity as inf, as option_text does.
    add_line(std::string(name) + " = " + (kind == OptionKind::kText ? in_quotes(value) : value), help);
  }

  void add_training() {
    for (const TrainField& field : train_fields()) {
      const auto given = settings_.train.find(std::string(field.name));
      if (given == settings_.train.end()) continue;
      add_value(kind_of(field), field.name, given->second, field.help);
    }
  }

  void add_line(const std::string& line, std::string_view help) {
    constexpr std::size_t kColumn = 32;
    text_ += line;
    if (comments_)
      text_ += std::string(line.size() < kColumn ? kColumn - line.size() : 2, ' ') + "# " + std::string(help);
    text_ += '\n';
  }

  const StudySettings& settings_;
  bool comments_;
  std::string text_;
};

}  // namespace

StudySettings parse_study(std::string_view text) {
  if (text.size() > kLargestFile) throw Error(ErrorCode::kBadInput, "this is larger than any study file");
  // toml++ goes down one call for every dot of a key and every bracket, and has no limit.
  constexpr std::ptrdiff_t kMost = 5000;
  if (std::ranges::count(text, '.') > kMost || std::ranges::count(text, '[') > kMost) {
    throw Error(ErrorCode::kBadInput, "more than " + std::to_string(kMost) + " dots or brackets");
  }
  StudySettings settings;
  try {
    const toml::table file = toml::parse(text);
    for (const auto& [key, node] : file) check_section(key, node);
    for (const StudySection& section : study_sections()) {
      const toml::node* node = file.get(section.name);
      if (node != nullptr) read_section(settings, section.name, *node->as_table());
    }
  } catch (const toml::parse_error& error) {
    refuse(error.source(), std::string(error.description()));
  }
  return settings;
}

StudySettings read_study_file(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) {
    throw Error(ErrorCode::kBadInput,
                "cannot read the study file '" + path + "'; 'actforge search new -o " + path + "' writes an example");
  }
  try {
    return parse_study(*text);
  } catch (const Error& error) {
    throw Error(error.code(), path + ": " + error.what());
  }
}

std::string study_toml(const StudySettings& settings, bool comments) { return Writer(settings, comments).write(); }

}  // namespace actforge
