# What the library needs; found here so that every folder sees the imported targets.
find_package(hwy REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ONNX REQUIRED)
find_package(Protobuf REQUIRED)
find_package(Boost REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 3.37 REQUIRED)  # the first with strict tables
find_package(Threads REQUIRED)
include(${CMAKE_CURRENT_LIST_DIR}/find_svm.cmake)
find_path(ACTFORGE_HNSWLIB hnswlib/hnswlib.h REQUIRED)  # headers alone
find_package(PkgConfig REQUIRED)
pkg_check_modules(actforge_rsvg REQUIRED IMPORTED_TARGET librsvg-2.0 cairo)
if(ACTFORGE_LIBTORCH)
  find_package(Torch REQUIRED)
  find_package(OpenMP REQUIRED)
endif()
