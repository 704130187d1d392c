// `dead_letter`, `state`, `publish`: where something is written or offered.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <array>

#include "app/config/readers.h"

namespace recmeter::config {

namespace {

constexpr Range<std::uint64_t> memory_range{std::uint64_t{16} << 20, std::uint64_t{1} << 44};

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
  section.read("path", file.path, path_bytes_max);
  section.read("provisional", file.provisional);
  section.read("rotate", file.rotate, {Duration{60'000}, year});
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
  constexpr std::array<std::string_view, 1> durabilities{"process"};
  StateSpec& spec = config.state;
  Section state = root.section("state", "state: {dir: state}");
  state.read("dir", spec.dir, path_bytes_max);
  state.read_size("memory", spec.memory, memory_range);
  state.read("checkpoint_every", spec.checkpoint_every, {Duration{10}, Duration{3'600'000}});
  state.read("durability", spec.durability, durabilities);
  state.read("keep_results", spec.keep_results, {Duration{0}, duration_max});
  state.finish();
}

void read_publish(Section& root, Config& config) {
  PublishSpec& spec = config.publish;
  Section publish = root.section("publish", "publish: {every: 5s}");
  publish.read("every", spec.every, {Duration{100}, Duration{86'400'000}});
  read_publish_file(publish, spec);
  read_publish_kafka(publish, spec);
  Section http = publish.section("http", "http: {listen: \"127.0.0.1:8080\"}");
  if (const auto listen = http.take("listen")) {
    const auto text = http.reader().text(*listen, 300);
    spec.http.is_written = true;
    spec.http.is_on = text != "off";
    if (text && spec.http.is_on && !parse_listen(*text, spec.http)) {
      http.reader().complain_of(*listen, "is no address to listen on",
                                "write host:port, such as 127.0.0.1:8080 or [::1]:8080, or off");
    }
  }
  http.read("token_file", spec.http.token_file, path_bytes_max);
  http.read("certificate", spec.http.certificate, path_bytes_max);
  http.read("key", spec.http.key, path_bytes_max);
  http.read("force", spec.http.force);
  http.finish();
  publish.finish();
}

}  // namespace recmeter::config
