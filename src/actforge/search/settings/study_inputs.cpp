#include "actforge/search/settings/study_inputs.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/hash.h"
#include "actforge/base/read_file.h"
#include "actforge/data/source/opened_data.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/space/builtin_spaces.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEvent = "file";
constexpr const char* kClasses = "classes";

// A list of names, each changed where it may be that of a file.
std::string changed_list(const std::string& list, bool (*is_name)(const std::string&),
                         const std::function<std::string(const std::string&)>& change) {
  std::string result;
  for (const std::string& name : split_list(list)) {
    result += (result.empty() ? "" : ",") + (is_name(name) ? name : change(name));
  }
  return result;
}

// Calls change(name) for each name in the settings that may be that of data, and puts what it gives in its place.
void each_data(StudySettings& settings, const std::function<std::string(const std::string&)>& change) {
  if (!find_evaluator(settings.evaluator).trains) return;
  settings.data = changed_list(
      settings.data, [](const std::string& name) { return is_dataset_name(name); }, change);
}

// The same for names of other files.
void each_name(StudySettings& settings, const std::function<std::string(const std::string&)>& change) {
  if (!find_builtin_space(settings.space)) settings.space = change(settings.space);
  for (const EvaluatorField& field : evaluator_fields()) {
    const std::string name = field_text(settings.evaluate, field);
    if (field.traits.is_file && !name.empty()) set_field(settings.evaluate, field, change(name));
  }
  if (!find_evaluator(settings.evaluator).trains) return;
  settings.net = changed_list(
      settings.net, [](const std::string& name) { return find_architecture(name).has_value(); }, change);
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

// The same of data. They are opened, which decodes them where nobody has yet.
std::string data_hash(const std::string& name) {
  const OpenedData* opened = opened_data(find_dataset(name));
  return opened != nullptr ? opened->identity().hex() : "";
}

// Where a name is relative, from this folder on, and there is such a file or folder; else as it is.
std::string absolute_path(const std::string& name, const std::string& folder, bool folders_too) {
  std::error_code ignored;
  const fs::path there = fs::absolute(fs::path(folder) / name, ignored).lexically_normal();
  const bool exists = folders_too ? fs::exists(there, ignored) : fs::is_regular_file(there, ignored);
  return exists ? there.string() : name;
}

// "hash path" of each file, and of each folder of data.
std::vector<std::string> described(const StudySettings& settings) {
  std::vector<std::string> texts;
  StudySettings copy = settings;
  each_name(copy, [&](const std::string& name) {
    const std::string hash = file_hash(name);
    if (!hash.empty()) texts.push_back(hash + " " + name);
    return name;
  });
  each_data(copy, [&](const std::string& name) {
    texts.push_back(data_hash(name) + " " + name);
    return name;
  });
  return texts;
}

bool is_noted(const std::vector<StudyEvent>& events, const std::string& text) {
  return std::any_of(events.begin(), events.end(),
                     [&](const StudyEvent& event) { return event.kind == kEvent && event.text == text; });
}

// 0 where the events do not say it.
int noted_classes(const std::vector<StudyEvent>& events, const std::string& name) {
  for (const StudyEvent& event : events) {
    if (event.kind == kClasses && event.text.substr(event.text.find(' ') + 1) == name) return std::stoi(event.text);
  }
  return 0;
}

}  // namespace

std::string absolute_data(const std::string& name, const std::string& folder) {
  if (is_dataset_name(name)) return name;
  SourceName parsed = parse_source_name(name);
  parsed.path = absolute_path(parsed.path, folder, true);
  return parsed.text();
}

void make_paths_absolute(StudySettings& settings, const std::string& folder) {
  each_name(settings, [&](const std::string& name) { return absolute_path(name, folder, false); });
  each_data(settings, [&](const std::string& name) { return absolute_data(name, folder); });
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
  names.clear();
  each_data(copy, [&](const std::string& name) {
    names.push_back(name);
    return name;
  });
  each_data(result, [&](const std::string& old) {
    for (const std::string& name : names) {
      if (name == old || is_noted(events, data_hash(name) + " " + old)) return name;
    }
    return old;
  });
  return result;
}

void note_inputs(Store& store, const StudySettings& settings) {
  const std::vector<StudyEvent> events = store.events();
  for (const std::string& text : described(settings)) {
    if (!is_noted(events, text)) store.add_event(kEvent, text);
  }
  StudySettings copy = settings;
  each_data(copy, [&](const std::string& name) {
    if (noted_classes(events, name) == 0) {
      store.add_event(kClasses, std::to_string(find_dataset(name).classes()) + " " + name);
    }
    return name;
  });
}

int data_classes(Store& store, const std::string& name) {
  if (!is_dataset_name(name)) {
    if (const int classes = noted_classes(store.events(), name); classes > 0) return classes;
  }
  return find_dataset(name).classes();
}

void check_inputs(Store& store, const StudySettings& settings) {
  const std::vector<StudyEvent> events = store.events();
  for (const std::string& now : described(settings)) {
    const std::string path = now.substr(now.find(' '));
    for (const StudyEvent& event : events) {
      if (event.kind != kEvent || event.text == now || !event.text.ends_with(path)) continue;
      if (event.text.size() != now.size()) continue;  // another path that ends alike
      throw Error(ErrorCode::kBadInput, "the data or the file" + path +
                                            " has changed since the study began; put it back, or begin a new study");
    }
  }
}

}  // namespace actforge
