#include "actforge/spectrum/fisher_options.h"

namespace actforge {
namespace {

constexpr FisherField kFields[] = {
    {"batch", "Images of a mini-batch; more of them tell more directions apart", &FisherOptions::batch, 1, 1 << 20},
    {"batches", "Mini-batches for each draw of the weights; the answer is the mean over all", &FisherOptions::batches,
     1, 1 << 20},
    {"draws", "Draws of the weights, from the seed on; the answer is the mean over all", &FisherOptions::draws, 1,
     1 << 20},
    {"labels", "model: drawn from the network's predictions; data: the true ones; every: all classes, by probability",
     &FisherOptions::labels, 0, 0, "model data every"},
    {"init", "How weights begin (actforge train --list)", &FisherOptions::init},
};

}  // namespace

std::span<const FisherField> fisher_fields() { return kFields; }

FisherLabels FisherOptions::label_kind() const {
  if (labels == "data") return FisherLabels::kData;
  return labels == "every" ? FisherLabels::kEvery : FisherLabels::kModel;
}

}  // namespace actforge
