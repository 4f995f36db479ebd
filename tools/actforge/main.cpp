#include "tools/actforge/main.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <system_error>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/base/version.h"
#include "actforge/report/svg/text.h"
#include "tools/actforge/common/interrupt.h"
#include "tools/actforge/common/verb.h"

namespace actforge::tool {
namespace {

// An expression or a number may begin with a minus sign, which would make it look like an option: a blank in front
// helps, which common/cli.cpp takes away again.
std::vector<std::string> read_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {  // CLI11 takes them in reverse
    std::string argument = argv[i];
    // The only short options are -h and -o (and no other operator begins like one(x)).
    const bool is_option = argument == "-h" || argument.starts_with("--") ||
                           (argument.starts_with("-o") && !argument.starts_with("-one("));
    const bool is_expression = argument.size() > 1 && argument[0] == '-' && !is_option;
    arguments.push_back(is_expression ? " " + argument : argument);
  }
  return arguments;
}

// The word that should have been a command, with the nearest one: "unknown command 'fn polt'; did you mean 'plot'?"
std::string unknown_command(const ::CLI::App& app, int argc, char** argv) {
  const ::CLI::App* level = &app;
  std::string path;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    std::vector<std::string> names;
    for (const ::CLI::App* sub : level->get_subcommands(nullptr)) names.push_back(sub->get_name());
    if (names.empty()) return {};
    const std::vector<std::string_view> known(names.begin(), names.end());
    if (std::find(names.begin(), names.end(), argv[i]) == names.end()) {
      return fmt::format("unknown command '{}{}'{}", path, argv[i], nearest_and_list(argv[i], known));
    }
    path += argv[i] + std::string(" ");
    level = level->get_subcommand(argv[i]);
  }
  return {};
}

int run(int argc, char** argv) {
  ::CLI::App app(
      "actforge finds a better activation function and the right initial weights for a neural network.\n\n"
      "Start here:\n"
      "  actforge fn list                                       the operators and named functions of the language\n"
      "  actforge fn plot 'swish(x)' 'x*sigmoid(1.5*x)'         draw functions in the terminal\n"
      "  actforge fn show 'log_sigmoid(alpha*x)*arcsinh(x)'     what is known of a function\n"
      "  actforge fn export 'max(swish(x),0)' --to pytorch      take it to your framework\n"
      "  actforge space list                                    the sets of functions that searches explore\n"
      "  actforge space mutate 'swish(x)' --space pangaea       one step of evolution, explained with --explain\n"
      "  actforge net show allcnn-c                             a network's layers, shapes and weights\n"
      "  actforge init allcnn-c --check                         initial weights that keep the signal; takes ONNX "
      "files\n"
      "  actforge data list                                     what networks can be trained on\n"
      "  actforge data show digits -o digits.png                a data set, its split, a sheet of its images\n"
      "  actforge train --net allcnn-mini --data digits         train a network; --activation 'swish(x)' changes it\n"
      "  actforge fisher --net allcnn-mini --data digits        what a function does to a network before training\n"
      "  actforge reverse --space aquasurf-3 --empty            a new function for an empty region of the map of a "
      "space\n"
      "  actforge search new -o study.toml                      describe a search; 'actforge search run study.toml' "
      "runs "
      "it\n"
      "  actforge bench compare cnn.bench --strategies random,aquasurf  which strategy searches best, without "
      "training\n"
      "  actforge embed --space aquasurf-3 -o map.svg           a map of all functions of a space; --study colours "
      "it\n"
      "                                                         by its results\n",
      "actforge");
  app.set_version_flag("--version", software_version());
  app.set_help_all_flag("--help-all", "Print the help of every command");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 storage, 130 or 143 stopped.\nEvery command that "
      "answers something "
      "takes --json.");
  VerbAction chosen;
  CLI::App commands(app);
  add_fn(commands, chosen);
  add_space(commands, chosen);
  add_net(commands, chosen);
  add_data(commands, chosen);
  add_init(commands, chosen);
  add_train(commands, chosen);
  add_fisher(commands, chosen);
  add_search(commands, chosen);
  add_bench(commands, chosen);
  add_reverse(commands, chosen);
  add_embed(commands, chosen);
  add_report(commands, chosen);
  try {
    app.parse(read_arguments(argc, argv));
  } catch (const ::CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      fmt::print("{}", text.str());
      return 0;
    }
    if (argc == 1) {
      fmt::print(stderr, "{}", app.help());
      return static_cast<int>(ErrorCode::kUsage);
    }
    const std::string unknown = unknown_command(app, argc, argv);
    fmt::print(stderr, "actforge: {}\nTry 'actforge --help', or --help after a command.\n",
               unknown.empty() ? error.what() : unknown);
    return static_cast<int>(ErrorCode::kUsage);
  }
  if (chosen.needs_libtorch && chosen.needs_libtorch()) become_torch_program(argv);
  return chosen.run();
}

// What a user wrote may be in it: of any length, and with anything in it.
std::string message_text(std::string_view what) {
  constexpr std::size_t kHead = 700, kTail = 250;
  std::string text;
  for (std::size_t at = 0; at <= what.size();) {
    const std::size_t end = std::min(what.find('\n', at), what.size());
    std::u32string line = readable(what.substr(at, end - at));
    if (line.size() > kHead + kTail) line = line.substr(0, kHead) + U" ... " + line.substr(line.size() - kTail);
    text += (at == 0 ? "" : "\n") + to_utf8(line);
    at = end + 1;
  }
  return text;
}

int fail(ErrorCode code, const char* what) {
  std::fprintf(stderr, "actforge: %s\n", message_text(what).c_str());
  return code == ErrorCode::kCancelled ? cancelled_exit_code() : static_cast<int>(code);
}

}  // namespace

int run_program(int argc, char** argv, const LibTorch* libtorch) {
#ifdef __GLIBC__
  // Networks take and give back the same large blocks at every step. Asking the system for them each time was an eighth
  // of the time of a small network's spectrum.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  try {
    set_libtorch(libtorch);
    const int code = run(argc, argv);
    flush_output();
    return code;
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::system_error& error) {  // what fmt::print throws
    return fail(ErrorCode::kStorage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::kFailed, "out of memory");
  } catch (const std::exception& error) {
    return fail(ErrorCode::kFailed, error.what());
  }
}

}  // namespace actforge::tool
