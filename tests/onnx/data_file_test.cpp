// A model and its data are two files. Whatever happens between writing one and the other, the model that is there finds
// the numbers it was written with.
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "actforge/onnx/write.h"
#include "tests/onnx/helpers.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kModelBytes = 100'000;  // at least; the data have 24

void set_entry(onnx::TensorProto& tensor, const char* key, const std::string& value) {
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

// A layer of six weights, all equal, which are kept in `data` beside the model.
void write_model(const OnnxFolder& folder, const std::string& name, const std::string& data, float number) {
  ModelMaker maker;
  maker.node("MatMul", {maker.input("x", {0, 3}), maker.weight("w", {3, 2})}, "y");
  maker.output("y");
  maker.model.set_doc_string(std::string(kModelBytes, '.'));
  const std::vector<float> numbers(6, number);
  write_bytes(folder / data, std::string(reinterpret_cast<const char*>(numbers.data()), 24));
  onnx::TensorProto& tensor = *maker.graph().mutable_initializer(0);
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  set_entry(tensor, "location", data);
  write_bytes(folder / name, maker.model.SerializeAsString());
}

OnnxFile::NewValues all(float number) {
  return [number](LayerId, std::size_t) { return std::vector<float>(6, number); };
}

std::vector<float> numbers_in(const std::string& path) { return OnnxFile::read(path).values(1, 0); }
std::vector<float> six(float number) { return std::vector<float>(6, number); }

std::vector<std::string> names_in(const OnnxFolder& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / ".")) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Files can have so many bytes: enough for the data, and too few for the model, which is written after them. Whoever
// writes more is told by a signal, and by an error if he ignores the signal.
void limit_files() {
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = kModelBytes / 2;
  setrlimit(RLIMIT_FSIZE, &limit);
}

void allow_files() {
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(OnnxDataFile, AModelThatCannotBeWrittenLeavesTheOldOneWhole) {
  const OnnxFolder folder;
  write_model(folder, "m.onnx", "m.onnx.data", 1);
  const OnnxFile file = OnnxFile::read(folder / "m.onnx");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  limit_files();
  EXPECT_THROW(file.write(folder / "m.onnx", all(2)), Error);
  allow_files();
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(numbers_in(folder / "m.onnx"), six(1));
  EXPECT_EQ(file.values(1, 0), six(1));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"m.onnx", "m.onnx.data"}));
}

TEST(OnnxDataFile, AProcessThatIsKilledInBetweenLeavesTheOldOneWhole) {
  const OnnxFolder folder;
  write_model(folder, "m.onnx", "m.onnx.data", 1);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    limit_files();
    OnnxFile::read(folder / "m.onnx").write(folder / "m.onnx", all(2));
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(WTERMSIG(status), SIGXFSZ);
  EXPECT_EQ(numbers_in(folder / "m.onnx"), six(1));
  // And what it left behind is in nobody's way.
  OnnxFile::read(folder / "m.onnx").write(folder / "m.onnx", all(3));
  EXPECT_EQ(numbers_in(folder / "m.onnx"), six(3));
}

TEST(OnnxDataFile, InPlaceTheOldDataAreGoneAndTheNewOnesKnown) {
  const OnnxFolder folder;
  write_model(folder, "m.onnx", "m.onnx.data", 1);
  const OnnxFile file = OnnxFile::read(folder / "m.onnx");
  file.write(folder / "m.onnx", all(2));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"m.onnx", "m.onnx.data.2"}));
  EXPECT_EQ(numbers_in(folder / "m.onnx"), six(2));
  EXPECT_EQ(file.values(1, 0), six(2));
  file.write(folder / "m.onnx", all(3));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"m.onnx", "m.onnx.data"}));
  EXPECT_EQ(numbers_in(folder / "m.onnx"), six(3));
}

TEST(OnnxDataFile, OfAnotherModelThatIsReplacedTheDataAreRemoved) {
  const OnnxFolder folder;
  write_model(folder, "in.onnx", "in.onnx.data", 1);
  write_model(folder, "out.onnx", "out.onnx.data", 2);
  OnnxFile::read(folder / "in.onnx").write(folder / "out.onnx", all(3));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"in.onnx", "in.onnx.data", "out.onnx", "out.onnx.data.2"}));
  EXPECT_EQ(numbers_in(folder / "in.onnx"), six(1));
  EXPECT_EQ(numbers_in(folder / "out.onnx"), six(3));
}

TEST(OnnxDataFile, DataOfOthersStay) {
  const OnnxFolder folder;
  write_model(folder, "m.onnx", "weights.bin", 1);
  write_bytes(folder / "m.onnx.data", "somebody's");
  OnnxFile::read(folder / "m.onnx").write(folder / "m.onnx", all(2));
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"m.onnx", "m.onnx.data", "m.onnx.data.2", "weights.bin"}));
  // A copy of the model needs the same data, also when the model is written from the copy.
  write_model(folder, "copy.onnx", "original.onnx.data", 1);
  fs::copy_file(folder / "copy.onnx", folder / "original.onnx");
  const OnnxFile copy = OnnxFile::read(folder / "copy.onnx");
  copy.write(folder / "original.onnx", all(2));
  EXPECT_EQ(copy.values(1, 0), six(1));
  EXPECT_EQ(numbers_in(folder / "original.onnx"), six(2));
}

TEST(OnnxDataFile, WhoCouldNotReadTheOldDataCannotReadTheNew) {
  const OnnxFolder folder;
  write_model(folder, "m.onnx", "m.onnx.data", 1);
  fs::permissions(folder / "m.onnx.data", fs::perms::owner_read | fs::perms::owner_write);
  const OnnxFile file = OnnxFile::read(folder / "m.onnx");
  for (const char* name : {"m.onnx.data.2", "m.onnx.data"}) {
    file.write(folder / "m.onnx", all(2));
    EXPECT_EQ(fs::status(folder / name).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
}

}  // namespace
}  // namespace actforge
