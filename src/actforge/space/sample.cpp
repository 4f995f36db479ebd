#include "actforge/space/sample.h"

#include "actforge/space/offspring.h"

namespace actforge {

DrawnFunction draw_function(const Space& space, Random& random, Draw draw) {
  std::string why;
  for (int i = 0; i < kMostRefused; ++i) {
    DrawnFunction drawn;
    if (draw == Draw::kUniform) drawn.index = random_below(random, space.total());
    drawn.expr = drawn.index ? space.at(*drawn.index) : initial(space, random).expr;
    why = space.refusal(drawn.expr);
    if (why.empty()) return drawn;
  }
  throw_all_refused(space.definition().require.value(), why);
}

std::uint64_t count_admitted(const Space& space, std::uint64_t draws) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Random random(0, i, "sample");
    count += space.refusal(space.sample(random)).empty() ? 1 : 0;
  }
  return count;
}

}  // namespace actforge
