// Recipes: `mini` ones that fit the small networks of the zoo on a CPU, and the dissertation's.
//
// The dissertation's networks are written with Keras' kernel_regularizer=l2(c), which adds c·w² to the loss and so 2c·w
// to the gradient. Our weight_decay is the factor of w in the gradient: twice the number in the text.
#include <vector>

#include "actforge/base/find_named.h"
#include "actforge/init/weights/initialiser.h"
#include "actforge/net/zoo/zoo.h"
#include "actforge/recipe/train_options.h"

namespace actforge {
namespace {

TrainOptions mini() {
  return {.epochs = 20,
          .batch = 32,
          .learning_rate = 0.04,
          .weight_decay = 3e-3,
          .warmup = 1,
          .label_smoothing = 0.1,
          .init = "he-normal"};
}

TrainOptions mini_adamw() {
  return {.epochs = 20,
          .batch = 32,
          .optimizer = "adamw",
          .learning_rate = 2e-3,
          .weight_decay = 0.05,
          .decay = "decoupled",
          .warmup = 1};
}

// Appendix "Training Details", paragraph All-CNN-C.
TrainOptions allcnn_c() {
  return {.epochs = 350,
          .batch = 128,
          .optimizer = "sgd",
          .learning_rate = 0.01,
          .weight_decay = 2 * 0.001,
          .schedule = "step",
          .drops = "200,250,300",
          .flip = true,
          .pad = 5};
}

// Appendix "Training Details", paragraphs ResNet-v1-56 and ResNet-v2-56 (no warm-up): full and compressed.
TrainOptions resnet_v2() {
  return {.epochs = 200,
          .batch = 128,
          .optimizer = "sgd",
          .learning_rate = 0.1,
          .weight_decay = 2 * 0.0001,
          .schedule = "step",
          .drops = "91,137",
          .normalise = "center",
          .flip = true,
          .pad = 4};
}

TrainOptions resnet_v2_search() {
  TrainOptions options = resnet_v2();
  options.epochs = 100;
  options.drops = "46,68";
  return options;
}

constexpr Recipe kRecipes[] = {
    {"mini", "20 epochs of Nesterov momentum, a cosine after one epoch of warm-up, He's initial weights", mini},
    {"mini-adamw", "20 epochs of AdamW, the same schedule: for transformers", mini_adamw},
    {"allcnn-c", "All-CNN-C in the dissertation: 350 epochs", allcnn_c},
    {"resnet-v2", "ResNet-v2-56 in the dissertation: 200 epochs", resnet_v2},
    {"resnet-v2-search", "the same in 100 epochs, as during its searches", resnet_v2_search},
};

}  // namespace

std::span<const Recipe> recipes() { return kRecipes; }

const Recipe& find_recipe(std::string_view name) { return find_named(kRecipes, name, "recipe"); }

std::string recipe_of(const std::string& net) {
  const auto found = find_architecture(net);
  return found ? std::string(found->architecture->recipe) : "mini";
}

TrainOptions recipe_options(std::string_view recipe, const std::map<std::string, std::string>& fields) {
  TrainOptions options = find_recipe(recipe).options();
  for (const TrainField& field : train_fields()) {
    const auto given = fields.find(std::string(field.name));
    if (given != fields.end()) set_field(options, field, given->second);
  }
  find_initialiser(options.init);  // for its error
  return options;
}

}  // namespace actforge
