# Warnings and sanitizers for our own targets only: imported headers are not ours to fix.
function(switchscope_target target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<BOOL:${SWITCHSCOPE_WERROR}>:-Werror>)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()
