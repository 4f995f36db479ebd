# find_package(actforge CONFIG) gives actforge::core, the library, with the headers under <actforge/...>.
include(CMakePackageConfigHelpers)

install(TARGETS actforge_core EXPORT actforge-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS actforge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/actforge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE)
install(EXPORT actforge-targets NAMESPACE actforge::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)

configure_package_config_file(cmake/actforge-config.cmake.in actforge-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)
write_basic_package_version_file(actforge-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/actforge-config.cmake ${PROJECT_BINARY_DIR}/actforge-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/actforge)
