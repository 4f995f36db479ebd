// Trains a small network for a moment, through the part of the library that needs LibTorch.
#include <actforge/net/zoo/zoo.h>
#include <actforge/torch/train/trainer.h>

#include <iostream>

int main() {
  const actforge::Network network = actforge::build_network("allcnn-mini", {.input = {1, 8, 8}});
  const actforge::TrainJob job{.network = &network,
                               .dataset = &actforge::find_dataset("digits"),
                               .options = {.epochs = 1},
                               .subset = 200,
                               .run = {.threads = 1}};
  std::cout << actforge::status_name(actforge::train(job).status) << "\n";
}
