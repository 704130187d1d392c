# Third-party packages, all from Debian. scripts/packages.txt installs them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tl-expected REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.81 REQUIRED CONFIG)  # headers only (Boost.Math, Asio, Beast); CMake's own FindBoost is on its way out
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
find_library(RECMETER_CCTZ cctz REQUIRED)  # Debian ships neither a CMake nor a pkg-config file of it
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(SNAPPY REQUIRED IMPORTED_TARGET snappy)
if(NOT RECMETER_CORE_ONLY)
  pkg_check_modules(RDKAFKA REQUIRED IMPORTED_TARGET rdkafka)
  find_package(OpenSSL 3.0 REQUIRED)
  find_package(CURL REQUIRED)
  pkg_check_modules(PROTOBUF REQUIRED IMPORTED_TARGET protobuf)
  pkg_check_modules(ROCKSDB REQUIRED IMPORTED_TARGET rocksdb)
endif()
if(TARGET yaml-cpp AND NOT TARGET yaml-cpp::yaml-cpp)  # its name before 0.8
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

if(RECMETER_DEVELOPER_MODE)
  find_package(GTest REQUIRED)
  pkg_check_modules(AVRO REQUIRED IMPORTED_TARGET avro-c)  # for tests of our own reader
  find_package(nlohmann_json REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  include(GoogleTest)
endif()
