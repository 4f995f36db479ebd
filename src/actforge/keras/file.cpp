#include "actforge/keras/file.h"

#include <optional>

#include "actforge/base/error.h"
#include "actforge/base/read_file.h"
#include "actforge/keras/file_body.h"
#include "actforge/keras/network.h"
#include "actforge/net/graph/json_guard.h"

namespace actforge {
namespace {

// A layer of a Keras file has some seventy values; models may stand in models 32 deep, with three brackets each.
constexpr JsonLimits kLimits = {.values = 100 * kMaxLayers, .depth = 128, .keys = 256};

// Stops as soon as both keys of the outermost object are seen, so that no tree is made.
class KeyFinder : public nlohmann::json_sax<KerasJson> {
 public:
  bool found() const { return class_name_ && config_; }

  bool null() override { return go_on(); }
  bool boolean(bool) override { return go_on(); }
  bool number_integer(std::int64_t) override { return go_on(); }
  bool number_unsigned(std::uint64_t) override { return go_on(); }
  bool number_float(double, const std::string&) override { return go_on(); }
  bool string(std::string&) override { return go_on(); }
  bool binary(KerasJson::binary_t&) override { return go_on(); }
  bool start_object(std::size_t) override { return ++depth_, go_on(); }
  bool start_array(std::size_t) override { return depth_++ > 0; }
  bool end_object() override { return --depth_, go_on(); }
  bool end_array() override { return --depth_, go_on(); }
  bool key(std::string& key) override {
    if (depth_ == 1 && key == "class_name") class_name_ = true;
    if (depth_ == 1 && key == "config") config_ = true;
    return !found();
  }
  bool parse_error(std::size_t, const std::string&, const KerasJson::exception&) override { return false; }

 private:
  bool go_on() const { return depth_ > 0; }

  std::size_t depth_ = 0;
  bool class_name_ = false, config_ = false;
};

}  // namespace

KerasFile::KerasFile(std::unique_ptr<Body> body) : body_(std::move(body)) {}
KerasFile::~KerasFile() = default;
KerasFile::KerasFile(KerasFile&&) noexcept = default;
KerasFile& KerasFile::operator=(KerasFile&&) noexcept = default;

KerasFile KerasFile::parse(std::string_view json) {
  auto body = std::make_unique<Body>();
  body->json = parse_guarded_json(json, kLimits);
  body->model = read_keras_model(body->json);
  KerasBuild build(body->model.name);
  body->network = build.finish(add_keras_model(build, body->model));
  body->origins = build.take_origins();
  body->notes = build.take_notes();
  return KerasFile(std::move(body));
}

KerasFile KerasFile::read(const std::string& path) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{4} << 30;
  std::optional<std::string> text = read_file(path, kLargest);
  if (!text) throw Error(ErrorCode::kBadInput, "cannot read " + path);
  try {
    return text->starts_with("PK") ? parse_archive(std::move(*text)) : parse(*text);
  } catch (const Error& error) {
    throw Error(error.code(), path + ": " + error.what());
  }
}

const Network& KerasFile::network() const { return body_->network; }
std::span<const std::string> KerasFile::notes() const { return body_->notes; }

bool is_keras_json(std::string_view json) {
  KeyFinder finder;
  KerasJson::sax_parse(json, &finder);
  return finder.found();
}

}  // namespace actforge
