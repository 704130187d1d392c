// `dead_letter`, `state`, `publish`: where something is written or offered.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <array>

#include "config/readers.h"

namespace recmeter::config {

namespace {

void read_fates(Section& section, DeadLetterSpec& spec) {
  constexpr std::array<std::string_view, 3> fates{"invalid", "future", "late"};
  const std::array<bool*, 3> targets{&spec.invalid, &spec.future, &spec.late};
  const auto value = section.take("fates");
  const auto entries = value ? section.reader().list(*value, "[invalid, future]", 16) : std::nullopt;
  if (!entries) return;
  if (entries->empty()) section.reader().complain(*value, "names no fate", "write at least one, or remove `dead_letter`");
  for (bool* target : targets) *target = false;
  for (const Value& entry : *entries) {
    const auto index = section.reader().word(entry, fates);
    if (!index) continue;
    if (*targets[*index]) section.reader().complain_of(entry, "is there twice", "remove one");
    *targets[*index] = true;
  }
}

void read_publish_file(Section& publish, PublishSpec& spec) {
  const auto value = publish.take("file");
  if (!value || !publish.reader().is_mapping(*value, "file: {path: windows.jsonl}")) return;
  Section section(publish.faults(), value->node, value->path);
  PublishSpec::File file;
  section.read(publish_file_keys, file);
  section.finish();
  spec.file = std::move(file);
}

void read_publish_kafka(Section& publish, PublishSpec& spec) {
  const auto value = publish.take("kafka");
  if (!value || !publish.reader().is_mapping(*value, "kafka: {topic: recmeter.windows}")) return;
  Section section(publish.faults(), value->node, value->path);
  PublishSpec::Kafka kafka;
  if (const auto topic = section.take("topic")) kafka.topic = read_topic(section.reader(), *topic).value_or(kafka.topic);
  section.finish();
  spec.kafka = std::move(kafka);
}

void read_publish_experiments(Section& publish, PublishSpec::Experiments& spec) {
  const auto value = publish.take("experiments");
  if (!value || !publish.reader().is_mapping(*value, "experiments: {file: experiments.jsonl}")) return;
  Section section(publish.faults(), value->node, value->path);
  if (const auto file = section.take("file")) spec.file = section.reader().text(*file, path_bytes_max).value_or("");
  if (const auto topic = section.take("topic")) spec.topic = read_topic(section.reader(), *topic).value_or("");
  section.finish();
  if (spec.file.empty() && spec.topic.empty() && publish.faults().none_in({value->path})) {
    publish.reader().complain(*value, "names neither `file` nor `topic`", "write where rows of experiments go");
  }
}

// scheme://host[:port], as frame-ancestors of CSP takes it: nothing in it can end the directive.
bool is_origin(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    const std::string_view host = rest.substr(0, rest.rfind(':'));
    const std::string_view port = host.size() < rest.size() ? rest.substr(host.size() + 1) : "80";
    return !host.empty() && host.find_first_not_of(name_characters) == std::string_view::npos && !port.empty() &&
           port.size() <= 5 && port.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

void read_embed(Section& http, std::vector<std::string>& origins) {
  const auto value = http.take("embed");
  const auto entries = value ? http.reader().list(*value, "[https://grafana.example.org]", 64) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    auto origin = http.reader().text(entry, 300);
    if (!origin) continue;
    if (is_origin(*origin)) {
      origins.push_back(std::move(*origin));
    } else {
      http.reader().complain_of(entry, "is no origin of a page",
                                "write scheme, name and perhaps a port, such as https://grafana.example.org");
    }
  }
}

// Names as they stand in a Host field, without a port.
void read_hosts(Section& http, std::vector<std::string>& hosts) {
  const auto value = http.take("hosts");
  const auto entries = value ? http.reader().list(*value, "[metrics.example.org]", 64) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    auto name = http.reader().text(entry, 253);
    if (!name) continue;
    if (name->find_first_not_of(name_characters) != std::string::npos) {
      http.reader().complain_of(entry, "is no name of a host",
                                "write a name without scheme and port, such as metrics.example.org");
      continue;
    }
    hosts.push_back(std::move(*name));
  }
}

}  // namespace

}  // namespace recmeter::config

namespace recmeter {

std::string address_of(const PublishSpec::Http& http) {
  const bool is_v6 = http.host.find(':') != std::string::npos;
  return (is_v6 ? "[" + http.host + "]" : http.host) + ":" + std::to_string(http.port);
}

bool parse_listen(std::string_view text, PublishSpec::Http& http) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  std::string_view host = text.substr(0, colon);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']') && host.size() > 2;
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  if (host != "localhost") {
    const std::string address(is_bracketed ? host.substr(0, host.find('%')) : host);  // fe80::1%eth0
    in6_addr bytes{};
    if (inet_pton(is_bracketed ? AF_INET6 : AF_INET, address.c_str(), &bytes) != 1) return false;
  }
  const config::Parsed<std::int64_t> port = config::parse_integer(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) return false;
  http.host = std::string(host);
  http.port = static_cast<std::uint16_t>(*port);
  return true;
}

bool is_loopback(const PublishSpec::Http& http) {
  in6_addr v6{};
  if (inet_pton(AF_INET6, http.host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6) != 0;
  return http.host == "localhost" || http.host.starts_with("127.");
}

}  // namespace recmeter

namespace recmeter::config {

void read_dead_letter(Section& root, Config& config) {
  const auto value = root.take("dead_letter");
  if (!value || !root.reader().is_mapping(*value, "dead_letter: {topic: recmeter.dead-letter}")) return;
  Section section(root.faults(), value->node, value->path);
  DeadLetterSpec spec;
  const auto topic = section.take("topic");
  const auto file = section.take("file");
  if (topic) spec.topic = read_topic(section.reader(), *topic).value_or("");
  if (file) spec.file = section.reader().text(*file, path_bytes_max).value_or("");
  if (topic && file) section.reader().complain(*value, "has both `topic` and `file`", "keep one");
  if (!topic && !file) spec.topic = "recmeter.dead-letter";
  read_fates(section, spec);
  section.finish();
  config.dead_letter = std::move(spec);
}

void read_state(Section& root, Config& config) {
  Section state = root.section("state", "state: {dir: state}");
  state.read(state_keys, config.state);
  state.finish();
}

namespace {

constexpr const char* listen_remedy = "write host:port, such as 127.0.0.1:8080 or [::1]:8080";

void read_publish_http(Section& publish, PublishSpec::Http& spec) {
  Section http = publish.section("http", "http: {listen: \"127.0.0.1:8080\"}");
  http.read(http_keys, spec);
  if (const auto listen = http.take("listen")) {
    const auto text = http.reader().text(*listen, 300);
    spec.is_written = true;
    spec.is_on = text != "off";
    if (text && spec.is_on && !parse_listen(*text, spec)) {
      http.reader().complain_of(*listen, "is not an address to listen on", std::string(listen_remedy) + ", or off");
    }
  }
  if (const auto probes = http.take("probes")) {
    PublishSpec::Http there;
    spec.probes = http.reader().text(*probes, 300).value_or("");
    if (!spec.probes.empty() && !parse_listen(spec.probes, there)) {
      http.reader().complain_of(*probes, "is not an address to listen on", listen_remedy);
    }
  }
  read_hosts(http, spec.hosts);
  read_embed(http, spec.embed);
  Section limits = http.section("limits", "limits: {connections_max: 1024}");
  limits.read(http_limits_keys, spec.limits);
  limits.finish();
  http.finish();
}

}  // namespace

void read_publish(Section& root, Config& config) {
  PublishSpec& spec = config.publish;
  Section publish = root.section("publish", "publish: {every: 5s}");
  publish.read(publish_keys, spec);
  read_publish_file(publish, spec);
  read_publish_kafka(publish, spec);
  read_publish_experiments(publish, spec.experiments);
  read_publish_http(publish, spec.http);
  publish.finish();
}

}  // namespace recmeter::config
