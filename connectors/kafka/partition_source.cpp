#include "kafka/partition_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "kafka/envelope.h"

namespace recmeter::kafka {

namespace {

constexpr std::size_t messages_at_once = 1000;
constexpr int wait_ms = 100;  // between two looks at `stop`
constexpr int ask_ms = 1000;  // for an answer of a broker

}  // namespace

PartitionSource::PartitionSource(std::shared_ptr<Connection> connection, std::shared_ptr<rd_kafka_topic_t> topic,
                                 PartitionRange range, const ReadOptions& options)
    : connection_(std::move(connection)),
      topic_(std::move(topic)),
      range_(range),
      options_(options),
      name_(std::string(rd_kafka_topic_name(topic_.get())) + "/" + std::to_string(range.partition)),
      next_(range.begin) {}

PartitionSource::~PartitionSource() {
  stop();
}

Result<void> PartitionSource::start() {
  queue_.reset(rd_kafka_queue_new(connection_->handle()));
  if (rd_kafka_consume_start_queue(topic_.get(), range_.partition, next_, queue_.get()) == 0) return {};
  queue_.reset();
  return failure(Errc::input_unreadable, name_ + ": cannot be read: " + rd_kafka_err2str(rd_kafka_last_error()));
}

void PartitionSource::stop() {
  if (!queue_) return;
  rd_kafka_consume_stop(topic_.get(), range_.partition);
  queue_.reset();
}

Result<RecordBatch> PartitionSource::read(std::size_t bytes, RecordBatch reuse) {
  RecordBatch batch = std::move(reuse);
  batch.bytes.clear();
  batch.records.clear();
  batch.envelopes.clear();
  batch.last = next_ >= range_.end;
  if (batch.last) return batch;
  if (!queue_) {
    if (auto started = start(); !started) return tl::unexpected(std::move(started).error());
  }
  using Clock = std::chrono::steady_clock;
  const auto give_up = Clock::now() + std::chrono::milliseconds(options_.patience.ms);
  while (true) {
    auto some = take(batch, bytes);
    if (!some) {
      stop();
      return tl::unexpected(std::move(some).error());
    }
    batch.last = next_ >= range_.end;
    if (batch.last) stop();
    if (goes_on() && !*some) break;
    if (batch.last || batch.bytes.size() >= bytes || (!*some && !batch.records.empty())) break;
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, name_ + ": reading was interrupted");
    }
    if (!*some && Clock::now() >= give_up) {
      stop();
      return tl::unexpected(nothing_comes());
    }
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  batch.next_offset = next_;
  return batch;
}

// Whether something came within the time of one wait.
Result<bool> PartitionSource::take(RecordBatch& batch, std::size_t bytes) {
  std::array<rd_kafka_message_t*, messages_at_once> messages{};
  // A look at few at a time keeps a batch near the size that was asked for.
  const std::size_t wanted = std::clamp<std::size_t>(bytes / 512, 1, messages_at_once);
  connection_->serve();
  const auto count = rd_kafka_consume_batch_queue(queue_.get(), goes_on() ? 0 : wait_ms, messages.data(), wanted);
  if (count < 0) {
    return failure(Errc::input_unreadable, name_ + ": cannot be read: " + rd_kafka_err2str(rd_kafka_last_error()));
  }
  Result<void> outcome;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    if (outcome) outcome = take(*messages[i], batch);
    rd_kafka_message_destroy(messages[i]);
  }
  if (!outcome) return tl::unexpected(std::move(outcome).error());
  return count > 0;
}

Result<void> PartitionSource::take(const rd_kafka_message_t& message, RecordBatch& batch) {
  switch (message.err) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
      // What was seen is not seen again, and what came after the end does not belong to it.
      if (message.offset < next_ || message.offset >= range_.end) {
        next_ = std::max(next_, std::min(message.offset, range_.end));
        return {};
      }
      append(message, batch);
      if (goes_on() && !batch.records.back().broker_time) {
        return failure(Errc::input_unreadable, name_ + ": its messages have no timestamps (message format before 0.10), by " +
                                                   "which wrong clocks are told; have the topic written in a newer format");
      }
      next_ = message.offset + 1;
      caught_up_ = false;
      return {};
    case RD_KAFKA_RESP_ERR__PARTITION_EOF:
      // The end is reached where the last offsets hold no messages for anybody.
      next_ = std::max(next_, std::min(message.offset, range_.end));
      caught_up_ = true;
      return {};
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
      if (goes_on() && options_.follow->on_gap != OnGap::stop) return pass_gap();
      return failure(Errc::input_unreadable, name_ + ": offset " + std::to_string(next_) +
                                                 " is gone: retention has taken it since reading began. Read from a later "
                                                 "time, or keep the topic longer");
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__TIMED_OUT: return {};  // librdkafka goes on trying; `patience` decides for how long
    default:
      return failure(Errc::input_unreadable, name_ + ": cannot be read at offset " + std::to_string(next_) + ": " +
                                                 rd_kafka_message_errstr(&message));
  }
}

// The next offsets are gone: goes on where there are some again.
Result<void> PartitionSource::pass_gap() {
  std::int64_t earliest = 0;
  std::int64_t end = 0;
  const std::string topic = rd_kafka_topic_name(topic_.get());
  const rd_kafka_resp_err_t code =
      rd_kafka_query_watermark_offsets(connection_->handle(), topic.c_str(), range_.partition, &earliest, &end, ask_ms);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return {};  // asked again when librdkafka complains again
  stop();
  next_ = options_.follow->on_gap == OnGap::earliest ? earliest : end;
  return start();
}

void PartitionSource::append(const rd_kafka_message_t& message, RecordBatch& batch) {
  const std::size_t size = std::min(message.len, options_.message_bytes_max + 1);
  const auto* payload = static_cast<const char*>(message.payload);
  Record record{.offset = batch.bytes.size(), .size = size, .broker_time = {}, .tombstone = payload == nullptr};
  rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  const std::int64_t timestamp = rd_kafka_message_timestamp(&message, &type);
  if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE) record.broker_time = EventTime{timestamp};
  if (payload != nullptr) batch.bytes.insert(batch.bytes.end(), payload, payload + size);
  batch.records.push_back(record);
  if (options_.with_envelopes) batch.envelopes.push_back(envelope_of(message, size));
  bytes_read_ += message.len;
}

Error PartitionSource::nothing_comes() const {
  const std::string complaint = connection_->complaint();
  return {Errc::input_unreadable, name_ + ": nothing has come for " + std::to_string(options_.patience.ms / 1000) +
                                      " s, although there are messages up to offset " + std::to_string(range_.end - 1) +
                                      (complaint.empty() ? "" : " (" + complaint + ")") + ". Is a broker of " +
                                      connection_->brokers() + " up, and does the partition have a leader?"};
}

}  // namespace recmeter::kafka
