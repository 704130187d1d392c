// `kafka`: how topics are reached and read.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/nearest.h"
#include "config/readers.h"

namespace recmeter::config {

namespace {

struct Owned {
  std::string_view property;
  std::string_view remedy;
};
// What recmeter sets itself, because its results depend on it.
constexpr std::array<Owned, 17> owned_properties{{
    {"bootstrap.servers", "write kafka.brokers"},
    {"metadata.broker.list", "write kafka.brokers"},
    {"group.id", "write kafka.group"},
    {"session.timeout.ms", "write kafka.session"},
    {"auto.offset.reset", "write kafka.start and kafka.on_gap"},
    {"enable.auto.commit", "remove it: positions are part of the state, and offsets are committed after a checkpoint"},
    {"auto.commit.interval.ms", "remove it: offsets are committed after a checkpoint"},
    {"enable.auto.offset.store", "remove it: offsets are stored after a checkpoint"},
    {"offset.store.method", "remove it: offsets are stored after a checkpoint"},
    {"partition.assignment.strategy", "remove it: every partition of a topic is read"},
    {"enable.partition.eof", "remove it: the ends of partitions decide what is idle"},
    {"queued.min.messages", "write kafka.memory"},
    {"queued.max.messages.kbytes", "write kafka.memory"},
    {"enable.idempotence", "remove it: rows are published under keys that make repetition harmless"},
    {"transactional.id", "remove it: rows are published under keys that make repetition harmless"},
    {"allow.auto.create.topics", "remove it: a topic that is missing is an error"},
    {"statistics.interval.ms", "remove it: statistics feed the program's own counters"},
}};

void read_brokers(Section& kafka, KafkaSpec& spec) {
  const auto value = kafka.take("brokers");
  const auto text = value ? kafka.reader().text(*value, 4096) : std::nullopt;
  if (!text) return;
  std::string_view rest = *text;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view broker = rest.substr(0, comma);
    const bool is_after_comma = rest.size() < text->size();
    while (is_after_comma && broker.starts_with(' ')) broker.remove_prefix(1);
    const std::size_t colon = broker.rfind(':');
    const Parsed<std::int64_t> port =
        parse_integer(colon == std::string_view::npos ? std::string_view{"9092"} : broker.substr(colon + 1));
    if (broker.empty() || colon == 0 || broker.find(' ') != std::string_view::npos || !port || *port < 1 || *port > 65535) {
      kafka.reader().complain_of(*value, "is not a list of brokers", "write host:port, several joined by commas");
      return;
    }
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  spec.brokers = *text;
}

void read_start(Section& kafka, KafkaSpec& spec) {
  const auto value = kafka.take("start");
  const auto text = value ? kafka.reader().text(*value, 64) : std::nullopt;
  if (!text) return;
  constexpr std::array<std::string_view, 3> words{"stored", "earliest", "latest"};
  const auto word = std::ranges::find(words, *text);
  if (word != words.end()) {
    spec.start = static_cast<KafkaSpec::Start>(word - words.begin());
    return;
  }
  if (text->starts_with('-')) {
    const Parsed<Duration> ago = parse_duration(std::string_view(*text).substr(1));
    if (ago && ago->ms > 0) {
      spec.start = KafkaSpec::Start::ago;
      spec.start_ago = *ago;
      return;
    }
  }
  const Parsed<EventTime> time = parse_time(*text);
  if (time) {
    spec.start = KafkaSpec::Start::at_time;
    spec.start_time = *time;
    return;
  }
  const std::string question = name_question(*text, words);
  kafka.reader().complain_of(
      *value, "is no place to start",
      question.empty() ? "write stored, earliest, latest, a time such as 2026-11-20T00:00:00Z, or -3d" : question);
}

void read_properties(Section& kafka, KafkaSpec& spec) {
  const auto value = kafka.take("properties");
  if (!value || !kafka.reader().is_mapping(*value, "properties: {security.protocol: ssl}")) return;
  for (std::size_t i = 0; i < value->node->keys.size(); ++i) {
    const std::string& name = value->node->keys[i];
    const Value property{&value->node->items[i], joined(value->path, shortened(name))};
    const Place place = value->node->key_places[i];
    const auto is_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_'; };
    const auto owned = std::ranges::find(owned_properties, name, &Owned::property);
    if (owned != owned_properties.end()) {
      kafka.faults().add(place, property.path, "is set by recmeter itself", std::string(owned->remedy));
    } else if (name.empty() || !std::ranges::all_of(name, is_name)) {
      kafka.faults().add(place, property.path, "is no name of a librdkafka property", "write it like security.protocol");
    } else if (property.node->kind == Node::Kind::null) {
      kafka.faults().add(place, property.path, "has no value", "give it one, or remove the line");
    } else if (property.node->kind != Node::Kind::scalar) {
      kafka.reader().complain(property, "is not a single value", "write it as one value, as librdkafka takes it");
    } else if (!property.node->is_broken) {
      spec.properties[name] = property.node->text;
    }
  }
}

}  // namespace

std::optional<std::string> read_topic(ValueReader& reader, const Value& value) {
  auto topic = reader.text(value, 249);
  if (!topic) return std::nullopt;
  if (*topic != "." && *topic != ".." && topic->find_first_not_of(name_characters) == std::string::npos) return topic;
  reader.complain_of(value, "is no name of a topic", "write letters, digits, `.`, `_` and `-`; for a path, write `file:`");
  return std::nullopt;
}

void read_kafka(Section& root, Config& config) {
  KafkaSpec& spec = config.kafka;
  Section kafka = root.section("kafka", "kafka: {brokers: \"localhost:9092\"}");
  kafka.read(kafka_keys, spec);
  read_brokers(kafka, spec);
  read_start(kafka, spec);
  read_properties(kafka, spec);
  kafka.finish();
}

}  // namespace recmeter::config
