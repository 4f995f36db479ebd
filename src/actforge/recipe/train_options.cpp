#include "actforge/recipe/train_options.h"

#include "actforge/base/error.h"
#include "actforge/recipe/schedule.h"

namespace actforge {
namespace {

using O = TrainOptions;

constexpr TrainField kFields[] = {
    {"epochs", "passes over the training images", &O::epochs, 0, 1e6},
    {"batch", "images per step", &O::batch, 1, 1e6},
    {"optimizer", "sgd, nesterov, adam or adamw", &O::optimizer, 0, 0, "sgd nesterov adam adamw"},
    {"learning-rate", "the highest rate of the schedule", &O::learning_rate, 0, 1e6},
    {"momentum", "of sgd and nesterov; beta1 of adam and adamw", &O::momentum, 0, 0.99999},
    {"beta2", "of adam and adamw", &O::beta2, 0, 0.999999},
    {"epsilon", "of adam and adamw", &O::epsilon, 0, 1},
    {"weight-decay", "pulls kernels towards 0: its product with a kernel joins the gradient", &O::weight_decay, 0, 100},
    {"decay", "l2 (within the gradient) or decoupled (beside it; always so with adamw)", &O::decay, 0, 0,
     "l2 decoupled"},
    {"schedule", "of the rate: constant, step, linear or cosine", &O::schedule, 0, 0, "constant step linear cosine"},
    {"warmup", "epochs in which the rate rises linearly", &O::warmup, 0, 1e6},
    {"warmup-from", "the rate it rises from", &O::warmup_from, 0, 1e6},
    {"drops", "of schedule step: the epochs after which the rate falls, such as 60,120,160", &O::drops},
    {"drop-factor", "of schedule step: what the rate is multiplied by", &O::drop_factor, 0, 1},
    {"final-rate", "of linear and cosine: the rate at the end", &O::final_rate, 0, 1e6},
    {"label-smoothing", "share of the target spread over all classes", &O::label_smoothing, 0, 0.99},
    {"parameter-rate", "rate of activation parameters, as a multiple of the learning rate", &O::parameter_rate, 0, 1e6},
    {"parameter-decay", "weight decay of activation parameters", &O::parameter_decay, 0, 100},
    {"normalise", "of pixels, per channel: none, center or standard", &O::normalise, 0, 0, "none center standard"},
    {"flip", "mirror every second training image", &O::flip},
    {"pad", "random crops of training images padded by this many zeros", &O::pad, 0, 1000},
    {"init", "initial weights (actforge train --list)", &O::init},
    {"layout", "of images in memory: channels-last (faster on CPUs) or channels-first", &O::layout, 0, 0,
     "channels-last channels-first"},
    {"backend", "of activations: fused kernels (CPU) or LibTorch operators", &O::backend, 0, 0, "fused operators"},
    {"chance-epochs", "give up when accuracy is still at chance after this many epochs; 0 never does",
     &O::chance_epochs, 0, 1e6},
    {"largest-weight", "give up when a weight passes this", &O::largest_weight, 0},
};

}  // namespace

std::span<const TrainField> train_fields() { return kFields; }

void check_options(const TrainOptions& options) {
  if (options.schedule == "step" && options.drops.empty()) {
    throw Error(ErrorCode::kUsage, "--schedule step needs --drops: the epochs after which the rate falls");
  }
  if (options.schedule != "step" && !options.drops.empty()) {
    throw Error(ErrorCode::kUsage, "--drops is of use with --schedule step alone");
  }
  read_drops(options.drops);  // for its checks
}

}  // namespace actforge
