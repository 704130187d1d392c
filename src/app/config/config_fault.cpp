#include "app/config/config_fault.h"

#include <fmt/format.h>

#include "app/config/scalar.h"

namespace recmeter {

std::string to_text(const ConfigFault& fault) {
  std::string text = fmt::format("{}:{}:{}: ", fault.file, fault.line, fault.column);
  if (!fault.path.empty()) text += fault.path + ": ";
  text += fault.message;
  if (!fault.remedy.empty()) text += "; " + fault.remedy;
  return text;
}

std::string to_json(std::span<const ConfigFault> faults) {
  std::string json = "[";
  for (const ConfigFault& fault : faults) {
    if (json.size() > 1) json += ',';
    json += fmt::format(R"({{"file":{},"line":{},"column":{},"path":{},"message":{},"remedy":{}}})",
                        config::json_string(fault.file), fault.line, fault.column, config::json_string(fault.path),
                        config::json_string(fault.message), config::json_string(fault.remedy));
  }
  return json + "]";
}

}  // namespace recmeter
