#include "actforge/search/settings/study_inputs.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/hash.h"
#include "actforge/base/read_file.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/space/builtin_spaces.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEvent = "file";

// Calls change(name) for each name in the settings that may be a file's, and puts what it gives in its place.
void each_name(StudySettings& settings, const std::function<std::string(const std::string&)>& change) {
  if (!find_builtin_space(settings.space)) settings.space = change(settings.space);
  for (const EvaluatorField& field : evaluator_fields()) {
    const std::string name = field_text(settings.evaluate, field);
    if (field.traits.is_file && !name.empty()) set_field(settings.evaluate, field, change(name));
  }
  if (!find_evaluator(settings.evaluator).trains) return;
  std::string nets;
  for (const std::string& net : split_list(settings.net)) {
    nets += (nets.empty() ? "" : ",") + (find_architecture(net) ? net : change(net));
  }
  settings.net = nets;
}

// The same for names of folders.
void each_folder(StudySettings& settings, const std::function<std::string(const std::string&)>& change) {
  for (const EvaluatorField& field : evaluator_fields()) {
    if (field.traits.is_folder) set_field(settings.evaluate, field, change(field_text(settings.evaluate, field)));
  }
}

// Empty where there is none.
std::string file_hash(const std::string& name) {
  const std::optional<std::string> bytes = read_file(name);
  return bytes ? Hasher().add(*bytes).finish().hex() : "";
}

// "hash path" of each file.
std::vector<std::string> described(const StudySettings& settings) {
  std::vector<std::string> texts;
  StudySettings copy = settings;
  each_name(copy, [&](const std::string& name) {
    const std::string hash = file_hash(name);
    if (!hash.empty()) texts.push_back(hash + " " + name);
    return name;
  });
  return texts;
}

bool is_noted(const std::vector<StudyEvent>& events, const std::string& text) {
  return std::any_of(events.begin(), events.end(),
                     [&](const StudyEvent& event) { return event.kind == kEvent && event.text == text; });
}

}  // namespace

void make_paths_absolute(StudySettings& settings, const std::string& folder) {
  each_name(settings, [&](const std::string& name) {
    std::error_code ignored;
    const fs::path there = fs::absolute(fs::path(folder) / name, ignored).lexically_normal();
    return fs::is_regular_file(there, ignored) ? there.string() : name;
  });
  each_folder(settings, [&](const std::string& name) {
    std::error_code ignored;
    const fs::path there = fs::absolute(fs::path(folder) / name, ignored).lexically_normal();
    return !name.empty() && fs::is_directory(there, ignored) ? there.string() : name;
  });
}

void fill_in_folders(StudySettings& settings, const StudySettings* stored, const std::string& here) {
  for (const EvaluatorField& field : find_evaluator(settings.evaluator).fields) {
    if (!field.traits.is_here || !field_text(settings.evaluate, field).empty()) continue;
    set_field(settings.evaluate, field, stored != nullptr ? field_text(stored->evaluate, field) : here);
  }
}

StudySettings with_moved_files(Store& store, const StudySettings& stored, const StudySettings& wanted) {
  const std::vector<StudyEvent> events = store.events();
  std::vector<std::string> names;
  StudySettings copy = wanted, result = stored;
  each_name(copy, [&](const std::string& name) {
    names.push_back(name);
    return name;
  });
  each_name(result, [&](const std::string& old) {
    for (const std::string& name : names) {
      const std::string hash = file_hash(name);
      if (!hash.empty() && is_noted(events, hash + " " + old)) return name;
    }
    return old;
  });
  return result;
}

void note_inputs(Store& store, const StudySettings& settings) {
  for (const std::string& text : described(settings)) store.add_event(kEvent, text);
}

void check_inputs(Store& store, const StudySettings& settings) {
  const std::vector<StudyEvent> events = store.events();
  for (const std::string& now : described(settings)) {
    const std::string path = now.substr(now.find(' '));
    for (const StudyEvent& event : events) {
      if (event.kind != kEvent || event.text == now || !event.text.ends_with(path)) continue;
      if (event.text.size() != now.size()) continue;  // another path that ends alike
      throw Error(ErrorCode::kBadInput,
                  "the file" + path + " has changed since the study began; put it back, or begin a new study");
    }
  }
}

}  // namespace actforge
