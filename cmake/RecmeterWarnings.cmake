# Flags of every target of ours, on one INTERFACE target, never global. -ffp-contract=off and the absence of -ffast-math keep
# one rounding per written operation, which the exact sums rely on.
add_library(recmeter_warnings INTERFACE)
target_compile_options(recmeter_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Werror
  -ffp-contract=off)

set(RECMETER_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
if(RECMETER_SANITIZE)
  add_compile_options(-fsanitize=${RECMETER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RECMETER_SANITIZE})
endif()

option(RECMETER_COVERAGE "Instrument for coverage" OFF)
if(RECMETER_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
