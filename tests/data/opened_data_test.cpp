#include "actforge/data/source/opened_data.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "actforge/data/source/packed_data.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string table_text(int rows) {
  std::string text = "a,y\n";
  for (int i = 0; i < rows; ++i) text += std::to_string(i) + (i % 2 == 0 ? ",p\n" : ",q\n");
  return text;
}

// Data and a cache of their own; paths differ from test to test, since a process opens each once.
class OpenedDataTest : public testing::Test {
 protected:
  ScratchFolder data, cache;
  ScopedVariable variable{"XDG_CACHE_HOME", cache.path().string()};

  std::string write(const std::string& name, const std::string& text) const { return data.write(name, bytes_of(text)); }
  std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    const fs::path folder = cache.path() / "actforge" / "data";
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    return files;
  }
  static std::string refusal(const std::string& name) {
    return message_of([&] { find_dataset(name); });
  }
};

TEST_F(OpenedDataTest, IsADataSetLikeOthers) {
  const std::string path = write("t.csv", table_text(100));
  const Dataset& row = find_dataset(path);
  EXPECT_EQ(&find_dataset(path), &row);
  EXPECT_EQ(row.name, path);
  EXPECT_EQ(std::vector<std::string_view>(row.class_names.begin(), row.class_names.end()),
            (std::vector<std::string_view>{"p", "q"}));
  EXPECT_EQ(row.train_count, 80u);
  EXPECT_EQ(row.test_count, 20u);
  EXPECT_EQ(row.validation, 8u);
  EXPECT_EQ(load(row, Part::kTrain).size(), 80u);
  EXPECT_EQ(load(row, Part::kTest).size(), 20u);
  EXPECT_EQ(opened_data(find_dataset("digits")), nullptr);
  EXPECT_EQ(where_is(row), path);
}

TEST_F(OpenedDataTest, TheCacheHasTheSame) {
  const std::string path = write("t.csv", table_text(50));
  const ImageSet first = load(find_dataset(path), Part::kTrain);
  ASSERT_EQ(cached().size(), 1u);
  // Another spelling of the same path finds the same file of the cache.
  const OpenedData& again = open_data(data.path().string() + "/./t.csv");
  EXPECT_EQ(cached().size(), 1u);
  const ImageSet second = load(again, Part::kTrain);
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.labels, second.labels);
  EXPECT_EQ(again.identity(), open_data(path).identity());
}

TEST_F(OpenedDataTest, IdentityIsThatOfTheContent) {
  write("one/train.csv", table_text(50));
  write("two/train.csv", table_text(50));
  const OpenedData& one = open_data((data.path() / "one").string());
  EXPECT_EQ(one.identity(), open_data((data.path() / "two/").string()).identity());
  EXPECT_NE(one.identity(), open_data((data.path() / "two?seed=1").string()).identity());
  write("three/train.csv", table_text(51));
  EXPECT_NE(one.identity(), open_data((data.path() / "three").string()).identity());
}

TEST_F(OpenedDataTest, AChangedFileIsReadAgain) {
  const std::string path = write("t.csv", table_text(50));
  EXPECT_EQ(open_data(path).train_count, 40u);
  write("t.csv", table_text(100));
  EXPECT_EQ(open_data(data.path().string() + "/./t.csv").train_count, 80u);
}

TEST_F(OpenedDataTest, DamagedFilesOfTheCacheAreNotTrusted) {
  const std::string path = write("t.csv", table_text(50));
  const Dataset& row = find_dataset(path);
  const fs::path file = cached().at(0);
  const auto damage = [&](std::streamoff from_end) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(from_end, std::ios::end);
    stream.put('\x7f');
  };
  damage(-1);  // in the test part
  EXPECT_EQ(load(row, Part::kTrain).size(), 40u);
  EXPECT_NE(message_of([&] { load(row, Part::kTest); }).find("in the cache was damaged"), std::string::npos);
  EXPECT_FALSE(fs::exists(file));
  // Cut off, it counts as none, and is made again.
  const std::string other = data.path().string() + "/./t.csv", third = data.path().string() + "/././t.csv";
  open_data(other);
  fs::resize_file(file, fs::file_size(file) - 3);
  EXPECT_EQ(load(open_data(third), Part::kTest).size(), 10u);
}

TEST_F(OpenedDataTest, WithoutACacheItIsKeptInMemory) {
  const ScopedVariable nowhere("XDG_CACHE_HOME", "/dev/null");
  const std::string path = write("t.csv", table_text(50));
  const Dataset& row = find_dataset(path);
  EXPECT_EQ(load(row, Part::kTrain).size(), 40u);
  EXPECT_EQ(load(row, Part::kTest).size(), 10u);
}

TEST_F(OpenedDataTest, WritersOfTheSameFileDoNotDisturbEachOther) {
  const std::string path = cache.path().string() + "/same.data";
  SourceData source;
  source.class_names = {"p", "q"};
  source.train = {
      .shape = {}, .max_value = 255, .classes = 2, .pixels = Bytes(5000, 3), .labels = std::vector<int>(5000)};
  source.test = source.train;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < 10; ++k) {
          write_packed(path, source, {1, 2});
          EXPECT_EQ(read_packed_part(path, Part::kTest).pixels, source.test.pixels);
        }
      });
    }
  }
  EXPECT_EQ(read_packed_header(path)->identity, (Hash128{1, 2}));
  EXPECT_EQ(std::distance(fs::directory_iterator(cache.path()), fs::directory_iterator()), 1);
}

TEST_F(OpenedDataTest, PartsThatAreThereAreKept) {
  write("d/train.csv", table_text(30));
  write("d/val.csv", table_text(6));
  write("d/test.csv", table_text(4));
  write("d/notes.txt", "x");
  const OpenedData& row = open_data((data.path() / "d").string());
  EXPECT_EQ(row.train_count, 36u);
  EXPECT_EQ(row.validation, 6u);
  EXPECT_EQ(row.test_count, 4u);
  const ImageSet set = load(row, Part::kTrain);
  const Split split = split_training_part(row, set, {.seed = 5});
  EXPECT_EQ(split.validation, (std::vector<std::uint32_t>{30, 31, 32, 33, 34, 35}));
  EXPECT_EQ(split.train.size(), 30u);
  EXPECT_EQ(split.train.back(), 29u);
  EXPECT_EQ(row.findings().back().what, "not read");
}

TEST_F(OpenedDataTest, WhatIsNoDataIsRefused) {
  EXPECT_EQ(refusal("no/such/folder"), "there is no file or folder 'no/such/folder'");
  EXPECT_EQ(refusal(write("x.txt", "1")).find("'" + data.path().string() + "/x.txt' is no data that can be read"), 0u);
  fs::create_directory(data.path() / "empty");
  EXPECT_EQ(refusal(data.path().string() + "/empty"), "'" + data.path().string() + "/empty': the folder is empty");
  const std::string path = write("t.csv", table_text(10));
  EXPECT_EQ(refusal(path + "?size=3").find("code 2: '" + path + "' (a table) has no option 'size'"), 0u);
  EXPECT_EQ(refusal(path + "?test"), "code 2: '" + path + "?test': 'test' is not an option such as size=32");
  EXPECT_EQ(refusal(path + "?test=0&test=1"), "code 2: '" + path + "?test=0&test=1': the option 'test' is given twice");
  EXPECT_NE(refusal(path + "?test=2").find("code 2"), std::string::npos);
  EXPECT_EQ(refusal(write("one.csv", "a,y\n1,p\n2,p\n")),
            data.path().string() + "/one.csv: there is only one class, 'p'");
}

TEST_F(OpenedDataTest, NamesOfClassesMayBeNoUtf8) {
  const Dataset& row = find_dataset(write("t.csv", "a,y\n1,caf\xE9\n2,tea\n3,caf\xE9\n4,tea\n") + "?test=0");
  EXPECT_EQ(row.class_names[0], "caf\xEF\xBF\xBD");
}

TEST_F(OpenedDataTest, WithoutATestPartThereIsNothingToLoad) {
  const Dataset& row = find_dataset(write("t.csv", table_text(50)) + "?test=0");
  EXPECT_EQ(row.train_count, 50u);
  EXPECT_NE(message_of([&] { load(row, Part::kTest); }).find("has no test part"), std::string::npos);
}

Bytes idx(std::initializer_list<std::uint8_t> dimensions, const Bytes& body) {
  Bytes file = {0, 0, 8, static_cast<std::uint8_t>(dimensions.size())};
  for (const std::uint8_t extent : dimensions) file.insert(file.end(), {0, 0, 0, extent});
  file.insert(file.end(), body.begin(), body.end());
  return file;
}

TEST_F(OpenedDataTest, IdxFilesOfAnySize) {
  data.write("i/train-images-idx3-ubyte", idx({3, 1, 2}, {1, 2, 3, 4, 5, 6}));
  data.write("i/train-labels.idx1-ubyte", idx({3}, {7, 9, 7}));
  data.write("i/t10k-images-idx3-ubyte", idx({1, 1, 2}, {8, 9}));
  data.write("i/t10k-labels-idx1-ubyte", idx({1}, {9}));
  const OpenedData& row = open_data((data.path() / "i").string());
  EXPECT_EQ(row.class_names[1], "9");
  EXPECT_EQ(load(row, Part::kTrain).labels, (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(load(row, Part::kTest).pixels, (Bytes{8, 9}));
  EXPECT_EQ(load(row, Part::kTest).labels, (std::vector<int>{1}));
  data.write("j/train-images-idx3-ubyte", idx({3, 1, 2}, {1, 2, 3, 4, 5}));
  data.write("j/train-labels-idx1-ubyte", idx({3}, {7, 9, 7}));
  EXPECT_EQ(refusal((data.path() / "j").string()),
            (data.path() / "j/train-images-idx3-ubyte: 21 bytes long, not 22").string());
  data.write("k/train-images-idx3-ubyte", idx({1, 1, 2}, {1, 2}));
  EXPECT_NE(refusal((data.path() / "k").string()).find("there is no file with the labels"), std::string::npos);
}

TEST_F(OpenedDataTest, CifarFilesOfAnyLength) {
  Bytes record(2 + 3072, 5);
  record[0] = 1;   // coarse
  record[1] = 42;  // fine
  Bytes other = record;
  other[0] = 3;
  Bytes both = record;
  both.insert(both.end(), other.begin(), other.end());
  data.write("c/train.bin", both);
  data.write("c/test.bin", record);
  const std::string path = (data.path() / "c").string();
  EXPECT_EQ(load(open_data(path), Part::kTrain).labels, (std::vector<int>{42, 42}));
  EXPECT_EQ(load(open_data(path + "?label=coarse"), Part::kTrain).labels, (std::vector<int>{1, 3}));
  EXPECT_EQ(open_data(path + "?label=coarse").classes(), 20);
  data.write("d/data_batch_1.bin", Bytes(3072, 5));
  EXPECT_NE(refusal((data.path() / "d").string()).find("data_batch_1.bin: 3072 bytes long, not 0"), std::string::npos);
}

}  // namespace
}  // namespace actforge
