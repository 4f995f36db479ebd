#include "actforge/net/zoo/zoo.h"

#include <charconv>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

Shape large_image() { return {3, 32, 32}; }
Shape small_image() { return {1, 28, 28}; }

constexpr Architecture kArchitectures[] = {
    {"mlp-D-W", "mlp-3-128", "D hidden dense layers of W units", small_image, "mini", build_mlp},
    {"allcnn-mini", "allcnn-mini", "six convolutions of 16 and 32 channels: All-CNN for a CPU", small_image, "mini",
     build_allcnn_mini},
    {"resnet-mini", "resnet-mini", "six pre-activation blocks of 16, 32 and 64 channels", small_image, "mini",
     build_resnet_mini},
    {"resnet-mini-nobn", "resnet-mini-nobn", "the same without batch normalisation", small_image, "mini",
     build_resnet_mini_plain},
    {"vit-mini", "vit-mini", "three transformer blocks of width 64, four heads", small_image, "mini-adamw",
     build_vit_mini},
    {"allcnn-c", "allcnn-c", "All-CNN-C, as in the dissertation's appendix", large_image, "allcnn-c", build_allcnn_c},
    {"resnet-v2-D", "resnet-v2-56", "pre-activation bottleneck ResNet, D = 9n+2", large_image, "resnet-v2",
     build_resnet_v2},
    {"resnet-v2-D-nobn", "resnet-v2-56-nobn", "the same without batch normalisation", large_image, "resnet-v2",
     build_resnet_v2_plain},
};

// Whether `name` is the pattern with numbers for its capital letters, and which.
std::optional<NameNumbers> match_name(std::string_view name, std::string_view pattern) {
  NameNumbers numbers;
  std::size_t at = 0;
  for (const char letter : pattern) {
    if (letter < 'A' || letter > 'Z') {
      if (at == name.size() || name[at] != letter) return std::nullopt;
      ++at;
      continue;
    }
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(name.data() + at, name.data() + name.size(), value);
    if (error != std::errc() || value < 0) return std::nullopt;
    numbers.push_back(value);
    at = static_cast<std::size_t>(stop - name.data());
  }
  if (at != name.size()) return std::nullopt;
  return numbers;
}

[[noreturn]] void refuse_name(std::string_view name) {
  std::vector<std::string_view> names, examples;
  for (const Architecture& row : kArchitectures) {
    names.push_back(row.name);
    examples.push_back(row.example);
  }
  const std::string near = did_you_mean(name, examples);
  throw Error(ErrorCode::kBadInput, "unknown network '" + std::string(name) + "'" + near +
                                        (near.empty() ? "; there are: " : " (there are: ") + name_list(names) +
                                        ", where capital letters stand for numbers" + (near.empty() ? "" : ")"));
}

}  // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

std::optional<NamedArchitecture> find_architecture(std::string_view name) {
  for (const Architecture& row : kArchitectures) {
    if (auto numbers = match_name(name, row.name)) return NamedArchitecture{&row, std::move(*numbers)};
  }
  return std::nullopt;
}

Network build_network(std::string_view name, const NetworkOptions& options) {
  const std::optional<NamedArchitecture> found = find_architecture(name);
  if (!found) refuse_name(name);
  const std::int64_t classes = options.classes == 0 ? 10 : options.classes;
  if (classes < 2 || classes > 1'000'000) {
    throw Error(ErrorCode::kBadInput, "a network has 2 to 1000000 classes, not " + std::to_string(classes));
  }
  NetworkBuilder builder{std::string(name)};
  const Shape input = options.input.empty() ? found->architecture->input() : options.input;
  const LayerId image = builder.add("input", {}, {{"shape", input}}, "image");
  const LayerId logits = found->architecture->build(builder, image, classes, found->numbers);
  return builder.finish({builder.add("softmax", {logits}, {}, "probabilities")});
}

}  // namespace actforge
