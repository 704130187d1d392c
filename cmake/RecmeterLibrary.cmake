# RECMETER_UNITY: several sources of a library are compiled as one: a third of the processor time of a build from nothing,
# more of a build after a change. A source shares its unnamed namespace with its neighbours. Presets `dev`, `core-only` and
# the sanitizers compile each source alone, and notice what one forgot to include (decision 57).
function(recmeter_batches name)
  if(RECMETER_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 45)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:recmeter_batch_warnings>)
  endif()
endfunction()
# A name of one source hides one of its neighbour's, by nobody's mistake. Linked last: the last word holds.
add_library(recmeter_batch_warnings INTERFACE)
# In what was precompiled the optimiser does not know a system header, and warns of it.
target_compile_options(recmeter_batch_warnings INTERFACE
  -Wno-shadow -Wno-subobject-linkage -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict)

# recmeter_library(<name> [LIGHT] SOURCES ... [PUBLIC target...] [PRIVATE target...]): a static library of ours. LIGHT: no
# event passes through it. Optimising all of these in full would be a quarter of a build from nothing.
function(recmeter_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LIGHT" "" "SOURCES;PUBLIC;PRIVATE")
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE $<BUILD_INTERFACE:recmeter_warnings> ${arg_PRIVATE})
  recmeter_batches(${name})
  set(headers recmeter_library_headers)
  if(arg_LIGHT)
    set(headers recmeter_light_headers)
    recmeter_light(${name})
  endif()
  if(RECMETER_SANITIZE OR RECMETER_COVERAGE OR RECMETER_UNITY)
    recmeter_precompiled_library_headers(${name} ${headers})
  endif()
endfunction()

function(recmeter_light name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()

# What nearly every source includes is compiled once per build: of the product in instrumented builds and in batches alone, so
# that no source of it comes to rely on that. `headers`: a target for each way of optimising, since what was compiled is good
# for no other (GCC 14).
function(recmeter_precompiled_library_headers name headers)
  if(CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  if(NOT TARGET ${headers})
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/${headers}.cpp" CONTENT "namespace recmeter {}\n")
    add_library(${headers} OBJECT "${PROJECT_BINARY_DIR}/${headers}.cpp")
    target_link_libraries(${headers} PRIVATE recmeter_warnings fmt::fmt)
    if(headers STREQUAL "recmeter_light_headers")
      recmeter_light(${headers})
    endif()
    recmeter_precompile(${headers}
      <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque>
      <fmt/format.h> <functional> <limits> <map> <memory> <optional> <set> <span> <string> <string_view> <tuple>
      <unordered_map> <utility> <variant> <vector>)
  endif()
  # Its macros are part of what was compiled.
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  recmeter_precompile(${name} REUSE_FROM ${headers})
endfunction()

# target_precompile_headers() with what ccache asks for besides.
function(recmeter_precompile name)
  target_compile_options(${name} PRIVATE $<IF:$<CXX_COMPILER_ID:GNU>,-fpch-preprocess,SHELL:-Xclang -fno-pch-timestamp>)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${name} ${ARGN})
  else()
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# recmeter_test(<name> LABEL <label> [SLOW] [TIMEOUT <seconds>] SOURCES ... [LINK target...]): a GoogleTest program, every
# test known to ctest by name. SLOW adds the label `slow`: the sanitizer runs of scripts/test leave such tests to --full.
function(recmeter_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW" "LABEL;TIMEOUT" "SOURCES;LINK")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  recmeter_test_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest_main)
  recmeter_precompiled_test_headers(${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120 PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
  if(arg_SLOW)
    # gtest_discover_tests() cannot hand on a list, so the second label comes when ctest reads the discovered tests.
    set(labels_file "${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake")
    file(WRITE "${labels_file}" "set_tests_properties(\${${name}_TESTS} PROPERTIES LABELS \"${arg_LABEL};slow\")\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labels_file}")
  endif()
endfunction()

# recmeter_fuzz_target(<name> CORPUS <directory> SOURCES ... [LINK target...]): SOURCES define LLVMFuzzerTestOneInput. With
# RECMETER_FUZZ it is a libFuzzer program, part of the target fuzz_targets; otherwise it runs its corpus once, as a ctest.
option(RECMETER_FUZZ "Build the fuzz targets for libFuzzer (preset fuzz)" OFF)
function(recmeter_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  recmeter_test_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(RECMETER_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_property(TARGET ${name} PROPERTY RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
    add_dependencies(fuzz_targets ${name})
    file(WRITE "${PROJECT_BINARY_DIR}/fuzz/${name}.corpus" "${arg_CORPUS}\n")
  else()
    target_sources(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/fuzz/replay_corpus.cpp")
    add_test(NAME ${name}.replays_its_corpus COMMAND ${name} "${arg_CORPUS}")
    set_tests_properties(${name}.replays_its_corpus PROPERTIES LABELS fuzz TIMEOUT 300)
  endif()
endfunction()

# What nearly every test includes is compiled once per build: a third of the compile time of tests. No test relies on it: each
# includes what it uses, and preset tidy builds without.
function(recmeter_precompiled_test_headers name)
  if(CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  if(NOT TARGET recmeter_test_headers)
    file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/test_headers.cpp" CONTENT "int main() {}\n")
    add_executable(recmeter_test_headers "${PROJECT_BINARY_DIR}/test_headers.cpp")
    recmeter_test_settings(recmeter_test_headers)
    target_link_libraries(recmeter_test_headers PRIVATE GTest::gtest_main)
    recmeter_precompile(recmeter_test_headers <gtest/gtest.h> <algorithm> <array> <cstdint> <functional>
      <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
  endif()
  recmeter_precompile(${name} REUSE_FROM recmeter_test_headers)
endfunction()

# What test programs of either kind see: sources of the tests, private headers of the core, where the checkout stands.
function(recmeter_test_settings name)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${name} PRIVATE
    RECMETER_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RECMETER_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
  target_link_libraries(${name} PRIVATE recmeter_warnings)
  # What is tested is optimised as the preset says, and so is tests/support, where their time goes. Optimising the tests
  # themselves costs a quarter of their compile time, instrumented ones half of it.
  target_compile_options(${name} PRIVATE -O0)
  if(NOT RECMETER_SANITIZE AND NOT RECMETER_COVERAGE)
    target_compile_options(${name} PRIVATE -g0)
  endif()
endfunction()

if(RECMETER_FUZZ)
  add_custom_target(fuzz_targets)
endif()
