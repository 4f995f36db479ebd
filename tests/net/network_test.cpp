#include "actforge/net/graph/network.h"
#include "actforge/net/graph/network_json.h"
#include "actforge/net/graph/network_text.h"

#include "actforge/base/random.h"
#include "actforge/expr/language/parse.h"
#include "actforge/net/zoo/zoo.h"
#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

const Attributes kShape = {{"shape", Shape{4}}};

TEST(NetworkBuilder, NamesLayersThatHaveNone) {
  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, kShape);
  builder.add("dense", {a}, {{"units", std::int64_t{2}}}, "dense_2");
  const LayerId first = builder.add("dense", {a}, {{"units", std::int64_t{2}}});
  const LayerId third = builder.add("dense", {first}, {{"units", std::int64_t{2}}});
  EXPECT_EQ(builder.find("input_1"), a);
  EXPECT_EQ(builder.find("dense_1"), first);
  EXPECT_EQ(builder.find("dense_3"), third);
}

TEST(NetworkBuilder, StaysAsItWasWhenALayerIsRefused) {
  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, kShape, "a");
  refusal([&] { builder.add("dense", {a}, {}, "b"); });
  refusal([&] { builder.add("conv", {a}, {{"filters", std::int64_t{1}}, {"kernel", Shape{3}}}, "b"); });
  refusal([&] { builder.add("frobnicate", {a}, {}, "b"); });
  EXPECT_TRUE(contains(refusal([&] { builder.find("b"); }), "no layer 'b'"));
  const LayerId b = builder.add("dense", {a}, {{"units", std::int64_t{2}}}, "b");
  EXPECT_EQ(b, 1u);
  EXPECT_EQ(builder.finish({b}).layers().size(), 2u);
}

TEST(NetworkBuilder, RefusesNamesAndNumbers) {
  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, kShape, "a");
  EXPECT_TRUE(contains(refusal([&] { builder.add("input", {}, kShape, "a"); }), "two layers named 'a'"));
  for (const char* name : {"a b", "a=b", "ä", "a(", "a,b", "#", "a\n"}) {
    EXPECT_TRUE(contains(refusal([&] { builder.add("flatten", {a}, {}, name); }), "letters, digits")) << name;
  }
  refusal([&] { builder.add("flatten", {a}, {}, std::string(201, 'a')); });
  refusal([] { NetworkBuilder("no good"); });
  refusal([] { NetworkBuilder(""); });
  EXPECT_TRUE(contains(refusal([&] { builder.add("flatten", {7}); }), "no layer of number 7"));
  EXPECT_TRUE(contains(refusal([&] { builder.finish({7}); }), "no layer of number 7"));
  EXPECT_TRUE(contains(refusal([&] { builder.finish({}); }), "no output"));
  EXPECT_TRUE(contains(refusal([&] { builder.finish({a, a}); }), "twice"));
  builder.add("flatten", {a}, {}, std::string(200, 'a'));
}

TEST(NetworkBuilder, RefusesLayersThatNothingUses) {
  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, kShape, "a");
  const LayerId b = builder.add("flatten", {a}, {}, "b");
  builder.add("flatten", {b}, {}, "c");
  EXPECT_TRUE(contains(refusal([&] { builder.finish({b}); }), "nothing uses the layer 'c'"));
}

TEST(NetworkBuilder, MergesTakeManyInputsButNotAnyNumber) {
  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, kShape, "a");
  EXPECT_EQ(builder.signal(builder.add("add", std::vector<LayerId>(kManyInputs, a))).shape, Shape{4});
  const std::string said = refusal([&] { builder.add("add", std::vector<LayerId>(kManyInputs + 1, a)); });
  EXPECT_TRUE(contains(said, "at most 65536 inputs")) << said;
}

TEST(NetworkBuilder, HasALimitOfLayers) {
  NetworkBuilder builder("test");
  LayerId last = builder.add("input", {}, kShape);
  for (std::size_t i = 1; i < kMaxLayers; ++i) last = builder.add("flatten", {last});
  EXPECT_TRUE(contains(refusal([&] { builder.add("flatten", {last}); }), "at most 100000 layers"));
  EXPECT_EQ(builder.finish({last}).layers().size(), kMaxLayers);
}

TEST(NetworkBuilder, ChecksValuesOfAnyType) {
  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, kShape, "a");
  EXPECT_TRUE(contains(refusal([&] { builder.add("dense", {a}, {{"units", 3.0}}); }), "a whole number"));
  EXPECT_TRUE(contains(refusal([&] { builder.add("dense", {a}, {{"units", Shape{3}}}); }), "a whole number"));
  EXPECT_TRUE(contains(refusal([&] { builder.add("dropout", {a}, {{"rate", true}}); }), "a number"));
  EXPECT_TRUE(contains(refusal([&] { builder.add("input", {}, {{"shape", Shape{}}}); }), "one to eight"));
  EXPECT_TRUE(contains(refusal([&] { builder.add("input", {}, {{"shape", Shape(9, 1)}}); }), "one to eight"));
  // Whole numbers serve as numbers, extents and words.
  builder.add("dropout", {a}, {{"rate", std::int64_t{0}}});
  builder.add("input", {}, {{"shape", std::int64_t{3}}});
  builder.add("softmax", {a}, {{"axis", std::int64_t{0}}});
}

std::string functions(const Network& network) {
  std::string text;
  for (const Layer& layer : network.layers()) {
    if (layer.kind->name == "activation") text += attribute_text(layer.attributes[0]) + " ";
  }
  return text;
}

TEST(SetActivation, ReplacesWhatMatches) {
  Network network = build_network("mlp-4-8");
  network.set_activation(parse("tanh(x)"));
  EXPECT_EQ(functions(network), "tanh(x) tanh(x) tanh(x) tanh(x) ");
  network.set_activation(parse("swish(alpha(x))"), "*_2");
  EXPECT_EQ(functions(network), "tanh(x) swish(alpha(x)) tanh(x) tanh(x) ");
  network.set_activation(parse("erf(x)"), "activation_?");
  network.set_activation(parse("sin(x)"), "act*4");
  EXPECT_EQ(functions(network), "erf(x) erf(x) erf(x) sin(x) ");
}

TEST(SetActivation, LeavesTheFixedOnes) {
  Network network = network_of(
      "x = input(shape=4); act = activation(x); gate = activation(x, function=sigmoid(x), fixed=true); "
      "it = multiply(act, gate)");
  EXPECT_EQ(network.activation_count(), 1u);
  EXPECT_EQ(network.activation_count("gate"), 0u);
  network.set_activation(parse("tanh(x)"));
  EXPECT_EQ(functions(network), "tanh(x) sigmoid(x) ");
  const std::string said = refusal([&] { network.set_activation(parse("tanh(x)"), "gate"); });
  EXPECT_TRUE(contains(said, "act")) << said;
  EXPECT_FALSE(contains(said, "gate, ")) << said;
}

TEST(SetActivation, CountsParameters) {
  Network network = build_network("mlp-2-8");
  const std::int64_t before = network.parameter_count();
  EXPECT_EQ(network.activation_count(), 2u);
  EXPECT_EQ(network.activation_count("*_1"), 1u);
  network.set_activation(parse("swish(alpha(x))"), "*_1");
  EXPECT_EQ(network.parameter_count(), before + 8);
  EXPECT_EQ(network.weight_count(), before);
  network.set_activation(parse("relu(x)"));
  EXPECT_EQ(network.parameter_count(), before);
}

TEST(SetActivation, RefusesWhatMatchesNothing) {
  Network network = build_network("mlp-2-8");
  EXPECT_TRUE(contains(refusal([&] { network.set_activation(parse("x"), "dense_*"); }), "activation_1, activation_2"));
  EXPECT_TRUE(contains(refusal([&] { network.set_activation(parse("x"), "actvation_1"); }), "did you mean"));
  Network none = network_of("it = input(shape=3)");
  EXPECT_TRUE(contains(refusal([&] { none.set_activation(parse("x")); }), "has no activations"));
}

// By the definition.
bool slow_match(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return slow_match(text, pattern.substr(1)) || (!text.empty() && slow_match(text.substr(1), pattern));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) && slow_match(text.substr(1), pattern.substr(1));
}

TEST(MatchesPattern, AgreesWithTheDefinition) {
  Random random(1);
  const auto draw = [&](std::string_view letters, std::uint64_t longest) {
    std::string text;
    for (std::uint64_t i = random.below(longest + 1); i > 0; --i) text += letters[random.below(letters.size())];
    return text;
  };
  int matches = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = draw("ab", 8), pattern = draw("ab*?", 6);
    EXPECT_EQ(matches_pattern(text, pattern), slow_match(text, pattern)) << text << " " << pattern;
    matches += slow_match(text, pattern);
  }
  EXPECT_GT(matches, 1000);
}

TEST(MatchesPattern, TakesNoTimeOverStars) {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  EXPECT_FALSE(matches_pattern(std::string(10'000, 'a'), pattern + "b"));
  EXPECT_TRUE(matches_pattern(std::string(10'000, 'a'), pattern));
}

TEST(Network, LayersShareWeights) {
  const std::string text =
      "network twins\na = input(shape=5)\nb = dense(a, units=5)\nc = dense(b, units=5, shares=b)\n"
      "d = dense(c, units=5, shares=c)\nreturn d\n";
  const Network network = parse_network_text(text);
  EXPECT_EQ(network.weight_count(), 30);
  EXPECT_EQ(network.layer(2).shares, LayerId{1});
  EXPECT_EQ(network.layer(3).shares, LayerId{1});  // the layer that has them
  EXPECT_EQ(network_text(parse_network_text(network_text(network))), network_text(network));
  EXPECT_EQ(parse_network_json(network_json(network)).layer(3).shares, LayerId{1});

  NetworkBuilder builder("test");
  const LayerId a = builder.add("input", {}, {{"shape", Shape{5}}});
  const LayerId b = builder.add("dense", {a}, {{"units", std::int64_t{4}}});
  const LayerId f = builder.add("activation", {a}, {});
  EXPECT_THROW(builder.add("dense", {b}, {{"units", std::int64_t{4}}}, "x", b), Error);  // another kernel
  EXPECT_THROW(builder.add("activation", {a}, {}, "x", f), Error);
  EXPECT_THROW(builder.add("dense", {a}, {{"units", std::int64_t{4}}}, "x", LayerId{9}), Error);
}

}  // namespace
}  // namespace actforge
