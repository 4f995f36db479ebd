#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "actforge/base/atomic_file.h"
#include "actforge/study/study_page_of.h"
#include "tools/actforge/common/messages.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

struct Options {
  std::string location, output, pictures;
  bool json = false;
};

// Each picture of the page as a file; their names.
std::vector<std::string> write_pictures(const StudyPage& page, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(ErrorCode::kStorage, "cannot create the folder '" + folder + "': " + error.message());
  std::vector<std::string> names;
  for (const auto& [name, svg] : study_pictures(page)) {
    names.push_back((std::filesystem::path(folder) / (name + ".svg")).string());
    write_file(names.back(), svg);
  }
  return names;
}

int run(const Options& options) {
  if (options.output.empty() && options.pictures.empty()) {
    throw Error(ErrorCode::kUsage, "nothing to write: give -o FILE.html, --svg DIR, or both");
  }
  const OpenStudy study = open_study(options.location);
  const StudyPage page = study_page_of(study, options.location);
  std::vector<std::string> files;
  if (!options.pictures.empty()) files = write_pictures(page, options.pictures);
  if (!options.output.empty()) {
    write_file(options.output, study_html(page));
    files.insert(files.begin(), options.output);
  }
  if (options.json) {
    print_json({{"files", files}, {"trials", page.trials.size()}, {"verdict", page.verdict}, {"notes", page.notes}});
  } else {
    for (const std::string& file : files) note("wrote {}", file);
  }
  return 0;
}

}  // namespace

void add_report(CLI::App& app, VerbAction& chosen) {
  CLI::App* verb = app.add_subcommand("report", "Write a page about a study: plots, tables, functions as code");
  const auto options = std::make_shared<Options>();
  verb->add_option("STUDY", options->location, "The study's file, such as study.db")->required();
  verb->add_option("-o,--output", options->output, "The page, a single self-contained file")->type_name("FILE.html");
  verb->add_option("--svg", options->pictures, "A folder for its pictures, one file each")->type_name("DIR");
  verb->add_flag("--json", options->json, "List the written files in JSON");
  verb->footer("Example:\n  actforge report study.db -o report.html --svg pictures");
  verb->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace actforge::tool
