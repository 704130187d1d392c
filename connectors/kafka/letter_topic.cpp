#include "recmeter/kafka/letter_topic.h"

#include <array>
#include <chrono>
#include <map>
#include <utility>

#include "kafka/connection.h"
#include "kafka/producer.h"

namespace recmeter::kafka {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds again_after{1};  // what was refused is sent again
constexpr std::chrono::seconds silence_max{5};  // of a broker, before it is called trouble
constexpr int ask_ms = 200;                     // whether there is such a topic now

class LetterTopic final : public DeadLetters {
 public:
  LetterTopic(ClientOptions client, std::string topic, std::string evaluator)
      : client_(std::move(client)), topic_(std::move(topic)), evaluator_(std::move(evaluator)) {}

  Result<void> open();
  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> send(DeadLetter letter) override;
  Result<Delivery> deliver(bool all) override;
  std::string position() const override { return {}; }

 private:
  struct Undelivered {
    DeadLetter letter;
    bool is_under_way = false;
  };
  void produce(std::uint64_t number, Undelivered& undelivered);
  void delivered(std::uint64_t number, rd_kafka_resp_err_t code);
  Result<void> send_again();
  rd_kafka_resp_err_t ask() const;
  [[nodiscard]] std::string trouble();

  ClientOptions client_;
  std::string topic_;
  std::string evaluator_;
  std::map<std::uint64_t, Undelivered> undelivered_;  // by number; payloads stay where they are while they are under way
  std::uint64_t sent_ = 0;
  rd_kafka_resp_err_t refusal_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // of those that are not under way
  Clock::time_point refused_at_;
  rd_kafka_resp_err_t found_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // when a broker was asked about the topic
  Clock::time_point asked_at_;
  Clock::time_point last_news_;  // when something was delivered, or the first was sent
  std::unique_ptr<Producer> producer_;
  TopicHandle handle_;
};

bool is_unknown(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC || code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
}

rd_kafka_headers_t* headers_of(const DeadLetter& letter, const std::string& evaluator) {
  rd_kafka_headers_t* headers = rd_kafka_headers_new(letter.headers.size() + 9);
  const auto add = [&](std::string_view name, const char* value, std::size_t size) {
    rd_kafka_header_add(headers, name.data(), static_cast<ssize_t>(name.size()), value, static_cast<ssize_t>(size));
  };
  for (const auto& [name, value] : letter.headers) add(name, value ? value->data() : nullptr, value ? value->size() : 0);
  const auto add_error = [&](const char* name, const std::string& value) {
    add(std::string("__connect.errors.") + name, value.data(), value.size());
  };
  // Connect's stages: what cannot be decoded, and what the task itself has no use for.
  const bool is_decoded = letter.fate != Fate::invalid;
  add_error("topic", letter.topic);
  add_error("partition", std::to_string(letter.partition));
  add_error("offset", std::to_string(letter.offset));
  add_error("connector.name", evaluator);
  add_error("task.id", "0");
  add_error("stage", is_decoded ? "TASK_PUT" : "VALUE_CONVERTER");
  add_error("class.name", "recmeter");
  add_error("exception.class.name", std::string(to_string(letter.fate)));
  add_error("exception.message", letter.reason);
  return headers;
}

Result<void> LetterTopic::open() {
  auto producer = Producer::make(client_, [this](const rd_kafka_message_t& message) {
    delivered(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(message._private)), message.err);
  });
  if (!producer) return tl::unexpected(std::move(producer).error());
  handle_.reset();
  producer_ = std::move(*producer);
  handle_.reset(rd_kafka_topic_new(producer_->handle(), topic_.c_str(), nullptr));
  return {};
}

Result<void> LetterTopic::send(DeadLetter letter) {
  if (undelivered_.empty()) last_news_ = Clock::now();
  const std::uint64_t number = sent_++;
  auto& undelivered = undelivered_[number];
  undelivered.letter = std::move(letter);
  // After a refusal it has to be found out first whether the topic takes anything.
  if (refusal_ == RD_KAFKA_RESP_ERR_NO_ERROR) produce(number, undelivered);
  return {};
}

void LetterTopic::produce(std::uint64_t number, Undelivered& undelivered) {
  const DeadLetter& letter = undelivered.letter;
  rd_kafka_headers_t* headers = headers_of(letter, evaluator_);
  std::array<rd_kafka_vu_t, 7> message{};
  message[0].vtype = RD_KAFKA_VTYPE_RKT;
  message[0].u.rkt = handle_.get();
  message[1].vtype = RD_KAFKA_VTYPE_VALUE;
  message[1].u.mem.ptr = letter.value ? const_cast<char*>(letter.value->data()) : nullptr;
  message[1].u.mem.size = letter.value ? letter.value->size() : 0;
  message[2].vtype = RD_KAFKA_VTYPE_KEY;
  message[2].u.mem.ptr = letter.key ? const_cast<char*>(letter.key->data()) : nullptr;
  message[2].u.mem.size = letter.key ? letter.key->size() : 0;
  message[3].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  message[3].u.i64 = letter.timestamp ? letter.timestamp->ms : 0;
  message[4].vtype = RD_KAFKA_VTYPE_HEADERS;
  message[4].u.headers = headers;
  message[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
  message[5].u.ptr = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
  message[6].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  message[6].u.i = 0;
  rd_kafka_error_t* error = rd_kafka_produceva(producer_->handle(), message.data(), message.size());
  undelivered.is_under_way = error == nullptr;
  if (error == nullptr) return;
  refusal_ = rd_kafka_error_code(error);
  refused_at_ = Clock::now();
  rd_kafka_error_destroy(error);
  rd_kafka_headers_destroy(headers);
}

void LetterTopic::delivered(std::uint64_t number, rd_kafka_resp_err_t code) {
  const auto at = undelivered_.find(number);
  if (at == undelivered_.end()) return;
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
    undelivered_.erase(at);
    last_news_ = Clock::now();
    return;
  }
  at->second.is_under_way = false;
  refusal_ = code;
  refused_at_ = Clock::now();
}

Result<DeadLetters::Delivery> LetterTopic::deliver(bool /*all*/) {
  producer_->serve(0);
  if (refusal_ != RD_KAFKA_RESP_ERR_NO_ERROR && Clock::now() - refused_at_ >= again_after) {
    if (auto done = send_again(); !done) return tl::unexpected(std::move(done).error());
  }
  return Delivery{.delivered = undelivered_.empty() ? sent_ : undelivered_.begin()->first, .trouble = trouble()};
}

Result<void> LetterTopic::send_again() {
  std::array<char, 512> reason{};
  if (rd_kafka_fatal_error(producer_->handle(), reason.data(), reason.size()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    // Of no use any more; what it had under way may come twice.
    if (auto opened = open(); !opened) return opened;
    for (auto& [number, undelivered] : undelivered_) undelivered.is_under_way = false;
  } else if (is_unknown(refusal_)) {
    ask();  // librdkafka would look for it again in minutes
  }
  refusal_ = RD_KAFKA_RESP_ERR_NO_ERROR;
  for (auto& [number, undelivered] : undelivered_) {
    if (undelivered.is_under_way) continue;
    produce(number, undelivered);
    if (refusal_ != RD_KAFKA_RESP_ERR_NO_ERROR) break;
  }
  return {};
}

// What a broker has to say about the topic, if there is one.
rd_kafka_resp_err_t LetterTopic::ask() const {
  const struct rd_kafka_metadata* answer = nullptr;
  const rd_kafka_resp_err_t code = rd_kafka_metadata(producer_->handle(), 0, handle_.get(), &answer, ask_ms);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return code;
  const rd_kafka_resp_err_t of_topic =
      answer->topic_cnt == 1 ? answer->topics[0].err : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  rd_kafka_metadata_destroy(answer);
  return of_topic;
}

std::string LetterTopic::trouble() {
  if (undelivered_.empty()) return {};
  const auto now = Clock::now();
  rd_kafka_resp_err_t refusal = refusal_ == RD_KAFKA_RESP_ERR__QUEUE_FULL ? RD_KAFKA_RESP_ERR_NO_ERROR : refusal_;
  if (refusal == RD_KAFKA_RESP_ERR_NO_ERROR) {
    if (now - last_news_ < silence_max) return {};
    // librdkafka waits half a minute for a topic that is not there, and says nothing.
    if (now - asked_at_ >= silence_max) {
      found_ = ask();
      asked_at_ = Clock::now();
    }
    if (is_unknown(found_)) refusal = found_;
  }
  if (is_unknown(refusal)) return "there is no topic " + topic_ + " at " + client_.brokers + "; make it";
  if (refusal != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return topic_ + " does not take them (" + rd_kafka_err2str(refusal) +
           "); raise its max.message.bytes, or ask for the right to write to it";
  }
  return topic_ + ": no answer from " + client_.brokers +
         (producer_->complaint().empty() ? "" : " (" + producer_->complaint() + ")") +
         "; is a broker up there, and does the topic have a leader?";
}

}  // namespace

Result<std::unique_ptr<DeadLetters>> letter_topic(const ClientOptions& client, const std::string& topic,
                                                  const std::string& evaluator) {
  auto letters = std::make_unique<LetterTopic>(client, topic, evaluator);
  if (auto opened = letters->open(); !opened) return tl::unexpected(std::move(opened).error());
  return letters;
}

}  // namespace recmeter::kafka
