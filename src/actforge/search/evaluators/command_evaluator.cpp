// Runs a command of the user's for every function and reads its answer: search with the training code you have.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "actforge/base/bounded_log.h"
#include "actforge/base/error.h"
#include "actforge/base/read_file.h"
#include "actforge/base/subprocess.h"
#include "actforge/search/evaluators/command_answer.h"
#include "actforge/search/evaluators/command_text.h"
#include "actforge/search/evaluators/timeout.h"

namespace actforge {
namespace {

using nlohmann::json;

struct CommandOptions : TimeoutOptions {
  std::string command = "";
  std::string directory = "";
  bool persistent = false;
  std::string scratch = "";
};

using O = CommandOptions;

constexpr OptionField<O> kFields[] = {
    {"command",
     "of evaluator command: prints one line of JSON; {expr}, {expr_pytorch}, {file_pytorch}, {seed} are "
     "replaced",
     &O::command},
    {"directory", "of evaluator command: where it runs; empty: where the study was begun", &O::directory},
    {"persistent",
     "of evaluator command: it is started once per worker, reads a line of JSON for each trial, and answers with one",
     &O::persistent},
    {"scratch", "of evaluator command: a folder for temporary files; empty: the system's", &O::scratch},
};

// The end of what a command wrote to its standard error, in whole lines.
std::string end_of_errors(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  constexpr std::size_t kMost = 2000;
  if (text.size() > kMost) {
    text.erase(0, text.size() - kMost);
    const std::size_t line = text.find('\n');
    text = line == std::string::npos ? "..." + text : "...\n" + text.substr(line + 1);
  }
  if (text.empty()) return {};
  return (text.find('\n') == std::string::npos ? ": " : ":\n") + text;
}

class CommandEvaluator : public Evaluator {
 public:
  CommandEvaluator(const CommandOptions& options, const EvaluatorSetup& setup)
      : options_(options), command_(options.command, setup.hyperparameters), objectives_(setup.objectives) {
    check_folder("directory", options_.directory);
    check_folder("scratch", options_.scratch);
    if (const std::string place = command_.first_place(); options_.persistent && !place.empty()) {
      throw Error(ErrorCode::kUsage, "[evaluate] command: a persistent one is started once, for all functions; take " +
                                         place + " out, and read it from the line that it is given");
    }
  }

  TrialOutcome evaluate(const EvaluationRequest& request) override {
    BoundedLog log(request.log);
    CommandAnswer answer(objectives_, request, options_.persistent);
    SubprocessOptions how = {.directory = options_.directory, .timeout = options_.timeout};
    if (!options_.scratch.empty()) how.environment.emplace_back("TMPDIR", options_.scratch);
    // Into a pipe Python prints only once it has some kilobytes: an answer would never come, and epochs too late.
    if (std::getenv("PYTHONUNBUFFERED") == nullptr) how.environment.emplace_back("PYTHONUNBUFFERED", "1");
    how.run.stop = [&] { return answer.is_given_up() || request.run.stopped(); };
    how.line = [&](std::string_view line) { answer.hear(line); };
    how.output = [&](std::string_view bytes) { log.write(bytes); };
    // It comes back with a good answer alone: what it prints after another might be taken for the next trial's.
    std::unique_ptr<AskedProgram> asked = std::move(program_);
    const SubprocessEnd end = options_.persistent ? ask(asked, request, how, answer, log) : run(request, how, log);
    if (end.kind == SubprocessEnd::Kind::kStopped && !answer.is_given_up()) {
      throw Error(ErrorCode::kCancelled, "stopped");
    }
    if (!answer.is_given_up()) check_end(end);
    TrialOutcome outcome = answer.outcome();
    program_ = std::move(asked);
    return outcome;
  }

 private:
  static void check_folder(const std::string& option, const std::string& folder) {
    if (folder.empty() || std::filesystem::is_directory(folder)) return;
    throw Error(ErrorCode::kUsage, "[evaluate] " + option + ": there is no folder '" + folder + "'");
  }

  SubprocessEnd run(const EvaluationRequest& request, SubprocessOptions& how, BoundedLog& log) const {
    const TemporaryFolder folder(options_.scratch);
    const auto environment = command_environment(request);
    how.environment.insert(how.environment.end(), environment.begin(), environment.end());
    const std::string command = command_.filled(request, folder);
    log.write("$ " + command + "\n");
    return run_shell(command, how);
  }

  // One that has ended meanwhile is started again, so that a command may end after any of its answers: perhaps it was
  // about to when it was asked.
  SubprocessEnd ask(std::unique_ptr<AskedProgram>& program, const EvaluationRequest& request,
                    const SubprocessOptions& how, const CommandAnswer& answer, BoundedLog& log) const {
    log.write("> " + request.expression + "\n");
    const std::string question = command_question(request).dump(-1, ' ', true, json::error_handler_t::replace);
    const bool is_new = program == nullptr || program->has_ended();
    if (is_new) program = std::make_unique<AskedProgram>(command_.text(), how);
    SubprocessEnd end = program->ask(question, how, [&] { return answer.is_complete(); });
    if (end.kind == SubprocessEnd::Kind::kAnswered) return end;
    program.reset();
    const bool was_leaving = !is_new && end.kind == SubprocessEnd::Kind::kExit && end.code == 0 && answer.is_empty();
    return was_leaving ? ask(program, request, how, answer, log) : end;
  }

  void check_end(const SubprocessEnd& end) const {
    const std::string errors = end_of_errors(end.errors);
    switch (end.kind) {
      case SubprocessEnd::Kind::kTimeout:
        throw Error(ErrorCode::kFailed, "the command took longer than " + option_text(options_.timeout) + " s");
      case SubprocessEnd::Kind::kSignal:
        throw Error(ErrorCode::kFailed, "the command was ended by signal " + std::to_string(end.code) + errors);
      default:
        if (end.code != 0) {
          throw Error(ErrorCode::kFailed, "the command ended with code " + std::to_string(end.code) + errors);
        }
        if (options_.persistent && end.kind == SubprocessEnd::Kind::kExit) {
          throw Error(ErrorCode::kFailed, "the command ended without an answer" + errors);
        }
    }
  }

  CommandOptions options_;
  CommandText command_;
  std::vector<Objective> objectives_;
  std::unique_ptr<AskedProgram> program_;  // of a persistent command, once it was asked
};

CommandOptions read_command(const EvaluatorOptions& texts) {
  CommandOptions options = read_options<CommandOptions>(texts, kFields);
  options.timeout = read_options<TimeoutOptions>(texts, kTimeoutFields).timeout;
  return options;
}

// A command without any place for the function may still read it from its environment. Where neither it nor a script
// that it names mentions that, somebody may have forgotten it.
std::string caution(const CommandOptions& options) {
  for (const char* sign : {"{expr", "{file_", "ACTFORGE_"}) {
    if (options.persistent || options.command.find(sign) != std::string::npos) return {};
  }
  std::istringstream words(options.command);
  for (std::string word; words >> word;) {
    const std::optional<std::string> script = read_file(std::filesystem::path(options.directory) / word, 1 << 20);
    if (script && script->find("ACTFORGE_EXPR") != std::string::npos) return {};
  }
  return "the command has no place for the function, such as {expr}: it must read ACTFORGE_EXPR from its environment, "
         "or every function gets the same score";
}

std::unique_ptr<Evaluator> make(const EvaluatorSetup& setup) {
  return std::make_unique<CommandEvaluator>(read_command(setup.options), setup);
}

}  // namespace

EvaluatorRow command_evaluator() {
  return {.name = "command",
          .summary = "run a command",
          .fields = {evaluator_field(kFields[0], {.is_needed = true, .is_identity = true}),
                     evaluator_field(kFields[1], {.may_change = true, .is_folder = true, .is_here = true}),
                     evaluator_field(kFields[2], {.may_change = true}),
                     evaluator_field(kFields[3], {.may_change = true, .is_folder = true}),
                     evaluator_field(kTimeoutFields[0])},
          .make = make,
          .any_measure = true,
          .takes_hyperparameters = true,
          .reports = true,
          .prints = true,
          .nature = [](const EvaluatorOptions& texts) {
            const CommandOptions options = read_command(texts);
            return EvaluatorNature{.varies = true, .stays = options.persistent, .caution = caution(options)};
          }};
}

}  // namespace actforge
