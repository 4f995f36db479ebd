#include "actforge/space/integer.h"

namespace actforge {

Integer random_below(Random& random, const Integer& bound) {
  // As many random bits as the bound has; what is too large is drawn again, on average less than once.
  const unsigned bits = static_cast<unsigned>(boost::multiprecision::msb(bound)) + 1;
  for (;;) {
    Integer number = 0;
    for (unsigned done = 0; done < bits; done += 64) {
      const unsigned take = std::min(64u, bits - done);
      number <<= take;
      number |= random.next() >> (64 - take);
    }
    if (number < bound) return number;
  }
}

std::string with_commas(const Integer& number) {
  std::string text = number.str();
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

}  // namespace actforge
