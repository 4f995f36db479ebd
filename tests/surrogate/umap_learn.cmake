# UMAP and the regressors beside umap-learn and scikit-learn; skipped where those are missing.

# The system's Python sees Debian's packages.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_executable(umap_tool surrogate/umap_tool.cpp)
target_link_libraries(umap_tool PRIVATE actforge::core)
actforge_warnings(umap_tool)
add_test(NAME umap_learn
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/umap_learn_test.py $<TARGET_FILE:umap_tool>)
set_tests_properties(umap_learn PROPERTIES LABELS frameworks TIMEOUT 600 COST 120 SKIP_RETURN_CODE 77)
