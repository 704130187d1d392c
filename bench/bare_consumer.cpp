// recmeter_bare_consumer BROKERS TOPIC...: the least that any reader of topics must do, as the measure of what attach costs.
//
// One librdkafka client without a group, all partitions to one queue, from their beginning to the end they have at the start;
// each message is counted and its value's size added up, nothing else. Prints messages, bytes and seconds of wall and CPU
// time of all threads.
#include <librdkafka/rdkafka.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "recmeter_bare_consumer: %s\n", what);
  std::exit(1);
}

double cpu_seconds() {
  struct rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

rd_kafka_t* client(const char* brokers) {
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const auto set = [&](const char* name, const char* value) {
    if (rd_kafka_conf_set(conf, name, value, reason.data(), reason.size()) != RD_KAFKA_CONF_OK) fail(reason.data());
  };
  set("bootstrap.servers", brokers);
  set("enable.auto.commit", "false");
  set("enable.partition.eof", "true");
  set("fetch.wait.max.ms", "50");
  set("queued.min.messages", "1000000");
  set("queued.max.messages.kbytes", "65536");
  rd_kafka_t* handle = rd_kafka_new(RD_KAFKA_CONSUMER, conf, reason.data(), reason.size());
  if (handle == nullptr) fail(reason.data());
  return handle;
}

struct Tally {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::size_t ended = 0;
};

void take(const rd_kafka_message_t& message, Tally& tally) {
  if (message.err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    ++tally.ended;
  } else if (message.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    ++tally.messages;
    tally.bytes += message.len;
  } else {
    fail(rd_kafka_message_errstr(&message));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) fail("usage: recmeter_bare_consumer BROKERS TOPIC...");
  const auto begin = std::chrono::steady_clock::now();
  rd_kafka_t* handle = client(argv[1]);
  rd_kafka_queue_t* queue = rd_kafka_queue_new(handle);
  std::size_t partitions = 0;
  for (int t = 2; t < argc; ++t) {
    rd_kafka_topic_t* topic = rd_kafka_topic_new(handle, argv[t], nullptr);
    const struct rd_kafka_metadata* metadata = nullptr;
    if (rd_kafka_metadata(handle, 0, topic, &metadata, 10'000) != RD_KAFKA_RESP_ERR_NO_ERROR) fail("no answer");
    for (int p = 0; p < metadata->topics[0].partition_cnt; ++p, ++partitions) {
      std::int64_t low = 0;
      std::int64_t high = 0;
      rd_kafka_query_watermark_offsets(handle, argv[t], p, &low, &high, 10'000);
      if (rd_kafka_consume_start_queue(topic, p, low, queue) != 0) fail("a partition cannot be read");
    }
    rd_kafka_metadata_destroy(metadata);
  }
  Tally tally;
  std::vector<rd_kafka_message_t*> messages(10'000);
  while (tally.ended < partitions) {
    const auto count = rd_kafka_consume_batch_queue(queue, 1000, messages.data(), messages.size());
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      take(*messages[static_cast<std::size_t>(i)], tally);
      rd_kafka_message_destroy(messages[static_cast<std::size_t>(i)]);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("{\"messages\":%llu,\"bytes\":%llu,\"seconds\":%.3f,\"cpu\":%.3f}\n",
              static_cast<unsigned long long>(tally.messages), static_cast<unsigned long long>(tally.bytes), wall.count(),
              cpu_seconds());
  std::fflush(stdout);
  std::_Exit(0);  // what tearing down costs is not reading
}
