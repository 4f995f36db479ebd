# Writes OUTPUT, a C++ file in which FUNCTION() of HEADER gives the bytes of INPUT; run by `cmake -P` during the build.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace actforge {

std::span<const std::uint8_t> ${FUNCTION}() {
  static constexpr std::uint8_t kBytes[] = {
${bytes}
  };
  return kBytes;
}

}  // namespace actforge
")
