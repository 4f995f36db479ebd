#include "actforge/net/graph/network_text.h"

#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

TEST(NetworkText, IsAsDocumented) {
  const Network network = parse_network_text(
      "\n# a comment\nnetwork tiny\r\n\n  image = input( shape=1x8x8 )\t\n"
      "conv_1 = conv(image, filters=16, kernel=3x3, padding=same, bias=true)   # another, with (=\n"
      "act_1=activation(conv_1,function=max( x , 0.5*x ))\nreturn act_1 # the answer\n\n");
  EXPECT_EQ(network_text(network),
            "network tiny\nimage = input(shape=1x8x8)\nconv_1 = conv(image, filters=16, kernel=3x3, padding=same)\n"
            "act_1 = activation(conv_1, function=max(x,mul(0.5,x)))\nreturn act_1\n");
}

TEST(NetworkText, RefusesWithTheLine) {
  const std::string head = "network a\n\nx = input(shape=3)\n";
  const struct {
    std::string text;
    int line;
    const char* says;
  } kWrong[] = {
      {"", 1, "it is empty"},
      {"# nothing\n", 2, "it is empty"},
      {"x = input(shape=3)", 1, "'network NAME'"},
      {"network", 1, "'network NAME'"},
      {"networks a", 1, "'network NAME'"},
      {"network a b\n", 1, "letters, digits"},
      {head, 4, "'return NAME'"},
      {head + "return", 4, "'return' needs"},
      {head + "return y", 4, "no layer 'y'"},
      {head + "return x,", 4, "no layer ''"},
      {head + "return x, x", 4, "twice"},
      {head + "return x\nreturn x", 5, "nothing may follow"},
      {head + "y = flatten(x)\nreturn x", 5, "nothing uses the layer 'y'"},
      {head + "flatten(x)\n", 4, "expected 'NAME = KIND"},
      {head + "y = flatten x\n", 4, "expected 'NAME = KIND"},
      {head + "y = flatten(x\n", 4, "expected 'NAME = KIND"},
      {head + "y = flatten(x) z\n", 4, "expected 'NAME = KIND"},
      {head + " = flatten(x)\n", 4, "no name"},
      {head + "y = (x)\n", 4, "unknown kind of layer ''"},
      {head + "x = flatten(x)\n", 4, "two layers named 'x'"},
      {head + "y = flatten(y)\n", 4, "no layer 'y' before this one"},
      {head + "y = add(x, z)\nz = flatten(y)", 4, "no layer 'z' before this one"},
      {head + "y = add(x,,x)\n", 4, "no layer ''"},
      {head + "y = dense(x, units=)\n", 4, "a whole number, not ''"},
      {head + "y = dense(x, =3)\n", 4, "no setting ''"},
      {head + "y = dense(x, units=3=4)\n", 4, "not '3=4'"},
      {head + "y = activation(x, function=relu(x)\n", 4, "function"},
      {head + "y = activation(x, function=relu(x), relu(x))\n", 4, "no layer 'relu(x)'"},
      {head + std::string("y = flatten(x\0)\n", 16), 4, "no layer"},
  };
  for (const auto& row : kWrong) {
    const std::string said = refusal([&] { parse_network_text(row.text); });
    EXPECT_TRUE(said.starts_with("line " + std::to_string(row.line) + ": ")) << row.text << "\n" << said;
    EXPECT_TRUE(contains(said, row.says)) << row.text << "\n" << said;
  }
}

TEST(NetworkText, HostileFilesAreRefusedAtOnce) {
  const std::string head = "network a\nx = input(shape=3)\n";
  const std::string many(1'000'000, '(');
  for (const std::string& line :
       {"y = activation(x, function=" + many + ")", "y = flatten(" + many + ")", many, "y = " + many + ")",
        std::string(1'000'000, 'a') + " = flatten(x)", "y = " + std::string(1'000'000, 'a') + "(x)",
        "y = flatten(" + std::string(1'000'000, ',') + ")", "y = dense(x, units=" + std::string(1'000'000, '9') + ")",
        "y = conv(x, filters=1, kernel=" + std::string(1'000'000, 'x') + ")"}) {
    EXPECT_FALSE(refusal([&] { parse_network_text(head + line); }).empty());
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i)
    deep += "y" + std::to_string(i) + " = flatten(" + (i == 0 ? "x" : "y" + std::to_string(i - 1)) + ")\n";
  EXPECT_TRUE(contains(refusal([&] { parse_network_text(head + deep); }), "at most 100000 layers"));
}

TEST(SettingsText, LeavesPlainDefaultsOut) {
  EXPECT_EQ(settings_text(layer_of("a = input(shape=3x8x8); it = conv(a, filters=4, kernel=3, stride=1, bias=false)")),
            "filters=4, kernel=3, bias=false");
  EXPECT_EQ(settings_text(layer_of("a = input(shape=3); it = activation(a)")), "function=relu(x)");
  EXPECT_EQ(settings_text(layer_of("a = input(shape=3); it = dropout(a)")), "rate=0.5");
  EXPECT_EQ(settings_text(layer_of("a = input(shape=3); it = batch_norm(a, epsilon=0.00001)")), "");
}

TEST(ShapeText, RoundTrip) {
  EXPECT_EQ(parse_shape("3x32x-1"), (Shape{3, 32, -1}));
  EXPECT_EQ(shape_text({3, 32, -1}), "3x32x-1");
  EXPECT_EQ(shape_text({}), "1");
  for (const char* wrong : {"", "x", "3x", "x3", "3 x3", "3X3", "1x2x3x4x5x6x7x8x9", "3.5", "9223372036854775808"}) {
    refusal([&] { parse_shape(wrong); });
  }
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 3}), 6);
  EXPECT_EQ(element_count({kMaxElements}), kMaxElements);
  for (const Shape& wrong : {Shape{0}, Shape{-1, -1}, Shape{kMaxElements + 1}, Shape{kMaxElements, 2}, Shape(9, 1),
                             Shape{INT64_MAX, INT64_MAX}}) {
    refusal([&] { element_count(wrong); });
  }
}

}  // namespace
}  // namespace actforge
