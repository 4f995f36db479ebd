# Warnings for our own targets only; a consumer of the installed library does not inherit them.
function(actforge_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wnon-virtual-dtor -Wold-style-cast)
endfunction()
