#include "tools/actforge/help/environment.h"

namespace actforge::tool {
namespace {

constexpr EnvironmentRow kVariables[] = {
    {"ACTFORGE_DATA", "Folder with one folder per data set, searched first."},
    {"XDG_DATA_HOME", "Its folder actforge is searched next; if not set, that in ~/.local/share."},
    {"XDG_CACHE_HOME",
     "Data of your own are kept in its folder actforge/data once they are read; ~/.cache where it is not set."},
    {"HOME", "Where ~/.local/share is."},
    {"NO_COLOR", "If it is set to anything, the answer has no colours."},
    {"TERM", "A dumb terminal gets no colours."},
    {"TMPDIR", "Folder of temporary files; /tmp where it is not set."},
    {"LC_ALL", "With LC_CTYPE and LANG: plots in the terminal are drawn with Unicode where it says UTF-8."},
    {"LC_CTYPE", "See LC_ALL."},
    {"LANG", "See LC_ALL."},
};

constexpr EnvironmentRow kForCommands[] = {
    {"ACTFORGE_EXPR", "The function that the trial evaluates."},
    {"ACTFORGE_SEED", "The trial's seed, below 2147483648."},
    {"ACTFORGE_SEED64", "The whole seed."},
    {"ACTFORGE_TRIAL", "The trial's number."},
    {"ACTFORGE_STAGE", "What the evaluation is for: search, or the name of a stage after it."},
    {"ACTFORGE_WITH", "The hyperparameters that are searched with the function, as JSON."},
    {"ACTFORGE_WORKER", "Which of the workers runs it: 0, 1, ..."},
    {"CUDA_VISIBLE_DEVICES", "With --gpus: the worker's GPU."},
    {"PYTHONUNBUFFERED", "1, unless it is set already: Python prints at once."},
};

constexpr EnvironmentRow kExitCodes[] = {
    {"0", "Done."},
    {"1", "Failed."},
    {"2", "Wrong usage: an option, a command or a value that does not exist."},
    {"3", "Bad input: an expression, a file or a data set that cannot be used."},
    {"4", "Storage: a file or a study that cannot be read or written, a full disk, a closed pipe."},
    {"130", "Stopped by Ctrl-C."},
    {"143", "Stopped by SIGTERM."},
};

}  // namespace

std::span<const EnvironmentRow> environment_variables() { return kVariables; }
std::span<const EnvironmentRow> command_variables() { return kForCommands; }
std::span<const EnvironmentRow> exit_codes() { return kExitCodes; }

}  // namespace actforge::tool
