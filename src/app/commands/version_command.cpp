// The command `recmeter version`: of the program and of what it is built with. [I2]
#include <fmt/format.h>
#include <xxhash.h>
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <boost/version.hpp>

#include "app/commands/command.h"
#include "app/console/standard_output.h"
#include "app/console/version.h"

namespace recmeter {

namespace {

ExitCode run_version() {
  const BuildFacts& facts = build_facts();
  return print(
      fmt::format("recmeter {}\nbuild {}, {}\nlibraries: boost {}, simdjson {}, yaml-cpp {}, zlib {}, zstd {}, xxhash {}\n",
                  facts.version, facts.type, facts.compiler, BOOST_LIB_VERSION, facts.simdjson, facts.yaml_cpp, zlibVersion(),
                  facts.zstd, XXH_versionNumber()));
}

Command define_version(CLI::App& parser) {
  CLI::App* sub = parser.add_subcommand("version", "Tell version, build and libraries");
  return {sub, [](const std::atomic<bool>& /*stop*/) { return run_version(); }};
}

const CommandRegistration version_registration(CommandPlace::version, define_version);

}  // namespace

}  // namespace recmeter
