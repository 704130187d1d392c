# Flags of every target of ours, on one INTERFACE target, never global. -ffp-contract=off and the absence of -ffast-math keep
# one rounding per written operation, which the exact sums rely on.
add_library(recmeter_warnings INTERFACE)
# Who builds it to use it has a compiler that may warn of more than ours: that should not end an installation. Without
# warnings it takes less time, too.
if(RECMETER_DEVELOPER_MODE)
  target_compile_options(recmeter_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
    -Woverloaded-virtual -Wdouble-promotion -Wformat=2 -Werror)
else()
  target_compile_options(recmeter_warnings INTERFACE -w)
endif()
target_compile_options(recmeter_warnings INTERFACE -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Wrong about std::optional whenever it inlines (GCC bug 80635), and differently so in each release. Clang's -Wuninitialized
  # (preset tidy) and the sanitizers look instead.
  target_compile_options(recmeter_warnings INTERFACE -Wno-maybe-uninitialized)
  # Nobody replaces our functions at load time, so those of one file may be inlined into each other, as Clang does anyway.
  target_compile_options(recmeter_warnings INTERFACE -fno-semantic-interposition)
else()
  # Clang sees libstdc++ 12 call its own deprecated std::get_temporary_buffer in std::stable_sort.
  # By -Wdouble-promotion it means double to long double too, which is no accident where long doubles are written.
  target_compile_options(recmeter_warnings INTERFACE -Wno-deprecated-declarations -Wno-double-promotion)
endif()

option(RECMETER_CHECKED_STDLIB "Check indices and iterators of the standard library at run time; slows the hot path" OFF)
if(RECMETER_CHECKED_STDLIB)
  target_compile_definitions(recmeter_warnings INTERFACE _GLIBCXX_ASSERTIONS)
endif()

option(RECMETER_HARDEN "Position-independent executables, read-only relocations, fortified libc calls" OFF)
if(RECMETER_HARDEN)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  # Debian's compilers may define _FORTIFY_SOURCE themselves; redefining it would be a warning.
  target_compile_options(recmeter_warnings INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong)
  target_link_options(recmeter_warnings INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()

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
