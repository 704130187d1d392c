// Puts logs into a topic: recmeter_produce [--transactions LINES | --open] BROKERS TOPIC FILE...
//
// Makes the topic with a partition for each file, kept for ever, and produces each line of file i to partition i, in order
// and acknowledged, with the record's own `ts` as the message's timestamp (the beginning of time where a line has none).
// With --transactions so many lines at a time are one transaction, and each third is aborted and made once more. With --open
// all of them are one transaction, which is committed when standard input ends.
#include <librdkafka/rdkafka.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* largest = "8388608";  // message in bytes
constexpr int ask_ms = 60'000;

[[noreturn]] void fail(const std::string& what) {
  std::cerr << "recmeter_produce: " << what << '\n';
  std::exit(1);
}

std::int64_t time_of(const std::string& line) {
  const std::size_t at = line.find("\"ts\":");
  const std::int64_t time = at == std::string::npos ? 0 : std::strtoll(line.c_str() + at + 5, nullptr, 10);
  return time < 0 || time > std::int64_t{1000} * std::time(nullptr) ? 0 : time;  // brokers refuse what is yet to come
}

void make_topic(rd_kafka_t* producer, const char* name, int partitions) {
  std::array<char, 512> reason{};
  rd_kafka_NewTopic_t* topic = rd_kafka_NewTopic_new(name, partitions, 1, reason.data(), reason.size());
  if (topic == nullptr) fail(reason.data());
  rd_kafka_NewTopic_set_config(topic, "retention.ms", "-1");
  rd_kafka_NewTopic_set_config(topic, "max.message.bytes", largest);
  rd_kafka_queue_t* queue = rd_kafka_queue_new(producer);
  rd_kafka_CreateTopics(producer, &topic, 1, nullptr, queue);
  rd_kafka_event_t* event = rd_kafka_queue_poll(queue, 30'000);
  if (event == nullptr) fail("no answer about a new topic");
  std::size_t count = 0;
  const rd_kafka_topic_result_t** results =
      rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count);
  if (results == nullptr || count != 1) fail(rd_kafka_event_error_string(event));
  const rd_kafka_resp_err_t code = rd_kafka_topic_result_error(results[0]);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR && code != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) fail(rd_kafka_err2str(code));
  rd_kafka_event_destroy(event);
  rd_kafka_queue_destroy(queue);
  rd_kafka_NewTopic_destroy(topic);
}

// False: its queue is full.
bool take(rd_kafka_t* producer, const char* topic, int partition, std::string& line) {
  std::array<rd_kafka_vu_t, 5> message{};
  message[0].vtype = RD_KAFKA_VTYPE_TOPIC;
  message[0].u.cstr = topic;
  message[1].vtype = RD_KAFKA_VTYPE_PARTITION;
  message[1].u.i32 = partition;
  message[2].vtype = RD_KAFKA_VTYPE_VALUE;
  message[2].u.mem.ptr = line.data();
  message[2].u.mem.size = line.size();
  message[3].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  message[3].u.i64 = time_of(line);
  message[4].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  message[4].u.i = RD_KAFKA_MSG_F_COPY;
  rd_kafka_error_t* error = rd_kafka_produceva(producer, message.data(), message.size());
  if (error == nullptr) return true;
  if (rd_kafka_error_code(error) != RD_KAFKA_RESP_ERR__QUEUE_FULL) fail(rd_kafka_error_string(error));
  rd_kafka_error_destroy(error);
  return false;
}

void send(rd_kafka_t* producer, const char* topic, int partition, std::string& line) {
  while (!take(producer, topic, partition, line)) rd_kafka_poll(producer, 100);
  rd_kafka_poll(producer, 0);
}

void check(rd_kafka_error_t* error) {
  if (error != nullptr) fail(rd_kafka_error_string(error));
}

// With a flush before it is aborted, or nothing of it would reach the log.
void send_transaction(rd_kafka_t* producer, const char* topic, int partition, std::vector<std::string>& lines,
                      bool is_aborted) {
  check(rd_kafka_begin_transaction(producer));
  for (std::string& line : lines) send(producer, topic, partition, line);
  if (is_aborted) {
    if (rd_kafka_flush(producer, ask_ms) != RD_KAFKA_RESP_ERR_NO_ERROR) fail("not everything was acknowledged");
    check(rd_kafka_abort_transaction(producer, ask_ms));
  } else {
    check(rd_kafka_commit_transaction(producer, ask_ms));
  }
}

// `transaction_lines`: of a transaction; 0: without.
void produce(rd_kafka_t* producer, const char* topic, int partition, const char* path, std::size_t transaction_lines) {
  std::ifstream file(path);
  if (!file) fail(std::string(path) + " cannot be read");
  std::string line;
  if (transaction_lines == 0) {
    while (std::getline(file, line)) send(producer, topic, partition, line);
    return;
  }
  std::vector<std::string> lines;
  for (std::size_t number = 0; file; ++number) {
    lines.clear();
    while (lines.size() < transaction_lines && std::getline(file, line)) lines.push_back(line);
    if (lines.empty()) break;
    if (number % 3 == 0) send_transaction(producer, topic, partition, lines, true);
    send_transaction(producer, topic, partition, lines, false);
  }
}

void on_delivery(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
  if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) fail(rd_kafka_err2str(message->err));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> arguments(argv + 1, argv + argc);
  std::size_t transaction_lines = 0;
  const bool is_open = !arguments.empty() && std::string_view(arguments[0]) == "--open";
  if (is_open) arguments.erase(arguments.begin());
  if (arguments.size() > 1 && std::string_view(arguments[0]) == "--transactions") {
    transaction_lines = std::strtoul(arguments[1], nullptr, 10);
    if (transaction_lines == 0) fail("--transactions wants a number of lines");
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  if (arguments.size() < 3) fail("usage: recmeter_produce [--transactions LINES | --open] BROKERS TOPIC FILE...");
  const char* const topic = arguments[1];
  const std::vector<const char*> files(arguments.begin() + 2, arguments.end());
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const auto set = [&](const char* name, const char* value) {
    if (rd_kafka_conf_set(conf, name, value, reason.data(), reason.size()) != RD_KAFKA_CONF_OK) fail(reason.data());
  };
  set("bootstrap.servers", arguments[0]);
  set("enable.idempotence", "true");
  set("compression.codec", "lz4");
  set("message.max.bytes", largest);
  set("log_level", "3");
  if (transaction_lines > 0 || is_open) set("transactional.id", topic);
  rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
  rd_kafka_t* producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason.data(), reason.size());
  if (producer == nullptr) fail(reason.data());
  make_topic(producer, topic, static_cast<int>(files.size()));
  if (transaction_lines > 0 || is_open) check(rd_kafka_init_transactions(producer, ask_ms));
  if (is_open) check(rd_kafka_begin_transaction(producer));
  for (std::size_t p = 0; p < files.size(); ++p) {
    produce(producer, topic, static_cast<int>(p), files[p], transaction_lines);
  }
  if (rd_kafka_flush(producer, ask_ms) != RD_KAFKA_RESP_ERR_NO_ERROR) fail("not everything was acknowledged within a minute");
  if (is_open) {
    std::cin.ignore(std::numeric_limits<std::streamsize>::max());
    check(rd_kafka_commit_transaction(producer, ask_ms));
  }
  rd_kafka_destroy(producer);
  return 0;
}
