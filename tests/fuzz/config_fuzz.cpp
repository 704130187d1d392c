// Any bytes are a configuration. Loading must not crash, and must give a configuration or faults that a person can read, each
// at a place in the text; and it must cost no more than its size warrants. What is loaded is kept in a state as text, and
// that text is loaded as the same, or attach refuses to begin.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "config/config_change.h"
#include "config/load_config.h"
#include "fuzz/cost.h"
#include "recmeter/base/text_check.h"

namespace {

using namespace recmeter;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "config_fuzz: %s\n", what);
  std::abort();
}

const ConfigContext context{.environment = [](const std::string& name) -> std::optional<std::string> {
                              if (name == "A") return "a";
                              if (name == "N") return "17";
                              if (name == "ODD") return std::string("\x01\xff${A}\n- x: [");
                              return std::nullopt;
                            },
                            .read_catalog = [](const std::string& path, std::size_t, const std::string&) -> Result<Catalog> {
                              return failure(Errc::input_missing, "there is no file: " + path);
                            }};

void check_fault(const ConfigFault& fault, std::string_view text) {
  const auto lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
  require(fault.line >= 1 && fault.column >= 1 && fault.line <= lines + 1, "a fault is at a place of the text");
  const std::string line = to_text(fault);
  require(!fault.message.empty() && line.find('\n') == std::string::npos, "a fault is a line");
  require(is_text(line, line.size()), "a fault can be read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Cost cost("config_fuzz");
  const std::string text(data, data + size);
  const auto config = load_config(text, "fuzz.yaml", context);
  if (!config) {
    require(!config.error().empty(), "what is refused has a fault");
    for (const ConfigFault& fault : config.error()) check_fault(fault, text);
    static_cast<void>(to_json(config.error()));
    return 0;
  }
  const auto again = load_config(config->kept_text, "kept.yaml", context);
  if (again) static_cast<void>(config_changes(*again, *config));
  return 0;
}
