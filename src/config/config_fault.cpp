#include "config/config_fault.h"

#include <fmt/format.h>

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

// Also of a path that is no UTF-8.
std::string json_text(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

}  // namespace

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
    json += fmt::format(R"({{"file":{},"line":{},"column":{},"path":{},"message":{},"remedy":{}}})", json_text(fault.file),
                        fault.line, fault.column, json_text(fault.path), json_text(fault.message), json_text(fault.remedy));
  }
  return json + "]";
}

}  // namespace recmeter
