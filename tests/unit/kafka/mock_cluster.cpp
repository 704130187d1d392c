#include "unit/kafka/mock_cluster.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>

#include "recmeter/base/check.h"

namespace recmeter::kafka {

namespace {
constexpr std::int16_t fetch_key = 1;  // ApiKey of a Fetch request
}  // namespace

MockCluster::MockCluster() {
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  EXPECT_EQ(rd_kafka_conf_set(conf, "test.mock.num.brokers", std::to_string(brokers).c_str(), reason.data(), reason.size()),
            RD_KAFKA_CONF_OK);
  EXPECT_EQ(rd_kafka_conf_set(conf, "linger.ms", "0", reason.data(), reason.size()), RD_KAFKA_CONF_OK);
  rd_kafka_conf_set_log_cb(conf, nullptr);
  producer_ = rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason.data(), reason.size());
  cluster_ = rd_kafka_handle_mock_cluster(producer_);
  rd_kafka_mock_topic_create(cluster_, topic, 1, brokers);
  lead_by(1);
}

MockCluster::~MockCluster() {
  rd_kafka_destroy(producer_);
}

void MockCluster::produce(const std::vector<std::string>& values) {
  const std::unique_ptr<rd_kafka_topic_t, decltype(&rd_kafka_topic_destroy)> to(rd_kafka_topic_new(producer_, topic, nullptr),
                                                                                &rd_kafka_topic_destroy);
  for (const std::string& value : values) {
    while (rd_kafka_produce(to.get(), 0, RD_KAFKA_MSG_F_COPY, const_cast<char*>(value.data()), value.size(), nullptr, 0,
                            nullptr) != 0) {
      ASSERT_EQ(rd_kafka_last_error(), RD_KAFKA_RESP_ERR__QUEUE_FULL);
      rd_kafka_poll(producer_, 10);
    }
  }
  ASSERT_EQ(rd_kafka_flush(producer_, 30'000), RD_KAFKA_RESP_ERR_NO_ERROR);
}

std::vector<std::string> MockCluster::received() const {
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"bootstrap.servers", bootstrap()}, {"group.id", "reader"}, {"enable.partition.eof", "true"}}) {
    rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size());
  }
  rd_kafka_t* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, reason.data(), reason.size());
  RECMETER_CHECK(consumer != nullptr, "there is a consumer for the mock cluster");
  rd_kafka_poll_set_consumer(consumer);
  rd_kafka_topic_partition_list_t* partitions = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(partitions, topic, 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
  rd_kafka_assign(consumer, partitions);
  std::vector<std::string> values;
  for (bool has_ended = false; !has_ended;) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 10'000);
    RECMETER_CHECK(message != nullptr, "the topic can be read");
    has_ended = message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR)
      values.emplace_back(static_cast<const char*>(message->payload), message->len);
    rd_kafka_message_destroy(message);
  }
  rd_kafka_topic_partition_list_destroy(partitions);
  rd_kafka_consumer_close(consumer);
  rd_kafka_destroy(consumer);
  return values;
}

void MockCluster::lead_by(int broker) {
  rd_kafka_mock_partition_set_leader(cluster_, topic, 0, broker);
}

void MockCluster::set_up(bool is_up) {
  for (int broker = 1; broker <= brokers; ++broker) {
    if (is_up) {
      rd_kafka_mock_broker_set_up(cluster_, broker);
    } else {
      rd_kafka_mock_broker_set_down(cluster_, broker);
    }
  }
}

void MockCluster::freeze() {
  constexpr int hour_ms = 3'600'000;
  for (int broker = 1; broker <= brokers; ++broker) rd_kafka_mock_broker_set_rtt(cluster_, broker, hour_ms);
}

void MockCluster::answer_fetches_with(const std::vector<rd_kafka_resp_err_t>& errors) {
  rd_kafka_mock_push_request_errors_array(cluster_, fetch_key, errors.size(), errors.data());
}

}  // namespace recmeter::kafka
