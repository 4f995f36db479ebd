# Exported functions, executed by the frameworks they were written for; skipped where a framework is missing.

set(export_list ${CMAKE_CURRENT_LIST_DIR}/export_expressions.txt)

# What export_test.cpp needs: ONNX to read exports back, a compiler to try the C++ ones, and the list of functions.
target_link_libraries(test_expr PRIVATE onnx_proto)
target_compile_definitions(test_expr PRIVATE ACTFORGE_TEST_CXX="${CMAKE_CXX_COMPILER}"
                                             ACTFORGE_EXPORT_LIST="${export_list}")

add_executable(export_driver ${CMAKE_CURRENT_LIST_DIR}/export_driver.cpp)
target_link_libraries(export_driver PRIVATE actforge::core nlohmann_json::nlohmann_json)
target_include_directories(export_driver PRIVATE ${PROJECT_SOURCE_DIR})
actforge_warnings(export_driver)

# The system's Python sees Debian's python3-torch; export_frameworks_test.py finds the other frameworks itself.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

foreach(framework pytorch keras keras2 tensorflow jax onnx)
  add_test(NAME export_${framework}
           COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/export_frameworks_test.py ${framework}
                   --driver $<TARGET_FILE:export_driver> --list ${export_list} --root ${PROJECT_SOURCE_DIR})
  set_tests_properties(export_${framework} PROPERTIES LABELS frameworks TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()

# Their names in the language, against their own functions.
foreach(framework pytorch keras keras2 jax)
  add_test(NAME alias_${framework}
           COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/alias_frameworks_test.py ${framework}
                   --program $<TARGET_FILE:actforge> --root ${PROJECT_SOURCE_DIR})
  set_tests_properties(alias_${framework} PROPERTIES LABELS frameworks TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()
