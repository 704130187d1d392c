#include "recmeter/web/page.h"

namespace recmeter::web {

void append_report_lines(std::string& out, std::string_view lines) {
  while (true) {
    const std::size_t at = lines.find('<');
    out += lines.substr(0, at);
    if (at == std::string_view::npos) return;
    out += "\\u003c";
    lines.remove_prefix(at + 1);
  }
}

std::string_view plain_csp() noexcept {
  return "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace recmeter::web
