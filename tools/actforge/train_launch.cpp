// Verbs that need LibTorch, as `actforge` has them: each becomes the program with LibTorch, which stands beside it.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "actforge/embed_spectra.h"
#include "actforge/init_measure.h"
#include "actforge/search_options.h"
#include "actforge/verb.h"

namespace actforge::tool {
namespace {

[[noreturn]] void become_torch_program() {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string program = here / "actforge-torch";
  ::execv(program.c_str(), command_line);
  throw Error(
      ErrorCode::kFailed,
      errno == ENOENT
          ? "this command needs LibTorch, and this copy of actforge was built without it: there is no '" + program + "'"
          : "cannot start '" + program + "': " + std::strerror(errno));
}

void add_other_program(CLI::App& app, Run& chosen, const char* name, const char* summary) {
  CLI::App* verb = app.add_subcommand(name, summary);
  verb->set_help_flag();  // the other program's to answer
  verb->set_help_all_flag();
  verb->prefix_command();
  verb->callback([&chosen] { chosen = []() -> int { become_torch_program(); }; });
}

}  // namespace

void add_train(CLI::App& app, Run& chosen) { add_other_program(app, chosen, "train", "Train a network on a data set"); }

void add_fisher(CLI::App& app, Run& chosen) {
  add_other_program(app, chosen, "fisher", "Measure the spectrum of the Fisher information at the beginning");
}

std::unique_ptr<Evaluator> study_evaluator(const StudySettings& settings) {
  if (settings.evaluator == "train") become_torch_program();
  return make_evaluator(settings);
}

std::unique_ptr<FeatureMeter> study_meter(const StudySettings& settings) {
  if (wants_spectra(settings)) become_torch_program();
  return nullptr;
}

std::unique_ptr<SpectrumMeter> make_spectrum_meter(const EmbedOptions& /*options*/, const OpenStudy* /*study*/) {
  become_torch_program();
}

MeasuredSignals measure(const Network& /*network*/, const WeightPlan& /*plan*/, const SignalMoments& /*input*/,
                        const FileValues& /*file*/, const SignalCheckOptions& /*options*/) {
  become_torch_program();
}

std::vector<std::vector<std::vector<float>>> measured_weights(const Network& /*network*/, const WeightPlan& /*plan*/,
                                                              const SignalMoments& /*input*/,
                                                              const FileValues& /*file*/,
                                                              const SignalCheckOptions& /*options*/) {
  become_torch_program();
}

}  // namespace actforge::tool
