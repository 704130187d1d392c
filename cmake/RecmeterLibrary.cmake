# recmeter_library(<name> SOURCES ... [PUBLIC target...] [PRIVATE target...]): a static library of ours.
function(recmeter_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/include" PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE recmeter_warnings ${arg_PRIVATE})
endfunction()

# recmeter_test(<name> LABEL <label> SOURCES ... [LINK target...]): a GoogleTest program, every test known to ctest by name.
function(recmeter_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests" "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${name} PRIVATE
    RECMETER_SOURCE_DIR="${PROJECT_SOURCE_DIR}" RECMETER_SHARED_DATA="${PROJECT_SOURCE_DIR}/../shared/data")
  target_link_libraries(${name} PRIVATE recmeter_warnings ${arg_LINK} GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120 PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
endfunction()
