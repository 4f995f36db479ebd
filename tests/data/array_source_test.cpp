#include "actforge/data/source/array_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/data/scratch.h"

namespace actforge {
namespace {

// A file of NumPy's first version.
std::string npy(const std::string& type, const std::string& shape, const std::string& bytes,
                const std::string& order = "False") {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + bytes;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

NamedArray array(const std::string& name, const std::string& type, const std::string& shape, const std::string& bytes) {
  NamedArray result = parse_npy(npy(type, shape, bytes), "f");
  result.name = name;
  return result;
}

std::string npy_refusal(const std::string& file) {
  return message_of([&] { parse_npy(file, "f"); });
}

std::string refusal(const std::vector<NamedArray>& arrays, const SourceOptions& options = {}) {
  return message_of([&] { source_of_arrays(arrays, options, "f"); });
}

TEST(Npy, NumbersOfAllTypes) {
  EXPECT_EQ(parse_npy(npy("<i2", "(2,)", bytes_of<std::int16_t>({-5, 300})), "f").number(0), -5);
  EXPECT_EQ(parse_npy(npy(">i2", "(1,)", std::string("\x01\x02", 2)), "f").number(0), 258);
  EXPECT_EQ(parse_npy(npy("|u1", "(1,)", "\xff"), "f").number(0), 255);
  EXPECT_EQ(parse_npy(npy("<f8", "(1,)", bytes_of<double>({-0.1})), "f").number(0), -0.1);
  EXPECT_EQ(parse_npy(npy("<f4", "(1,)", bytes_of<float>({1.5f})), "f").number(0), 1.5);
  EXPECT_EQ(parse_npy(npy("<f2", "(3,)", bytes_of<std::uint16_t>({0x3C00, 0xC000, 0x0001})), "f").number(1), -2);
  EXPECT_EQ(parse_npy(npy("<f2", "(1,)", bytes_of<std::uint16_t>({0x0001})), "f").number(0), std::ldexp(1.0, -24));
  EXPECT_EQ(parse_npy(npy("<U2", "(1,)", bytes_of<std::uint32_t>({0xE9, 0x1F600})), "f").text(0),
            "\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(parse_npy(npy("|S3", "(2,)", std::string("ab\0c\0\0", 6)), "f").text(1), "c");
}

TEST(Npy, FortransOrderBecomesCs) {
  const NamedArray a = parse_npy(npy("|u1", "(2, 3)", std::string("\1\4\2\5\3\6"), "True"), "f");
  EXPECT_EQ(a.bytes, "\1\2\3\4\5\6");
}

TEST(Npy, WhatIsWrongIsRefused) {
  EXPECT_EQ(npy_refusal("PK"), "f: not a file of NumPy");
  EXPECT_EQ(npy_refusal(npy("<f4", "(3,)", "1234")), "f: 4 bytes of numbers, not 3 times 4");
  EXPECT_EQ(npy_refusal(npy("<f4", "(4611686018427387904, 4)", "1234")),
            "f: is truncated: its shape says more than the file has");
  EXPECT_EQ(npy_refusal(npy("<f4", "(x,)", "1234")), "f: its shape cannot be read");
  EXPECT_NE(npy_refusal(npy("|O", "(1,)", "1")).find("f: Python objects are not read"), std::string::npos);
  EXPECT_EQ(npy_refusal(npy("<c8", "(1,)", "12345678")), "f: numbers of type '<c8' are not read");
  EXPECT_EQ(npy_refusal(npy("<f4", "(1,)", "1234").substr(0, 30)), "f: is truncated");
}

TEST(Safetensors, ReadsTypesAndRefusesWhatDoesNotFit) {
  const auto file = [](const std::string& header, const std::string& data) {
    return bytes_of<std::uint64_t>({header.size()}) + header + data;
  };
  const auto arrays = parse_safetensors(
      file(
          R"({"x":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]},"y":{"dtype":"I64","shape":[1],"data_offsets":[2,10]}})",
          bytes_of<std::uint16_t>({0x4000}) + bytes_of<std::int64_t>({-7})),
      "f");
  EXPECT_EQ(arrays[0].number(0), 2);
  EXPECT_EQ(arrays[1].number(0), -7);
  const auto why = [&](const std::string& text) { return message_of([&] { parse_safetensors(text, "f"); }); };
  EXPECT_EQ(why("123"), "f: not a safetensors file, or truncated");
  EXPECT_EQ(why(file("[]", "")), "f: its header cannot be read");
  EXPECT_EQ(why(file(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "12")),
            "f: array 'x': does not lie where the header says");
  EXPECT_EQ(why(file(R"({"x":{"dtype":"F32"}})", "12")), "f: its header is not as the format says");
}

TEST(ArraySource, BytesOfImagesStayBytes) {
  const SourceData data = source_of_arrays({array("Y", "<i8", "(2,)", bytes_of<std::int64_t>({7, 3})),
                                            array("X", "|u1", "(2, 2, 1)", std::string("\1\2\3\4"))},
                                           {}, "f");
  EXPECT_EQ(data.train.shape, (ImageShape{.channels = 1, .height = 2, .width = 1}));
  EXPECT_EQ(data.train.pixels, (std::vector<std::uint8_t>{1, 2, 3, 4}));
  EXPECT_EQ(data.train.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"3", "7"}));
}

TEST(ArraySource, ChannelsFirstAndLast) {
  const std::string planes = "\1\2\3\4\5\6";  // 3 channels of 1 by 2
  const NamedArray y = array("y", "|u1", "(1,)", "\1");
  const auto pixels = [&](const std::string& shape, const std::string& layout) {
    return source_of_arrays({array("x", "|u1", shape, planes), y}, {.layout = layout}, "f").train.pixels;
  };
  EXPECT_EQ(pixels("(1, 3, 1, 2)", "auto"), (std::vector<std::uint8_t>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(pixels("(1, 1, 2, 3)", "nhwc"), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_NE(refusal({array("x", "|u1", "(1, 1, 2, 3)", planes), y}).find("it is not clear which dimension"),
            std::string::npos);
}

TEST(ArraySource, PartsOneHotAndText) {
  const NamedArray x = array("x_train", "<f4", "(2, 1)", bytes_of<float>({1, 2}));
  const NamedArray test = array("test_images", "<f4", "(1, 1)", bytes_of<float>({3}));
  const SourceData data =
      source_of_arrays({x, array("y_train", "<U1", "(2,)", bytes_of<std::uint32_t>({'b', 'a'})), test,
                        array("test_labels", "|S1", "(1,)", "b"), array("ids", "|u1", "(1,)", "b")},
                       {}, "f");
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.test.labels, (std::vector<int>{1}));
  EXPECT_EQ(data.findings.at(0).text, "the arrays ids");
  const SourceData hot =
      source_of_arrays({x, array("y_train", "|u1", "(2, 3)", std::string("\0\0\1\1\0\0", 6))}, {}, "f");
  EXPECT_EQ(hot.train.labels, (std::vector<int>{1, 0}));
}

TEST(ArraySource, WhatIsWrongIsRefused) {
  const NamedArray x = array("x", "<f4", "(2, 1)", bytes_of<float>({1, 2})), y = array("y", "|u1", "(2,)", "\1\2");
  EXPECT_EQ(refusal({x}), "f: there is no array of labels that belongs to 'x'");
  EXPECT_EQ(refusal({array("a", "|u1", "(1,)", "1")}),
            "f: there are no arrays x and y, or x_train and y_train; it has: a");
  EXPECT_EQ(refusal({x, array("y", "|u1", "(1,)", "1")}), "f: 'x' has 2 rows, 'y' has 1");
  EXPECT_EQ(refusal({array("x", "<f4", "(2, 1)", bytes_of<float>({1, NAN})), y}),
            "f: array 'x' has a number that is not finite, in row 1 (counted from 0)");
  EXPECT_NE(
      refusal({x, array("y", "<f4", "(2,)", bytes_of<float>({1, 0.5f}))}).find("row 1 (counted from 0): the label 0.5"),
      std::string::npos);
  EXPECT_NE(refusal({x, array("y", "|u1", "(2, 2)", std::string("\1\1\1\0", 4))}).find("the row is not one-hot"),
            std::string::npos);
  EXPECT_EQ(refusal({x, y, array("data", "<f4", "(2, 1)", bytes_of<float>({1, 2}))}),
            "f: 'x' and 'data' have the same meaning");
  EXPECT_EQ(
      refusal({x, y, array("x_test", "<f4", "(1, 1)", bytes_of<float>({1})), array("y_test", "|u1", "(1,)", "\5")}),
      "f, array 'y_test', row 0 (counted from 0): the training part has no class '5'");
}

}  // namespace
}  // namespace actforge
