// Dead letters in a topic of librdkafka's mock cluster, which can be told to fail. On real brokers: tests/kafka.
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <map>

#include "contract/dead_letters_contract.h"
#include "recmeter/base/check.h"
#include "recmeter/kafka/letter_topic.h"

namespace recmeter::contract {
namespace {

constexpr std::int16_t produce_request = 0;

class MockTopic : public LetterPlace {
 public:
  explicit MockTopic(bool is_there = true) {
    std::array<char, 512> reason{};
    owner_ = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), reason.data(), reason.size());
    RECMETER_CHECK(owner_ != nullptr, "there is a client for the mock cluster");
    cluster_ = rd_kafka_mock_cluster_new(owner_, 1);
    if (is_there) rd_kafka_mock_topic_create(cluster_, "dead", 2, 1);
  }
  MockTopic(const MockTopic&) = delete;
  MockTopic& operator=(const MockTopic&) = delete;
  ~MockTopic() override {
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(owner_);
  }

  std::unique_ptr<DeadLetters> open() override {
    auto letters =
        kafka::letter_topic({.brokers = rd_kafka_mock_cluster_bootstraps(cluster_), .properties = {}}, "dead", "shop");
    RECMETER_CHECK(letters.has_value(), "a producer can be made");
    return std::move(*letters);
  }
  void obstruct(bool is_obstructed) override {
    if (is_obstructed) {
      rd_kafka_mock_broker_set_down(cluster_, 1);
    } else {
      rd_kafka_mock_broker_set_up(cluster_, 1);
    }
  }
  void refuse(rd_kafka_resp_err_t code) { rd_kafka_mock_push_request_errors(cluster_, produce_request, 1, code); }
  std::vector<DeadLetter> received() override;

 private:
  static DeadLetter letter_of(const rd_kafka_message_t& message);

  rd_kafka_t* owner_;
  rd_kafka_mock_cluster_t* cluster_;
};

std::vector<DeadLetter> MockTopic::received() {
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"bootstrap.servers", rd_kafka_mock_cluster_bootstraps(cluster_)},
                                          {"group.id", "reader"},
                                          {"enable.partition.eof", "true"}}) {
    rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size());
  }
  rd_kafka_t* consumer = rd_kafka_new(RD_KAFKA_CONSUMER, conf, reason.data(), reason.size());
  rd_kafka_poll_set_consumer(consumer);
  rd_kafka_topic_partition_list_t* partitions = rd_kafka_topic_partition_list_new(2);
  for (int p = 0; p < 2; ++p) rd_kafka_topic_partition_list_add(partitions, "dead", p)->offset = RD_KAFKA_OFFSET_BEGINNING;
  rd_kafka_assign(consumer, partitions);
  std::vector<DeadLetter> letters;
  for (int ended = 0; ended < 2;) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(consumer, 10'000);
    if (message == nullptr) {
      ADD_FAILURE() << "the topic cannot be read";
      break;
    }
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) ++ended;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) letters.push_back(letter_of(*message));
    rd_kafka_message_destroy(message);
  }
  rd_kafka_topic_partition_list_destroy(partitions);
  rd_kafka_consumer_close(consumer);
  rd_kafka_destroy(consumer);
  return letters;
}

// The record's own headers come first; Connect's tell the rest.
DeadLetter MockTopic::letter_of(const rd_kafka_message_t& message) {
  DeadLetter letter;
  if (message.key != nullptr) letter.key.emplace(static_cast<const char*>(message.key), message.key_len);
  if (message.payload != nullptr) letter.value.emplace(static_cast<const char*>(message.payload), message.len);
  letter.timestamp = EventTime{rd_kafka_message_timestamp(&message, nullptr)};
  rd_kafka_headers_t* headers = nullptr;
  EXPECT_EQ(rd_kafka_message_headers(&message, &headers), RD_KAFKA_RESP_ERR_NO_ERROR);
  std::map<std::string, std::string> told;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  const std::string prefix = "__connect.errors.";
  for (std::size_t i = 0; rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
    std::optional<std::string> content;
    if (value != nullptr) content.emplace(static_cast<const char*>(value), size);
    if (std::string(name).starts_with(prefix)) {
      told[std::string(name).substr(prefix.size())] = content.value_or("none");
    } else {
      EXPECT_TRUE(told.empty()) << "Connect's headers come last";
      letter.headers.emplace_back(name, content);
    }
  }
  letter.topic = told["topic"];
  letter.partition = static_cast<std::int32_t>(std::stol(told["partition"]));
  letter.offset = std::stoll(told["offset"]);
  letter.reason = told["exception.message"];
  for (const Fate fate : {Fate::invalid, Fate::future, Fate::late}) {
    if (told["exception.class.name"] == to_string(fate)) letter.fate = fate;
  }
  EXPECT_EQ(told["connector.name"], "shop");
  EXPECT_EQ(told["stage"], letter.fate == Fate::invalid ? "VALUE_CONVERTER" : "TASK_PUT");
  return letter;
}

INSTANTIATE_TEST_SUITE_P(Letters, DeadLettersContract,
                         ::testing::Values(DeadLettersCase{"topic", [] { return std::make_unique<MockTopic>(); }}),
                         [](const auto& each) { return each.param.name; });

class LetterTopic : public testing::Test {
 protected:
  static DeadLetter letter(std::int64_t offset) {
    return {.topic = "log", .offset = offset, .reason = "no_type", .timestamp = EventTime{1'700'000'000'000}, .value = "x"};
  }
  template <class Enough>
  static DeadLetters::Delivery deliver_until(DeadLetters& letters, Enough&& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (std::chrono::steady_clock::now() < end) {
      const auto delivery = letters.deliver(true);
      EXPECT_TRUE(delivery);
      if (enough(*delivery)) return *delivery;
      std::this_thread::yield();
    }
    ADD_FAILURE() << "it does not come to that";
    return {};
  }
};

TEST_F(LetterTopic, sends_again_what_a_broker_has_refused) {
  MockTopic place;
  const auto letters = place.open();
  for (const auto code : {RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
                          RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP}) {
    place.refuse(code);
    ASSERT_TRUE(letters->send(letter(code)));
    const auto refused = deliver_until(*letters, [](const auto& now) { return !now.trouble.empty(); });
    EXPECT_NE(refused.trouble.find("dead does not take "), std::string::npos) << refused.trouble;
    EXPECT_NE(refused.trouble.find(rd_kafka_err2str(code)), std::string::npos) << refused.trouble;
    ASSERT_TRUE(letters->send(letter(code + 1)));
    const std::uint64_t before = refused.delivered;
    deliver_until(*letters, [&](const auto& now) { return now.delivered == before + 2 && now.trouble.empty(); });
  }
  EXPECT_EQ(place.received().size(), 6U);
}

TEST_F(LetterTopic, refuses_a_property_without_showing_its_value) {
  const auto letters =
      kafka::letter_topic({.brokers = "127.0.0.1:1", .properties = {{"no.such.property", "secret"}}}, "dead", "shop");
  ASSERT_FALSE(letters);
  EXPECT_EQ(letters.error().code, Errc::config_invalid);
  EXPECT_NE(letters.error().context.find("no.such.property"), std::string::npos);
  EXPECT_EQ(letters.error().context.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace recmeter::contract
