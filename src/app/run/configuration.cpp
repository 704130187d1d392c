#include "app/run/configuration.h"

#include <iostream>

#include "app/console/messages.h"
#include "config/load_config.h"

namespace recmeter {

std::optional<Config> configuration_from(const std::string& path, Result<void> (*check_live)(const Config&)) {
  ConfigContext context = process_context();
  if (check_live != nullptr) context.check_live = check_live;
  auto config = path.empty() ? load_config("", "defaults", context) : load_config_file(path, context);
  if (config) return std::move(*config);
  if (message_form() == MessageForm::json) {
    std::cerr << json_message("error", to_string(Errc::config_invalid), "faults", to_json(config.error()));
    return std::nullopt;
  }
  for (const ConfigFault& fault : config.error()) complain({Errc::config_invalid, to_text(fault)});
  return std::nullopt;
}

void tell_unused_keys(const Config& config) {
  if (config.prequential.recommenders.empty()) return;
  say(Notice::configuration_read,
      "`recommenders` and `prequential` count for nothing here: recmeter prequential judges them");
}

Result<void> listen_at(const std::string& address, PublishSpec::Http& http) {
  if (parse_listen(address, http)) return {};
  return failure(Errc::config_invalid,
                 "--listen: " + address + " is not an address to listen on; write host:port, such as 127.0.0.1:8080");
}

}  // namespace recmeter
