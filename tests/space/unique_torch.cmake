# Unique functions beside a plain implementation in PyTorch; skipped where that is missing.

# The system's Python sees Debian's python3-torch.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_test(NAME unique_torch
         COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/unique_torch_test.py $<TARGET_FILE:actforge>)
set_tests_properties(unique_torch PROPERTIES LABELS frameworks TIMEOUT 300 SKIP_RETURN_CODE 77)
