#include <memory>

#include "actforge/base/atomic_file.h"
#include "tools/actforge/search/options.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string location, format = "csv", output;
};

// To a file that appears when it is whole, or to standard output piece by piece.
class Sink {
 public:
  explicit Sink(const std::string& path) : file_(path.empty() ? nullptr : std::make_unique<AtomicFile>(path)) {}
  void write(std::string_view text) { file_ != nullptr ? file_->write(text) : write_output(text); }
  void commit() {
    if (file_ != nullptr) file_->commit();
  }

 private:
  std::unique_ptr<AtomicFile> file_;
};

int run(const Options& options) {
  const OpenStudy study = open_study(options.location);
  Sink sink(options.output);
  (options.format == "csv" ? write_trials_csv : write_trials_json)(*study.store, study.settings,
                                                                   [&](std::string_view text) { sink.write(text); });
  sink.commit();
  return 0;
}

}  // namespace

VerbAction add_search_export(CLI::App& verb) {
  const auto options = std::make_shared<Options>();
  verb.add_option("STUDY", options->location, "The study's file, such as study.db")->required();
  verb.add_option("--format", options->format, "csv or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"csv", "json"}));
  verb.add_flag_callback(
      "--json", [options] { options->format = "json"; }, "The same as --format json");
  verb.add_option("-o,--output", options->output, "File to write [standard output]")->type_name("FILE");
  return [options] { return run(*options); };
}

}  // namespace actforge::tool
