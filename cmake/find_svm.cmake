# libsvm brings no CMake files. Installed with the library's own, as the library is static.
if(NOT TARGET actforge_svm)
  find_path(ACTFORGE_SVM_INCLUDE libsvm/svm.h REQUIRED)
  find_library(ACTFORGE_SVM_LIBRARY svm REQUIRED)
  add_library(actforge_svm INTERFACE IMPORTED)
  target_include_directories(actforge_svm INTERFACE ${ACTFORGE_SVM_INCLUDE})
  target_link_libraries(actforge_svm INTERFACE ${ACTFORGE_SVM_LIBRARY})
endif()
