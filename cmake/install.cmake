# find_package(actforge CONFIG) gives actforge::core, all rooms without LibTorch, and actforge::train, all with it; each
# room is a target of its own too (actforge::expr). Headers are <actforge/...>.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)

get_property(core_rooms GLOBAL PROPERTY ACTFORGE_ROOMS)
list(REMOVE_ITEM core_rooms torch)
list(TRANSFORM core_rooms PREPEND actforge_)
install(TARGETS ${core_rooms} actforge_core EXPORT actforge-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT actforge-targets NAMESPACE actforge:: DESTINATION ${package_folder})
if(ACTFORGE_TOOLS)
  install(TARGETS actforge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Where each shell, and man, look for them.
  install(FILES ${ACTFORGE_PAGES}/actforge DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${ACTFORGE_PAGES}/_actforge DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${ACTFORGE_PAGES}/actforge.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${ACTFORGE_PAGES}/actforge.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
# In a file of its own, so that who wants the core alone needs no LibTorch.
if(ACTFORGE_LIBTORCH)
  install(TARGETS actforge_torch actforge_train EXPORT actforge-train-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT actforge-train-targets NAMESPACE actforge:: DESTINATION ${package_folder})
endif()
if(TARGET actforge-torch)
  install(TARGETS actforge-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# Every header of the library; those of the SIMD kernels (-inl.h) belong to one source file.
install(DIRECTORY src/actforge/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/actforge
        FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE)

configure_package_config_file(cmake/actforge-config.cmake.in actforge-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(actforge-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/find_svm.cmake ${PROJECT_BINARY_DIR}/actforge-config.cmake ${PROJECT_BINARY_DIR}/actforge-config-version.cmake
        DESTINATION ${package_folder})
