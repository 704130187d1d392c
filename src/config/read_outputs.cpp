// `dead_letter`, `state`, `publish`: where something is written or offered.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include <array>

#include "config/readers.h"

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

// Names as they stand in a Host field, without a port.
void read_hosts(Section& http, std::vector<std::string>& hosts) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._";
  const auto value = http.take("hosts");
  const auto entries = value ? http.reader().list(*value, "[metrics.example.org]", 64) : std::nullopt;
  if (!entries) return;
  for (const Value& entry : *entries) {
    auto name = http.reader().text(entry, 253);
    if (!name) continue;
    if (name->find_first_not_of(letters) != std::string::npos) {
      http.reader().complain_of(entry, "is no name of a host",
                                "write a name without scheme and port, such as metrics.example.org");
      continue;
    }
    hosts.push_back(std::move(*name));
  }
}

// Low enough that a small machine is safe, high enough that none is in the way; what is beyond is a mistake in writing.
void read_http_limits(Section& http, PublishSpec::HttpLimits& limits) {
  constexpr std::uint64_t kib = 1024;
  constexpr std::uint64_t mib = kib * kib;
  constexpr Range<std::int64_t> connections{1, 1'000'000};
  constexpr Range<Duration> deadline{Duration{100}, Duration{3'600'000}};
  Section section = http.section("limits", "limits: {connections_max: 1024}");
  section.read("connections_max", limits.connections_max, connections);
  section.read("peer_connections_max", limits.peer_connections_max, connections);
  section.read_size("header_bytes_max", limits.header_bytes_max, {kib, mib});
  section.read("fields_max", limits.fields_max, {8, 10'000});
  section.read_size("body_bytes_max", limits.body_bytes_max, {kib, 64 * mib});
  section.read_size("pending_bytes_max", limits.pending_bytes_max, {mib, 64 * kib * mib});
  section.read_size("stream_bytes_max", limits.stream_bytes_max, {16 * kib, 64 * mib});
  section.read("header", limits.header, deadline);
  section.read("body", limits.body, deadline);
  section.read("idle", limits.idle, deadline);
  section.read("write", limits.write, deadline);
  section.read("linger", limits.linger, deadline);
  section.read("heartbeat", limits.heartbeat, deadline);
  section.read("retry", limits.retry, deadline);
  section.finish();
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

namespace {

constexpr const char* listen_remedy = "write host:port, such as 127.0.0.1:8080 or [::1]:8080";

void read_publish_http(Section& publish, PublishSpec::Http& spec) {
  Section http = publish.section("http", "http: {listen: \"127.0.0.1:8080\"}");
  if (const auto listen = http.take("listen")) {
    const auto text = http.reader().text(*listen, 300);
    spec.is_written = true;
    spec.is_on = text != "off";
    if (text && spec.is_on && !parse_listen(*text, spec)) {
      http.reader().complain_of(*listen, "is no address to listen on", std::string(listen_remedy) + ", or off");
    }
  }
  if (const auto probes = http.take("probes")) {
    PublishSpec::Http there;
    spec.probes = http.reader().text(*probes, 300).value_or("");
    if (!spec.probes.empty() && !parse_listen(spec.probes, there)) {
      http.reader().complain_of(*probes, "is no address to listen on", listen_remedy);
    }
  }
  http.read("token_file", spec.token_file, path_bytes_max);
  http.read("certificate", spec.certificate, path_bytes_max);
  http.read("key", spec.key, path_bytes_max);
  http.read("force", spec.force);
  read_hosts(http, spec.hosts);
  read_http_limits(http, spec.limits);
  http.finish();
}

}  // namespace

void read_publish(Section& root, Config& config) {
  PublishSpec& spec = config.publish;
  Section publish = root.section("publish", "publish: {every: 5s}");
  publish.read("every", spec.every, {Duration{100}, Duration{86'400'000}});
  read_publish_file(publish, spec);
  read_publish_kafka(publish, spec);
  read_publish_http(publish, spec.http);
  publish.finish();
}

}  // namespace recmeter::config
