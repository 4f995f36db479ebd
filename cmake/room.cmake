# actforge_room(NAME [LIGHT] [USES room...] [PUBLIC library...] [PRIVATE library...] [SOURCES file...] [PRECOMPILE header...])
#
# A room of the source map, src/actforge/README.md, as a static library: every .cpp file below src/actforge/NAME, and what
# was generated (SOURCES). USES repeats the map's last column for the linker; include_order_test.py holds both to the map.
# PUBLIC are libraries that its headers include. PRECOMPILE: large headers that most of its files include. LIGHT: it reads, writes
# and decides; there is nothing in it to be gained from -O3, which takes longer to compile. Installed and exported as
# actforge::NAME.
function(actforge_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "LIGHT" "" "USES;PUBLIC;PRIVATE;SOURCES;PRECOMPILE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(actforge_${name} STATIC ${sources} ${room_SOURCES})
  add_library(actforge::${name} ALIAS actforge_${name})
  set_target_properties(actforge_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(actforge_${name} PUBLIC cxx_std_20)
  target_include_directories(actforge_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  list(TRANSFORM room_USES PREPEND actforge_)
  target_link_libraries(actforge_${name} PUBLIC ${room_USES} ${room_PUBLIC} PRIVATE ${room_PRIVATE})
  actforge_warnings(actforge_${name})
  if(room_LIGHT)
    target_compile_options(actforge_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(room_PRECOMPILE)
    target_precompile_headers(actforge_${name} PRIVATE ${ACTFORGE_STANDARD_HEADERS} ${room_PRECOMPILE})
    # From a precompiled header GCC 12 inlines without knowing that the code is the standard library's, and warns of what is
    # right in it.
    target_compile_options(actforge_${name} PRIVATE
                           "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
  set_property(GLOBAL APPEND PROPERTY ACTFORGE_ROOMS ${name})
endfunction()
