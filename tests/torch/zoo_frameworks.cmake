# Networks of the zoo beside those of torchvision and timm, with the same weights; skipped where these are missing.
add_executable(zoo_driver ${CMAKE_CURRENT_LIST_DIR}/zoo_driver.cpp)
target_link_libraries(zoo_driver PRIVATE actforge::train)
target_precompile_headers(zoo_driver REUSE_FROM actforge_torch)
actforge_warnings(zoo_driver)

if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME zoo_frameworks
         COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_LIST_DIR}/zoo_frameworks_test.py
                 --driver $<TARGET_FILE:zoo_driver> --root ${PROJECT_SOURCE_DIR})
set_tests_properties(zoo_frameworks PROPERTIES LABELS frameworks TIMEOUT 300 SKIP_RETURN_CODE 77
                                     ENVIRONMENT "OMP_WAIT_POLICY=PASSIVE")
