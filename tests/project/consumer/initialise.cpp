// initialise MODEL.onnx OUTPUT.onnx: the network with new weights, all of them other than they were.
#include <actforge/init/weight_plan.h>
#include <actforge/onnx/file.h>

#include <iostream>

int main(int, char** arguments) {
  const auto file = actforge::OnnxFile::read(arguments[1]);
  const actforge::WeightPlan plan = actforge::plan_weights(file.network(), {});
  file.write(arguments[2], [&](actforge::LayerId layer, std::size_t weight) {
    return actforge::draw_weight(plan, file.network(), layer, weight, /*seed=*/1);
  });
  const auto written = actforge::OnnxFile::read(arguments[2]);
  std::size_t kernels = 0, changed = 0;
  for (actforge::LayerId layer = 0; layer < file.network().layers().size(); ++layer) {
    if (file.network().layer(layer).weights.empty()) continue;
    ++kernels;
    changed += written.values(layer, 0) != file.values(layer, 0);
  }
  std::cout << changed << " of " << kernels << " kernels changed\n";
}
