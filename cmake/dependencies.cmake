# What the library needs; found here so that every folder sees the imported targets.
find_package(hwy REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ONNX REQUIRED)
find_package(Protobuf REQUIRED)
find_package(Boost REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(actforge_rsvg REQUIRED IMPORTED_TARGET librsvg-2.0 cairo)
