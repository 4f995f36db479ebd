#include "tools/actforge/help/examples.h"

#include <algorithm>
#include <vector>

namespace actforge::tool {
namespace {

constexpr Example kExamples[] = {
    {"actforge", "actforge fn plot 'swish(x)' 'x*sigmoid(1.5*x)'       draw functions in the terminal"},
    {"actforge", "actforge init model.onnx -o ready.onnx               initial weights that keep the signal"},
    {"actforge", "actforge train --net allcnn-mini --data digits       train a network"},
    {"actforge", "actforge search new -o study.toml                    describe a search for a function,"},
    {"actforge", "actforge search run study.toml --workers 2           and run it"},
    {"actforge", "actforge search run --study mine.db --evaluate './my_train.sh {expr}'   with your own training"},

    {"actforge fn", "actforge fn plot 'swish(x)' 'max(x,0)'"},
    {"actforge fn", "actforge fn export 'log_sigmoid(alpha*x)*arcsinh(x)' --to pytorch"},
    {"actforge fn show", "actforge fn show 'log_sigmoid(alpha*x)*arcsinh(x)'"},
    {"actforge fn eval", "actforge fn eval 'swish(x)' --at -2,0,2"},
    {"actforge fn eval", "actforge fn eval 'x*sigmoid(alpha*x)' --param alpha=1.5"},
    {"actforge fn moments", "actforge fn moments 'swish(x)'"},
    {"actforge fn plot", "actforge fn plot 'swish(x)' 'x*sigmoid(1.5*x)'"},
    {"actforge fn plot", "actforge fn plot 'swish(x)' -o swish.svg"},
    {"actforge fn fit", "actforge fn fit --from 'swish(x)' --knots 4"},
    {"actforge fn fit", "actforge fn fit curve.csv --smooth"},
    {"actforge fn export", "actforge fn export 'max(swish(x),0)' --to pytorch --name Found -o found.py"},
    {"actforge fn bench", "actforge fn bench 'swish(x)' 'relu(x)'"},
    {"actforge fn list", "actforge fn list"},
    {"actforge fn list", "actforge fn list --aliases"},

    {"actforge space", "actforge space list"},
    {"actforge space", "actforge space sample aquasurf-3 --count 5"},
    {"actforge space list", "actforge space list"},
    {"actforge space show", "actforge space show pangaea"},
    {"actforge space count", "actforge space count aquasurf-3"},
    {"actforge space enumerate", "actforge space enumerate aquasurf-3 --count 10"},
    {"actforge space sample", "actforge space sample pangaea --count 5 --seed 1"},
    {"actforge space mutate", "actforge space mutate 'swish(x)' --space pangaea --explain"},
    {"actforge space cross", "actforge space cross 'add(relu(x),abs(x))' 'mul(sin(x),cos(x))' --space cafe-s1"},

    {"actforge net", "actforge net show allcnn-c"},
    {"actforge net list", "actforge net list"},
    {"actforge net show", "actforge net show allcnn-c"},
    {"actforge net show", "actforge net show model.onnx -o model.svg"},

    {"actforge data", "actforge data list"},
    {"actforge data list", "actforge data list"},
    {"actforge data show", "actforge data show digits -o digits.png"},

    {"actforge search new", "actforge search new -o study.toml --net allcnn-mini --data digits --preset mini"},
    {"actforge search run", "actforge search run study.toml --workers 2"},
    {"actforge search run", "actforge search run --study mine.db --evaluate './my_train.sh {expr}' --trials 100"},
    {"actforge search resume", "actforge search resume study.db --trials 200"},
    {"actforge search status", "actforge search status study.db"},
    {"actforge search top", "actforge search top study.db --count 5"},
    {"actforge search show", "actforge search show study.db 7"},
    {"actforge search log", "actforge search log study.db 7"},
    {"actforge search enqueue", "actforge search enqueue study.db 'x*sigmoid(x)' 'gelu(x)'"},
    {"actforge search export", "actforge search export study.db -o trials.csv"},
    {"actforge search rerank", "actforge search rerank study.db --top 5 --runs 3"},
    {"actforge search final", "actforge search final study.db --runs 5"},
    {"actforge search transfer", "actforge search transfer study.db --net resnet-mini"},
    {"actforge search watch", "actforge search watch study.db"},

    {"actforge bench build",
     "actforge bench build --study study.db --net allcnn-mini --data fashion-mnist --subset 1000"},
    {"actforge bench show", "actforge bench show mine.bench"},
    {"actforge bench check", "actforge bench check mine.bench"},
    {"actforge bench write", "actforge bench write mine.bench -o mine.json"},
    {"actforge bench read", "actforge bench read mine.json -o mine.bench"},
    {"actforge bench explain", "actforge bench explain mine.bench --known 100"},
    {"actforge bench compare", "actforge bench compare mine.bench --strategies random,aquasurf"},

    {"actforge help", "actforge help search run"},
    {"actforge completion", "actforge completion bash > ~/.local/share/bash-completion/completions/actforge"},
    {"actforge completion", "actforge completion zsh > ~/.zfunc/_actforge"},
    {"actforge completion", "actforge completion fish > ~/.config/fish/completions/actforge.fish"},
    {"actforge man", "actforge man > actforge.1 && man ./actforge.1"},
};

}  // namespace

std::string examples_of(std::string_view path) {
  std::string text;
  for (const Example& example : kExamples) {
    if (example.path == path)
      text.append(text.empty() ? "Examples:\n" : "").append("  ").append(example.line).append("\n");
  }
  return text;
}

}  // namespace actforge::tool
