// Readers take exactly what they should hold, and refuse everything else with the name of the file and the reason.
#include <gtest/gtest.h>

#include <numeric>
#include <string_view>

#include "actforge/base/gzip.h"
#include "actforge/data/cifar_binary.h"
#include "actforge/data/digits_csv.h"
#include "actforge/data/idx.h"
#include "tests/data/packed.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

using Bytes = std::vector<std::uint8_t>;

// ---- IDX

constexpr IdxExpected kThree{.count = 3, .height = 2, .width = 2, .classes = 10};

Bytes image_file() { return {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255}; }
Bytes label_file() { return {0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 9}; }

std::string image_error(const Bytes& file) {
  return message_of([&] { parse_idx_images(file, kThree, "f"); });
}
std::string label_error(const Bytes& file) {
  return message_of([&] { parse_idx_labels(file, kThree, "f"); });
}

template <class Change>
Bytes changed(Bytes file, Change change) {
  change(file);
  return file;
}

TEST(Idx, ReadsImagesAndLabels) {
  EXPECT_EQ(parse_idx_images(image_file(), kThree, "f"), (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255}));
  EXPECT_EQ(parse_idx_labels(label_file(), kThree, "f"), (std::vector<int>{7, 0, 9}));
  EXPECT_EQ(kThree.image_file_size(), image_file().size());
  EXPECT_EQ(kThree.label_file_size(), label_file().size());
}

TEST(Idx, RefusesWhatIsNotTheHeader) {
  EXPECT_EQ(image_error({}), "f: ends within the header of an IDX file");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f.resize(15); })),
            "f: ends within the header of an IDX file");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f[2] = 9; })),
            "f: not an IDX file of bytes with 3 dimension(s)");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f[0] = 1; })),
            "f: not an IDX file of bytes with 3 dimension(s)");
  EXPECT_EQ(label_error(image_file()), "f: not an IDX file of bytes with 1 dimension(s)");
  EXPECT_EQ(label_error(changed(label_file(), [](Bytes& f) { f[7] = 4; })), "f: says 4 labels, not 3");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f[4] = 255; })), "f: says 4278190083 images, not 3");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f[11] = 4; })), "f: says 4 rows, not 2");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f[15] = 1; })), "f: says 1 columns, not 2");
}

TEST(Idx, RefusesAnotherLength) {
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f.pop_back(); })), "f: 27 bytes long, not 28");
  EXPECT_EQ(image_error(changed(image_file(), [](Bytes& f) { f.push_back(0); })), "f: 29 bytes long, not 28");
  EXPECT_EQ(label_error(changed(label_file(), [](Bytes& f) { f.pop_back(); })), "f: 10 bytes long, not 11");
  EXPECT_EQ(label_error(changed(label_file(), [](Bytes& f) { f.push_back(0); })), "f: 12 bytes long, not 11");
}

TEST(Idx, RefusesALabelThatIsNoClass) {
  EXPECT_EQ(label_error(changed(label_file(), [](Bytes& f) { f[9] = 10; })), "f: label 1 is 10; the largest is 9");
}

// ---- CIFAR

ImageSet cifar_set() {
  return {
      .shape = {.channels = 3, .height = 1, .width = 2}, .max_value = 255, .classes = 10, .pixels = {}, .labels = {}};
}

std::string cifar_error(const Bytes& file) {
  return message_of([&] {
    ImageSet set = cifar_set();
    append_cifar(file, {.count = 2}, "f", set);
  });
}

TEST(Cifar, PutsThePlanesSideBySide) {
  ImageSet set = cifar_set();
  append_cifar(Bytes{9, 1, 2, 3, 4, 5, 6, 0, 11, 12, 13, 14, 15, 16}, {.count = 2}, "f", set);
  EXPECT_EQ(set.labels, (std::vector<int>{9, 0}));
  EXPECT_EQ(set.pixels, (Bytes{1, 3, 5, 2, 4, 6, 11, 13, 15, 12, 14, 16}));
}

TEST(Cifar, RefusesAnotherLengthAndWrongLabels) {
  EXPECT_EQ(cifar_error(Bytes(13)), "f: 13 bytes long, not 14 as 2 images need");
  EXPECT_EQ(cifar_error(Bytes(15)), "f: 15 bytes long, not 14 as 2 images need");
  Bytes wrong(14);
  wrong[7] = 10;
  EXPECT_EQ(cifar_error(wrong), "f: label 1 is 10; the largest is 9");
}

// ---- digits

ImageSet digit_set() {
  return {
      .shape = {.channels = 1, .height = 1, .width = 3}, .max_value = 16, .classes = 10, .pixels = {}, .labels = {}};
}

std::string digits_error(std::string_view text) {
  return message_of([&] {
    ImageSet set = digit_set();
    append_digits(text, "f", set);
  });
}

TEST(DigitsCsv, ReadsRowsWithOrWithoutAnEndOfLine) {
  for (const std::string_view text : {"0,16,1,9\n2,3,4,0\n", "0,16,1,9\n2,3,4,0"}) {
    ImageSet set = digit_set();
    append_digits(text, "f", set);
    EXPECT_EQ(set.pixels, (Bytes{0, 16, 1, 2, 3, 4}));
    EXPECT_EQ(set.labels, (std::vector<int>{9, 0}));
  }
}

TEST(DigitsCsv, RefusesEverythingElseWithTheLine) {
  EXPECT_EQ(digits_error("1,2,3,4\n1,2,17,4\n"), "f, line 2: expected a whole number from 0 to 16");
  EXPECT_EQ(digits_error("1,2,3,10\n"), "f, line 1: expected a whole number from 0 to 9");
  EXPECT_EQ(digits_error("1,2,-0,4\n"), "f, line 1: expected a whole number from 0 to 16");
  EXPECT_EQ(digits_error("1,2,,4\n"), "f, line 1: expected a whole number from 0 to 16");
  EXPECT_EQ(digits_error("1,2,99999999999999999999,4\n"), "f, line 1: expected a whole number from 0 to 16");
  EXPECT_EQ(digits_error("1,2,3\n"), "f, line 1: expected a comma after each pixel");
  EXPECT_EQ(digits_error("1,2 ,3,4\n"), "f, line 1: expected a comma after each pixel");
  EXPECT_EQ(digits_error("1,2,3,4,5\n"), "f, line 1: more than the pixels and the label");
  EXPECT_EQ(digits_error("1,2,3,4\r\n"), "f, line 1: more than the pixels and the label");
  EXPECT_EQ(digits_error("1,2,3,4\n\n"), "f, line 2: expected a whole number from 0 to 16");
}

// ---- gzip

Bytes some_bytes(std::size_t count) {
  Bytes bytes(count);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24 & 31);
  return bytes;
}

std::string gzip_error(const Bytes& archive, std::size_t limit) {
  return message_of([&] { gunzip(archive, limit, "f"); });
}

TEST(Gzip, UnpacksUpToTheLimit) {
  for (const std::size_t count : {0, 1, 100'000}) {
    EXPECT_EQ(gunzip(packed(some_bytes(count)), count, "f"), some_bytes(count));
    EXPECT_EQ(gunzip(packed(some_bytes(count)), count + 10, "f"), some_bytes(count));
  }
}

// Ten million zeros pack into ten kilobytes.
TEST(Gzip, StopsAtTheLimit) {
  EXPECT_EQ(gzip_error(packed(Bytes(10'000'000)), 1000), "f: unpacks to more than the 1000 bytes it may have");
  EXPECT_EQ(gzip_error(packed(some_bytes(1001)), 1000), "f: unpacks to more than the 1000 bytes it may have");
  EXPECT_EQ(gzip_error(packed(some_bytes(1)), 0), "f: unpacks to more than the 0 bytes it may have");
}

TEST(Gzip, RefusesWhatIsBroken) {
  const Bytes archive = packed(some_bytes(1000));
  for (std::size_t size = 0; size < archive.size(); ++size) {
    const std::string error = gzip_error(Bytes(archive.begin(), archive.begin() + static_cast<long>(size)), 1000);
    EXPECT_EQ(error.find("f: the archive is truncated after "), 0u) << size << ": " << error;
  }
  Bytes longer = archive;
  longer.push_back(0);
  EXPECT_EQ(gzip_error(longer, 1000), "f: 1 bytes follow the archive");
  EXPECT_NE(gzip_error(some_bytes(1000), 1000).find("incorrect header check"), std::string::npos);
  Bytes wrong_sum = archive;
  wrong_sum[archive.size() - 8] ^= 1;
  EXPECT_NE(gzip_error(wrong_sum, 1000).find("incorrect data check"), std::string::npos);
}

// Whatever bit flips: never other bytes than those that were packed.
TEST(Gzip, NeverGivesWrongBytes) {
  const Bytes bytes = some_bytes(200), archive = packed(bytes);
  for (std::size_t bit = 0; bit < 8 * archive.size(); ++bit) {
    Bytes broken = archive;
    broken[bit / 8] = static_cast<std::uint8_t>(broken[bit / 8] ^ 1u << bit % 8);
    try {
      EXPECT_EQ(gunzip(broken, 200, "f"), bytes) << bit;
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace actforge
