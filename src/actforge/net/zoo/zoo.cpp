#include "actforge/net/zoo/zoo.h"

#include <charconv>

#include "actforge/base/error.h"
#include "actforge/base/suggest.h"
#include "actforge/net/zoo/zoo_architectures.h"

namespace actforge {
namespace {

Shape large_image() { return {3, 224, 224}; }
Shape middle_image() { return {3, 32, 32}; }
Shape small_image() { return {1, 28, 28}; }
Shape imagenette_image() { return {3, 160, 160}; }  // as the dissertation resizes it
Shape sentence() { return {200}; }

constexpr Architecture kArchitectures[] = {
    {"mlp-D-W", "mlp-3-128", "D hidden dense layers of W units; also for tables", small_image, "mini", build_mlp},
    {"allcnn-mini", "allcnn-mini", "six convolutions of 16 and 32 channels: All-CNN for a CPU", small_image, "mini",
     build_allcnn_mini},
    {"resnet-mini", "resnet-mini", "six pre-activation blocks of 16, 32 and 64 channels", small_image, "mini",
     build_resnet_mini},
    {"resnet-mini-nobn", "resnet-mini-nobn", "the same without batch normalisation", small_image, "mini",
     build_resnet_mini_plain},
    {"vit-mini", "vit-mini", "three transformer blocks of width 64, four heads", small_image, "mini-adamw",
     build_vit_mini},
    {"allcnn-c", "allcnn-c", "All-CNN-C, as in the dissertation's appendix", middle_image, "allcnn-c", build_allcnn_c},
    {"wrn-D-K", "wrn-10-4", "wide ResNet, D = 6n+4, K times as wide, dropout", middle_image, "resnet-v2", build_wrn},
    {"resnet-v1-D", "resnet-v1-56", "ResNet for small images, D = 6n+2", middle_image, "resnet-v2", build_resnet_v1},
    {"resnet-v2-D", "resnet-v2-56", "pre-activation bottleneck ResNet, D = 9n+2", middle_image, "resnet-v2",
     build_resnet_v2},
    {"resnet-v2-D-nobn", "resnet-v2-56-nobn", "the same without batch normalisation", middle_image, "resnet-v2",
     build_resnet_v2_plain},
    {"resnet-D", "resnet-50", "ResNet for large images, D = 18, 34, 50, 101, 152", large_image, "resnet-v2",
     build_resnet_imagenet},
    {"densenet-D", "densenet-121", "DenseNet, D = 121, 169, 201", large_image, "resnet-v2", build_densenet},
    {"vgg-D", "vgg-16", "VGG, D = 11, 13, 16, 19", large_image, "resnet-v2", build_vgg},
    {"vgg-D-bn", "vgg-16-bn", "the same with batch normalisation", large_image, "resnet-v2", build_vgg_normalised},
    {.name = "mobilevitv2-W",
     .example = "mobilevitv2-0.5",
     .summary = "MobileViTv2, W times as wide",
     .input = imagenette_image,
     .recipe = "mini-adamw",
     .build = build_mobilevitv2,
     .fractions = true},
    {"coatnet", "coatnet", "CoAtNet, as in the dissertation's appendix", imagenette_image, "mini-adamw", build_coatnet},
    {"coatnet-nonorm", "coatnet-nonorm", "the same without normalisation", imagenette_image, "mini-adamw",
     build_coatnet_plain},
    {"coatnet-0", "coatnet-0", "CoAtNet-0, shallower and wider", large_image, "mini-adamw", build_coatnet_0},
    {.name = "lstm-text",
     .example = "lstm-text",
     .summary = "text: embedding, LSTM, a hidden layer",
     .input = sentence,
     .recipe = "mini-adamw",
     .build = build_lstm_text,
     .text = true},
    {.name = "cnn-text",
     .example = "cnn-text",
     .summary = "text: embedding, convolutions over 3, 4 and 5 words",
     .input = sentence,
     .recipe = "mini-adamw",
     .build = build_cnn_text,
     .text = true},
};

// A number at the beginning of `text`, which is cut off.
std::optional<double> take_number(std::string_view& text, bool fractions) {
  const char* const begin = text.begin();
  const char* const end = text.end();
  std::int64_t whole = 0;
  auto [stop, error] = std::from_chars(begin, end, whole);
  if (error != std::errc() || whole < 0) return std::nullopt;
  auto value = static_cast<double>(whole);
  if (fractions && stop != end && *stop == '.') {
    const auto fraction = std::from_chars(begin, end, value, std::chars_format::fixed);
    if (fraction.ec != std::errc() || *(fraction.ptr - 1) == '.') return std::nullopt;
    stop = fraction.ptr;
  }
  text.remove_prefix(static_cast<std::size_t>(stop - begin));
  return value;
}

// Whether `name` is the row's with numbers for its capital letters, and which.
std::optional<std::vector<double>> match_name(std::string_view name, const Architecture& row) {
  std::vector<double> numbers;
  for (const char letter : row.name) {
    if (letter >= 'A' && letter <= 'Z') {
      const std::optional<double> number = take_number(name, row.fractions);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    } else {
      if (name.empty() || name.front() != letter) return std::nullopt;
      name.remove_prefix(1);
    }
  }
  if (!name.empty()) return std::nullopt;
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
    if (auto numbers = match_name(name, row)) return NamedArchitecture{&row, std::move(*numbers)};
  }
  return std::nullopt;
}

Network build_network(std::string_view name, const NetworkOptions& options) {
  const std::optional<NamedArchitecture> found = find_architecture(name);
  if (!found) refuse_name(name);
  const NetworkSizes sizes = {.classes = options.classes == 0 ? 10 : options.classes,
                              .vocabulary = options.vocabulary == 0 ? 10'000 : options.vocabulary,
                              .numbers = found->numbers};
  if (sizes.classes < 2 || sizes.classes > 1'000'000) {
    throw Error(ErrorCode::kBadInput, "a network has 2 to 1000000 classes, not " + std::to_string(sizes.classes));
  }
  const Architecture& row = *found->architecture;
  NetworkBuilder builder{std::string(name)};
  const Shape shape = options.input.empty() ? row.input() : options.input;
  if (row.text && shape.size() != 1) {
    throw Error(ErrorCode::kBadInput,
                std::string(name) + " takes text, a row of words such as 200, not " + shape_text(shape));
  }
  const LayerId input =
      builder.add("input", {}, {{"shape", shape}, {"indices", row.text}}, row.text ? "words" : "image");
  const LayerId logits = row.build(builder, input, sizes);
  return builder.finish({builder.add("softmax", {logits}, {}, "probabilities")});
}

}  // namespace actforge
