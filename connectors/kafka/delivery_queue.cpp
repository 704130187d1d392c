#include "kafka/delivery_queue.h"

#include <algorithm>
#include <array>

namespace recmeter::kafka {

namespace {

constexpr std::chrono::seconds again_after{1};  // what was refused is sent again
constexpr std::chrono::seconds silence_max{5};  // of a broker, before it is called trouble
constexpr int topic_check_ms = 200;             // whether there is such a topic now
constexpr int ask_first_ms = 2000;              // the same, before there is a connection
constexpr std::uint64_t no_number = ~std::uint64_t{0};

bool is_unknown(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC || code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
}

bool is_too_large(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE || code == RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE;
}

std::size_t bytes_of(const Message& message) {
  return (message.key ? message.key->size() : 0) + (message.value ? message.value->size() : 0);
}

rd_kafka_headers_t* headers_of(const Message& message) {
  rd_kafka_headers_t* headers = rd_kafka_headers_new(message.headers.size());
  for (const auto& [name, value] : message.headers) {
    rd_kafka_header_add(headers, name.data(), static_cast<ssize_t>(name.size()), value ? value->data() : nullptr,
                        static_cast<ssize_t>(value ? value->size() : 0));
  }
  return headers;
}

}  // namespace

Result<std::unique_ptr<DeliveryQueue>> DeliveryQueue::open(const ClientOptions& client, const std::string& topic) {
  std::unique_ptr<DeliveryQueue> queue(new DeliveryQueue(client, topic));
  if (auto opened = queue->open(); !opened) return tl::unexpected(std::move(opened).error());
  queue->found_ = queue->ask(ask_first_ms);
  queue->asked_at_ = Clock::now();
  return queue;
}

Result<void> DeliveryQueue::open() {
  auto producer = Producer::make(client_, [this](const rd_kafka_message_t& message) {
    delivered(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(message._private)), message.err);
  });
  if (!producer) return tl::unexpected(std::move(producer).error());
  handle_.reset();
  if (producer_) errors_before_ += producer_->errors();
  producer_ = std::move(*producer);
  handle_.reset(rd_kafka_topic_new(producer_->handle(), topic_.c_str(), nullptr));
  return {};
}

void DeliveryQueue::send(Message message) {
  if (kept_.empty()) last_news_ = Clock::now();
  bytes_ += bytes_of(message);
  const std::uint64_t number = sent_++;
  Kept& kept = kept_[number];
  kept.message = std::move(message);
  // After a refusal it has to be found out first whether the topic takes anything.
  if (refusal_ == RD_KAFKA_RESP_ERR_NO_ERROR && !is_one_by_one_) produce(number, kept);
}

bool DeliveryQueue::send_unkept(std::string_view key, std::string_view value) {
  producer_->serve(0);
  if (refusal_ != RD_KAFKA_RESP_ERR_NO_ERROR || under_way_ < kept_.size()) return false;
  return rd_kafka_produce(handle_.get(), RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY, const_cast<char*>(value.data()),
                          value.size(), key.data(), key.size(),
                          reinterpret_cast<void*>(static_cast<std::uintptr_t>(no_number))) == 0;
}

void DeliveryQueue::produce(std::uint64_t number, Kept& kept) {
  const Message& message = kept.message;
  rd_kafka_headers_t* headers = headers_of(message);
  std::array<rd_kafka_vu_t, 7> parts{};
  parts[0].vtype = RD_KAFKA_VTYPE_RKT;
  parts[0].u.rkt = handle_.get();
  parts[1].vtype = RD_KAFKA_VTYPE_VALUE;
  parts[1].u.mem.ptr = message.value ? const_cast<char*>(message.value->data()) : nullptr;
  parts[1].u.mem.size = message.value ? message.value->size() : 0;
  parts[2].vtype = RD_KAFKA_VTYPE_KEY;
  parts[2].u.mem.ptr = message.key ? const_cast<char*>(message.key->data()) : nullptr;
  parts[2].u.mem.size = message.key ? message.key->size() : 0;
  parts[3].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  parts[3].u.i64 = message.timestamp ? message.timestamp->ms : 0;
  parts[4].vtype = RD_KAFKA_VTYPE_HEADERS;
  parts[4].u.headers = headers;
  parts[5].vtype = RD_KAFKA_VTYPE_OPAQUE;
  parts[5].u.ptr = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
  parts[6].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  parts[6].u.i = 0;
  rd_kafka_error_t* error = rd_kafka_produceva(producer_->handle(), parts.data(), parts.size());
  kept.is_under_way = error == nullptr;
  if (error == nullptr) {
    ++under_way_;
    return;
  }
  refused_bytes_ = bytes_of(message);
  refuse(rd_kafka_error_code(error));
  rd_kafka_error_destroy(error);
  rd_kafka_headers_destroy(headers);
}

void DeliveryQueue::refuse(rd_kafka_resp_err_t code) {
  refusal_ = code;
  refused_at_ = Clock::now();
  if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
    trouble_ = code;
    ++refusals_;
  }
  is_one_by_one_ = is_one_by_one_ || is_too_large(code);
}

void DeliveryQueue::delivered(std::uint64_t number, rd_kafka_resp_err_t code) {
  if (number == no_number) {
    if (is_unknown(code)) found_ = code;
    refusals_ += code == RD_KAFKA_RESP_ERR_NO_ERROR ? 0 : 1;
    return;
  }
  const auto at = kept_.find(number);
  if (at == kept_.end()) return;
  --under_way_;
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
    bytes_ -= bytes_of(at->second.message);
    kept_.erase(at);
    last_news_ = Clock::now();
    trouble_ = RD_KAFKA_RESP_ERR_NO_ERROR;
    is_one_by_one_ = is_one_by_one_ && !kept_.empty();
    return;
  }
  at->second.is_under_way = false;
  const std::size_t bytes = bytes_of(at->second.message);
  refused_bytes_ = is_one_by_one_ ? bytes : std::max(refused_bytes_, bytes);
  refuse(code);
}

Result<void> DeliveryQueue::serve() {
  producer_->serve(0);
  if (refusal_ != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return Clock::now() - refused_at_ >= again_after ? try_again() : Result<void>();
  }
  if (under_way_ < kept_.size()) produce_waiting();
  return {};
}

Result<void> DeliveryQueue::try_again() {
  std::array<char, 512> reason{};
  if (rd_kafka_fatal_error(producer_->handle(), reason.data(), reason.size()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    // Of no use any more; what it had under way may come twice.
    if (auto opened = open(); !opened) return opened;
    for (auto& [number, kept] : kept_) kept.is_under_way = false;
    under_way_ = 0;
  } else if (is_unknown(refusal_)) {
    found_ = ask(topic_check_ms);  // librdkafka would look for it again in minutes
    asked_at_ = Clock::now();
  }
  refusal_ = RD_KAFKA_RESP_ERR_NO_ERROR;
  produce_waiting();
  return {};
}

void DeliveryQueue::produce_waiting() {
  for (auto& [number, kept] : kept_) {
    if (kept.is_under_way) continue;
    if (is_one_by_one_ && under_way_ > 0) return;
    produce(number, kept);
    if (refusal_ != RD_KAFKA_RESP_ERR_NO_ERROR) return;
  }
}

// What a broker has to say about the topic, if there is one.
rd_kafka_resp_err_t DeliveryQueue::ask(int wait_ms) {
  const struct rd_kafka_metadata* answer = nullptr;
  const rd_kafka_resp_err_t code = rd_kafka_metadata(producer_->handle(), 0, handle_.get(), &answer, wait_ms);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return code;
  const rd_kafka_resp_err_t of_topic =
      answer->topic_cnt == 1 ? answer->topics[0].err : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  rd_kafka_metadata_destroy(answer);
  refusals_ += of_topic == RD_KAFKA_RESP_ERR_NO_ERROR ? 0 : 1;
  return of_topic;
}

std::string DeliveryQueue::trouble() {
  rd_kafka_resp_err_t refusal = trouble_;
  if (refusal == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const auto now = Clock::now();
    const bool is_silent = !kept_.empty() && now - last_news_ >= silence_max;
    // librdkafka waits half a minute for a topic that is not there, and says nothing.
    if ((is_silent || is_unknown(found_)) && now - asked_at_ >= (is_silent ? silence_max : again_after)) {
      found_ = ask(topic_check_ms);
      asked_at_ = Clock::now();
    }
    if (is_unknown(found_)) {
      refusal = found_;
    } else if (!is_silent) {
      return {};
    }
  }
  if (is_unknown(refusal)) return "there is no topic " + topic_ + " at " + client_.brokers + "; make it";
  if (is_too_large(refusal)) {
    return topic_ + " does not take a message of " + std::to_string(refused_bytes_) + " bytes (" + rd_kafka_err2str(refusal) +
           "); raise its max.message.bytes";
  }
  if (refusal != RD_KAFKA_RESP_ERR_NO_ERROR) {
    const bool is_right =
        refusal == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED || refusal == RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED;
    return topic_ + " does not take them (" + rd_kafka_err2str(refusal) + "); " +
           (is_right ? "get permission to write to it" : "correct the settings of the topic or its brokers");
  }
  return topic_ + ": no answer from " + client_.brokers +
         (producer_->complaint().empty() ? "" : " (" + producer_->complaint() + ")") +
         "; check that a broker runs there and that the topic has a leader";
}

}  // namespace recmeter::kafka
