#include "actforge/data/data_files.h"

#include <gtest/gtest.h>

#include "actforge/data/idx_dataset.h"
#include "tests/data/packed.h"
#include "tests/data/scratch.h"

namespace actforge {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(DataFolders, GoFromOnesOwnToTheSystems) {
  const ScopedVariable own("ACTFORGE_DATA", "/own"), shared("XDG_DATA_HOME", "/xdg"), home("HOME", "/home/me");
  EXPECT_EQ(data_folders("mnist"),
            (std::vector<std::string>{"/own/mnist", "/xdg/actforge/mnist", "/usr/share/datasets/mnist"}));
}

TEST(DataFolders, EmptyVariablesCountAsNone) {
  const ScopedVariable own("ACTFORGE_DATA", ""), shared("XDG_DATA_HOME", ""), home("HOME", "/home/me");
  EXPECT_EQ(data_folders("mnist"),
            (std::vector<std::string>{"/home/me/.local/share/actforge/mnist", "/usr/share/datasets/mnist"}));
  const ScopedVariable homeless("HOME", std::nullopt);
  EXPECT_EQ(data_folders("mnist"), (std::vector<std::string>{"/usr/share/datasets/mnist"}));
}

// Images of two by one, three to train and one to test.
constexpr std::string_view kClasses[] = {"a", "b"};
const Dataset kTiny = [] {
  Dataset row = mnist_form(kClasses);
  row.name = "tiny";
  row.summary = "for tests";
  row.shape = {.channels = 1, .height = 2, .width = 1};
  row.train_count = 3;
  row.test_count = 1;
  row.validation = 2;
  row.get_with = "a command";
  return row;
}();

Bytes train_images() { return {0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6}; }
Bytes train_labels() { return {0, 0, 8, 1, 0, 0, 0, 3, 0, 1, 1}; }

class TinyDataset : public testing::Test {
 protected:
  ScratchFolder own, shared;
  ScopedVariable own_variable{"ACTFORGE_DATA", own.path().string()};
  ScopedVariable shared_variable{"XDG_DATA_HOME", shared.path().string()};

  std::string load_error(Part part = Part::kTrain) const {
    return message_of([&] { load(kTiny, part); });
  }
};

TEST_F(TinyDataset, LoadsPlainAndPackedFiles) {
  shared.write("actforge/tiny/train-images-idx3-ubyte", train_images());
  shared.write("actforge/tiny/train-labels-idx1-ubyte.gz", packed(train_labels()));
  const ImageSet set = load(kTiny, Part::kTrain);
  EXPECT_EQ(set.pixels, (Bytes{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(set.labels, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(Bytes(set.image(1).begin(), set.image(1).end()), (Bytes{3, 4}));
  EXPECT_EQ(where_is(kTiny), std::nullopt);  // the test part is missing
}

TEST_F(TinyDataset, MissingOneSaysWhereItLookedAndWhatGetsIt) {
  own.write("tiny/train-images-idx3-ubyte", train_images());
  EXPECT_EQ(load_error(), "the data set 'tiny' is not installed; looked in " + own.path().string() +
                              "/tiny (where train-labels-idx1-ubyte is missing), " + shared.path().string() +
                              "/actforge/tiny, /usr/share/datasets/tiny. To get it: a command");
}

TEST_F(TinyDataset, FilesOfOneFolderBelongTogether) {
  own.write("tiny/train-images-idx3-ubyte", Bytes(3));
  shared.write("actforge/tiny/train-images-idx3-ubyte", train_images());
  shared.write("actforge/tiny/train-labels-idx1-ubyte", train_labels());
  EXPECT_EQ(load(kTiny, Part::kTrain).size(), 3u);
  own.write("tiny/train-labels-idx1-ubyte", train_labels());
  EXPECT_EQ(load_error(), own.path().string() + "/tiny/train-images-idx3-ubyte: ends within the header of an IDX file");
}

TEST_F(TinyDataset, RefusesWrongFilesByName) {
  const std::string images = own.write("tiny/train-images-idx3-ubyte", train_images());
  const std::string labels = own.write("tiny/train-labels-idx1-ubyte", {0, 0, 8, 1, 0, 0, 0, 2, 0, 1});
  EXPECT_EQ(load_error(), labels + ": says 2 labels, not 3");
  own.write("tiny/train-labels-idx1-ubyte", train_labels());
  own.write("tiny/train-images-idx3-ubyte", Bytes(5'000'000));
  EXPECT_EQ(load_error(), images + ": longer than the 22 bytes it may have");
  std::filesystem::remove(images);
  const std::string archive = own.write("tiny/train-images-idx3-ubyte.gz", packed(Bytes(5'000'000)));
  EXPECT_EQ(load_error(), archive + ": unpacks to more than the 22 bytes it may have");
  own.write("tiny/train-images-idx3-ubyte.gz", Bytes(1'000'000));
  EXPECT_EQ(load_error(), archive + ": longer than the 65558 bytes it may have");
  own.write("tiny/train-images-idx3-ubyte.gz", train_images());
  EXPECT_EQ(load_error().find(archive + ": not a valid gzip archive"), 0u) << load_error();
}

TEST_F(TinyDataset, AFolderInThePlaceOfAFileIsNotTaken) {
  std::filesystem::create_directories(own.path() / "tiny" / "train-images-idx3-ubyte");
  own.write("tiny/train-labels-idx1-ubyte", train_labels());
  EXPECT_NE(load_error().find("is not installed"), std::string::npos);
}

TEST(ReadDataFile, EndlessFilesEnd) {
  EXPECT_EQ(message_of([] { read_data_file("/dev/zero", 1000); }), "/dev/zero: longer than the 1000 bytes it may have");
  EXPECT_EQ(message_of([] { read_data_file("/no/such/file", 1000); }),
            "code 4: cannot read '/no/such/file': No such file or directory");
}

}  // namespace
}  // namespace actforge
