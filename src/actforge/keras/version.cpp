#include "actforge/keras/version.h"

#include <algorithm>
#include <charconv>

namespace actforge {
namespace {

// Keras 1 and 2 give the shape of an input under this key, Keras 3 never.
bool has_old_input(const KerasJson& json) {
  if (!json.is_structured()) return false;
  if (json.is_object() && json.contains("batch_input_shape")) return true;
  return std::any_of(json.begin(), json.end(), has_old_input);
}

// 3 for "3.15.1"; 0 where no number begins the text.
int major_number(const std::string& version) {
  int number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return number;
}

}  // namespace

bool is_keras3_file(const KerasJson& file) {
  const auto version = file.find("keras_version");  // to_json() of Keras 3 leaves it out
  if (version != file.end() && version->is_string()) return major_number(version->get_ref<const std::string&>()) >= 3;
  // From 2.13 on, Keras 2 has the keys of Keras 3 too: in the layers of to_json(), and in config.json of an archive.
  return (file.contains("module") || file.contains("registered_name")) && !has_old_input(file);
}

}  // namespace actforge
