# ONNX files of other programs, read and written again, and executed by onnxruntime; skipped where that is missing.
add_executable(onnx_driver ${CMAKE_CURRENT_LIST_DIR}/driver.cpp)
target_link_libraries(onnx_driver PRIVATE actforge::core)
actforge_warnings(onnx_driver)

if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME onnx_files
         COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/tools/onnx_files_test.py
                 --driver $<TARGET_FILE:onnx_driver> --root ${PROJECT_SOURCE_DIR})
set_tests_properties(onnx_files PROPERTIES LABELS frameworks TIMEOUT 300 SKIP_RETURN_CODE 77)
