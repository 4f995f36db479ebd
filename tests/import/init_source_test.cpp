#include "actforge/import/init_source.h"

#include <gtest/gtest.h>

#include "actforge/base/error.h"
#include "actforge/net/zoo/zoo.h"

namespace actforge {
namespace {

// A file whose name says that it is something else would be taken for that.
TEST(InitSource, AFileHoldsWhatItsNameSays) {
  const InitSource zoo(build_network("mlp-1-4"));
  for (const char* name : {"weights.safetensors", "weights", "weights.bin", "a.onnx.weights"}) {
    EXPECT_NO_THROW(zoo.check_output(name)) << name;
    EXPECT_EQ(zoo.output_form(name), "safetensors");
  }
  for (const char* name : {"w.onnx", "w.json", "w.keras", "w.pt", "w.pth", "w.h5", "w.npz", "w.tflite"}) {
    try {
      zoo.check_output(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace actforge
