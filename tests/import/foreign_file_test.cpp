#include "actforge/import/foreign_file.h"

#include <unistd.h>

#include <filesystem>

#include "actforge/base/atomic_file.h"
#include "actforge/import/find_network.h"
#include "actforge/import/init_source.h"
#include "tests/net/net_helpers.h"

namespace actforge {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

class ForeignFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("actforge-foreign-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string kind(const std::string& bytes) const {
    const std::string path = (folder_ / "x").string();
    write_file(path, bytes);
    const std::optional<ForeignFile> found = recognise_foreign(path);
    return found ? std::string(found->kind) : std::string();
  }

  static std::string after(std::size_t count, const char* text) {
    std::string bytes;
    bytes.resize(count, 'w');
    return bytes.append(text);
  }

  fs::path folder_;
};

// The beginnings of real files; tests/tools/foreign_files_test.py lets the programs themselves write some.
TEST_F(ForeignFiles, AreKnownByTheirContent) {
  EXPECT_TRUE(contains(kind("PK\x03\x04\0\0net/data.pkl"s), "checkpoint of PyTorch"));
  EXPECT_TRUE(contains(kind("PK\x03\x04net/data.pkl net/code/__torch__.py net/constants.pkl"s), "TorchScript"));
  EXPECT_TRUE(contains(kind("\x80\x02\x8a\x0al\xfc\x9c"s), "PyTorch"));
  EXPECT_TRUE(contains(kind("\x89HDF\r\n\x1a\n\0\0"s), "HDF5"));
  EXPECT_TRUE(contains(kind(after(512, "\x89HDF\r\n\x1a\n")), "HDF5"));
  EXPECT_TRUE(contains(kind("\x1c\0\0\0TFL3\x14\0"s), "TensorFlow Lite"));
  EXPECT_TRUE(contains(kind("\x02\0\0\0\0\0\0\0{}"s), "safetensors"));
  // The names of a large archive are at its end.
  EXPECT_TRUE(contains(kind("PK\x03\x04"s + after(300000, "net/data.pkl")), "checkpoint of PyTorch"));
}

TEST_F(ForeignFiles, AreNotSeenInOthers) {
  for (const std::string& bytes :
       {""s, "P"s, "PK\x03\x04 else"s, "\x08\x07\x12\x07pytorch"s, "network a\nx = input(shape=3)\n"s,
        "{\"class_name\": \"Sequential\"}"s, "\x80"s, "\x80\x09"s, "TFL3"s, "\xff\xff\xff\xff\xff\xff\xff\x7f{"s}) {
    EXPECT_EQ(kind(bytes), "") << bytes;
  }
  EXPECT_FALSE(recognise_foreign(folder_.string()));
  EXPECT_FALSE(recognise_foreign("/dev/zero"));
  EXPECT_FALSE(recognise_foreign("nothing.pt"));
}

TEST_F(ForeignFiles, AreAnsweredWithWhatMakesThemReadable) {
  // Whatever it is called, and with its name as Python writes it.
  for (const std::string name : {"net.pt", "net.onnx", "a \"b\".pth"}) {
    const std::string path = (folder_ / name).string();
    write_file(path, "PK\x03\x04net/data.pkl");
    for (const std::string& said : {refusal([&] { find_network(path); }), refusal([&] { InitSource::read(path); })}) {
      EXPECT_TRUE(contains(said, "torch.onnx.export(model.eval()")) << said;
      EXPECT_TRUE(contains(said, "load_state_dict(torch.load(\"" + (folder_ / "").string())) << said;
    }
  }
  EXPECT_TRUE(contains(refusal([&] { find_network((folder_ / "a \"b\".pth").string()); }), "a \\\"b\\\".pth"));
}

}  // namespace
}  // namespace actforge
