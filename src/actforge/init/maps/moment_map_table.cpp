#include "actforge/init/maps/moment_map_table.h"

#include <array>

#include "actforge/base/error.h"

namespace actforge {
namespace {

bool is_image(const Signal& signal) {
  return signal.channel_axis == 0 && signal.shape.size() >= 2 && signal.shape.size() <= 4;
}

// Whether deviations by place can belong to the places of the output.
bool fits_places(const ProfilePointer& deviations, const Shape& shape) {
  if (deviations == nullptr || shape.empty()) return false;
  return deviations->size() == static_cast<std::size_t>(element_count(shape) / shape[0]);
}

}  // namespace

std::string_view how_name(MomentMethod how) {
  constexpr std::array<std::string_view, 3> kNames = {"exact", "simulated", "pass_through"};
  return kNames[static_cast<std::size_t>(how)];
}

const MomentMapRow& find_moment_map(const LayerKind& kind) {
  for (const auto& family :
       {basic_maps(), linear_maps(), norm_maps(), pool_maps(), merge_maps(), shape_maps(), recurrent_maps()}) {
    for (const MomentMapRow& row : family) {
      if (&row.kind == &kind) return row;
    }
  }
  throw Error(ErrorCode::kFailed, "what layers of kind '" + std::string(kind.name) + "' do to a signal is not known");
}

ProfilePointer next_profile(const MomentMapRow& row, const MomentQuery& q, const MomentResult& answer) {
  if (q.inputs.empty() || !is_image(q.layer().output) || !is_image(q.setting.inputs[0])) return {};
  return row.profile(q, answer);
}

SizeVariancePointer next_spread(const MomentMapRow& row, const MomentQuery& q, const MomentResult& answer) {
  SizeVariance spread;
  if (q.inputs.empty()) {
    set_normal(spread, answer.output);
  } else {
    spread = row.spread(q, answer);
    if (!fits_places(spread.deviations, q.layer().output.shape)) spread.deviations.reset();
  }
  return std::make_shared<const SizeVariance>(with_extents(spread, place_extents(q.layer().output)));
}

}  // namespace actforge
