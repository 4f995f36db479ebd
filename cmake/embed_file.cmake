# actforge_embed(FILE FUNCTION HEADER TYPE OUT)
#
# The bytes of FILE as part of the library: during the build, and again whenever FILE changes, a C++ file is written that
# defines FUNCTION(), which HEADER declares. TYPE is what it returns: std::span<const std::uint8_t>, or std::string_view
# for text. OUT is set to the generated file, for the SOURCES of a room.
function(actforge_embed file function header type out)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake)
  add_custom_command(OUTPUT ${generated}
                     COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${generated} -DFUNCTION=${function}
                             -DHEADER=${header} -DTYPE=${type} -P ${script}
                     DEPENDS ${file} ${script} VERBATIM)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()

# What follows is run by `cmake -P` during the build.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

file(READ ${INPUT} bytes HEX)
# A char may be signed, so text is a string of escapes; a string's length, not the zero behind it, says where it ends.
if(TYPE STREQUAL "std::string_view")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REPLACE "\\x0a" "\\x0a\"\n    \"" bytes "${bytes}")  # a line each
  set(body "  static constexpr char kText[] =\n    \"${bytes}\";\n  return {kText, sizeof kText - 1};")
else()
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  set(body "  static constexpr std::uint8_t kBytes[] = {\n${bytes}\n  };\n  return kBytes;")
endif()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace actforge {

${TYPE} ${FUNCTION}() {
${body}
}

}  // namespace actforge
")
