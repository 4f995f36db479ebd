// Whatever a network is, both of its forms bring it back.
#include <set>

#include "actforge/expr/language/parse.h"
#include "actforge/net/graph/network_json.h"
#include "actforge/net/zoo/zoo.h"
#include "tests/net/net_helpers.h"
#include "tests/net/random_network.h"

namespace actforge {
namespace {

void expect_round_trips(const Network& network) {
  const std::string text = network_text(network), json = network_json(network);
  const Network from_text = parse_network_text(text), from_json = parse_network_json(json);
  expect_equal(from_text, network);
  expect_equal(from_json, network);
  EXPECT_EQ(network_text(from_json), text);
  EXPECT_EQ(network_json(from_text), json);
}

TEST(RoundTrip, TheZoo) {
  for (const Architecture& row : architectures()) {
    const std::vector<Shape> images = {{1, 8, 8}, {1, 28, 28}, {3, 32, 32}};
    for (const Shape& input : row.text ? std::vector<Shape>{{12}} : images) {
      SCOPED_TRACE(std::string(row.example) + " " + shape_text(input));
      Network network = build_network(row.example, {.input = input, .classes = 7});
      expect_round_trips(network);
      network.set_activation(parse("mul(log_sigmoid(alpha[0.5,neuron](x)),arcsinh(x))"));
      expect_round_trips(network);
    }
  }
}

TEST(RoundTrip, RandomNetworks) {
  std::set<std::string_view> kinds;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Network network = random_network(random);
    for (const Layer& layer : network.layers()) kinds.insert(layer.kind->name);
    expect_round_trips(network);
  }
  for (const LayerKind* kind : layer_kinds()) EXPECT_TRUE(kinds.contains(kind->name)) << kind->name;
}

TEST(RoundTrip, OddNumbers) {
  for (const char* scale : {"1e-300", "-0", "0.1", "123456789012345680", "1e300", "0.30000000000000004"}) {
    expect_round_trips(network_of(std::string("a = input(shape=2x2); it = matmul(a, a, scale=") + scale + ")"));
  }
}

TEST(RoundTrip, NamesThatAreWords) {
  const Network network = parse_network_text(
      "network network\nnetwork = input(shape=2)\nreturn = flatten(network)\n1 = add(return, network)\nreturn 1, "
      "return");
  EXPECT_EQ(network.outputs().size(), 2u);
  expect_round_trips(network);
}

}  // namespace
}  // namespace actforge
