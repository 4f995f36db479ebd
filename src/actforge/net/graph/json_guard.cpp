#include "actforge/net/graph/json_guard.h"

#include <set>
#include <string>
#include <vector>

#include "actforge/base/error.h"

namespace actforge {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::kBadInput, why); }

// Scans a file before it becomes a tree: one that would fill the memory is refused, and so is a key that appears
// twice, of which the parser would keep the last. (The parser's own callback takes quadratic time over long arrays.)
class Guard : public nlohmann::json_sax<Json> {
 public:
  explicit Guard(const JsonLimits& limits) : limits_(limits) {}

  bool null() override { return count(); }
  bool boolean(bool) override { return count(); }
  bool number_integer(std::int64_t) override { return count(); }
  bool number_unsigned(std::uint64_t) override { return count(); }
  bool number_float(double, const std::string&) override { return count(); }
  bool string(std::string&) override { return count(); }
  bool binary(Json::binary_t&) override { return count(); }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& key) override {
    if (keys_.back().size() == limits_.keys) {
      refuse("an object has more than " + std::to_string(limits_.keys) + " keys");
    }
    if (!keys_.back().insert(key).second) refuse("the key '" + key + "' appears twice in the same object");
    return true;
  }
  // The parser will say it.
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  bool count() {
    if (++values_ > limits_.values) refuse("it is too large for a network");
    return true;
  }
  bool open() {
    if (keys_.size() == limits_.depth) refuse("it is too deeply nested");
    keys_.emplace_back();
    return count();
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  JsonLimits limits_;
  std::size_t values_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the objects around; of an array none
};

}  // namespace

Json parse_guarded_json(std::string_view text, const JsonLimits& limits) {
  try {
    Guard guard(limits);
    Json::sax_parse(text, &guard);
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 3, ..."
    const std::string_view what = error.what();
    refuse("not valid JSON: " + std::string(what.substr(what.find("] ") + 2)));
  }
}

}  // namespace actforge
