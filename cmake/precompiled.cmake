# The headers of the standard library that nearly every file includes. A precompiled header pays where files include more than
# these, such as GoogleTest or nlohmann's JSON: loading it takes as long as parsing a few small headers.
set(ACTFORGE_STANDARD_HEADERS <algorithm> <array> <charconv> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
    <memory> <numeric> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector>)

# The first target of a kind (test, tool) compiles the header, with ARGN in it, the others use it. That needs the same flags,
# which the targets of one kind have.
function(actforge_precompile kind target)
  get_property(first GLOBAL PROPERTY ACTFORGE_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    set_property(GLOBAL PROPERTY ACTFORGE_PRECOMPILED_${kind} ${target})
    target_precompile_headers(${target} PRIVATE ${ACTFORGE_STANDARD_HEADERS} ${ARGN})
  endif()
endfunction()
