#include "kafka/partition_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kafka/envelope.h"
#include "recmeter/event/join_key.h"

namespace recmeter::kafka {

namespace {

constexpr std::size_t messages_at_once = 1000;
constexpr int wait_ms = 100;                      // between two looks at `stop`
constexpr std::chrono::seconds look_again{60};    // for what was passed over, at most so often
constexpr std::chrono::seconds refused_pause{1};  // before what was refused is tried again

}  // namespace

PartitionSource::PartitionSource(std::shared_ptr<Connection> connection, std::shared_ptr<rd_kafka_topic_t> topic,
                                 PartitionRange range, const ReadOptions& options)
    : connection_(std::move(connection)),
      topic_(std::move(topic)),
      range_(range),
      options_(options),
      name_(std::string(rd_kafka_topic_name(topic_.get())) + "/" + std::to_string(range.partition)),
      next_(range.begin),
      last_(range.last),
      outages_(connection_->outages()),
      looked_(Clock::now() - look_again) {}

PartitionSource::~PartitionSource() {
  stop();
}

// Not while no broker answers, for nobody knows then what there is, nor while messages that have come are not taken.
bool PartitionSource::is_caught_up() const {
  return caught_up_ && connection_->is_answering() && queue_ && rd_kafka_queue_length(queue_.get()) == 0;
}

std::optional<std::int64_t> PartitionSource::end_offset() const {
  if (range_.end != no_end) return range_.end;
  if (!connection_->is_answering() || is_refused_) return std::nullopt;
  std::int64_t low = -1;
  std::int64_t high = -1;
  const auto code =
      rd_kafka_get_watermark_offsets(connection_->handle(), rd_kafka_topic_name(topic_.get()), range_.partition, &low, &high);
  return code == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? std::optional(high) : std::nullopt;
}

Result<void> PartitionSource::start(bool compares) {
  caught_up_ = false;
  compares_ = compares && last_ && last_->offset < next_;
  queue_.reset(rd_kafka_queue_new(connection_->handle()));
  const std::int64_t from = compares_ ? last_->offset : next_;
  if (rd_kafka_consume_start_queue(topic_.get(), range_.partition, from, queue_.get()) == 0) return {};
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
  batch.last_record.reset();
  batch.lost_before = false;
  batch.lost_records = 0;
  batch.envelopes.clear();
  batch.last = next_ >= range_.end;
  if (batch.last) return batch;
  const auto give_up = Clock::now() + std::chrono::milliseconds(options_.patience.ms);
  while (true) {
    // What is lost lies between batches.
    if (lack_ != Lack::none && !batch.records.empty()) break;
    auto ready = prepare();
    batch.lost_before = batch.lost_before || std::exchange(lost_, false);
    batch.lost_records += std::exchange(lost_records_, 0);
    auto some = ready ? take(batch, bytes) : tl::unexpected(std::move(ready).error());
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
  if (!batch.records.empty()) batch.last_record = last_;
  return batch;
}

// So that there is a queue to take from, if the broker lets us know where.
Result<void> PartitionSource::prepare() {
  connection_->serve();
  const std::uint64_t outages = connection_->outages();
  if (std::exchange(outages_, outages) != outages) again_ = goes_on();
  if (lack_ != Lack::none) {
    if (auto passed = pass_lack(); !passed) return passed;
  } else if (std::exchange(again_, false)) {
    stop();
  }
  if (queue_ || lack_ != Lack::none) return {};
  if (is_refused_) {
    if (Clock::now() < ask_again_) return {};
    ask_for_topic();
  }
  return start(goes_on());
}

// By itself librdkafka looks after minutes whether it may know of a topic again.
void PartitionSource::ask_for_topic() const {
  const struct rd_kafka_metadata* answer = nullptr;
  rd_kafka_metadata(connection_->handle(), 0, topic_.get(), &answer, answer_wait_ms);
  const Metadata asked_for(answer);
}

// Whether something came within the time of one wait.
Result<bool> PartitionSource::take(RecordBatch& batch, std::size_t bytes) {
  if (!queue_) return false;
  std::array<rd_kafka_message_t*, messages_at_once> messages{};
  // A look at few at a time keeps a batch near the size that was asked for.
  const std::size_t wanted = std::clamp<std::size_t>(bytes / 512, 1, messages_at_once);
  const auto count = rd_kafka_consume_batch_queue(queue_.get(), goes_on() ? 0 : wait_ms, messages.data(), wanted);
  if (count < 0) {
    return failure(Errc::input_unreadable, name_ + ": cannot be read: " + rd_kafka_err2str(rd_kafka_last_error()));
  }
  Result<void> outcome;
  const rd_kafka_message_t* last = nullptr;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count) && outcome && lack_ == Lack::none && !again_; ++i) {
    const std::size_t before = batch.records.size();
    outcome = messages[i]->err == 0 ? take(*messages[i], batch) : take_error(*messages[i]);
    if (batch.records.size() > before) last = messages[i];
  }
  if (last != nullptr && goes_on()) last_ = mark_of(*last);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) rd_kafka_message_destroy(messages[i]);
  if (!outcome) return tl::unexpected(std::move(outcome).error());
  return count > 0;
}

Result<void> PartitionSource::take(const rd_kafka_message_t& message, RecordBatch& batch) {
  if (std::exchange(doubts_, false)) {
    again_ = true;
    return {};
  }
  has_answered();
  if (std::exchange(compares_, false)) compare(message);
  if (lack_ != Lack::none) return {};
  // What was seen is not seen again, and what came after the end does not belong to it.
  if (message.offset < next_ || message.offset >= range_.end) {
    next_ = std::max(next_, std::min(message.offset, range_.end));
    return {};
  }
  if (message.offset == next_ && std::exchange(looked_at_, -1) == next_) {
    tell(Notice::records_reread,
         name_ + ": the Kafka client passed over records from offset " + std::to_string(next_) + " on; they were read again");
  }
  if (message.offset > next_ && !is_hole_before(message.offset)) {
    again_ = true;
    return {};
  }
  append(message, batch);
  if (goes_on() && !batch.records.back().broker_time) {
    return failure(Errc::input_unreadable, name_ +
                                               ": its messages have no timestamps (message format before 0.10), by which "
                                               "wrong clocks are found; write the topic in a newer format");
  }
  next_ = message.offset + 1;
  caught_up_ = false;
  return {};
}

Result<void> PartitionSource::take_error(const rd_kafka_message_t& message) {
  switch (message.err) {
    case RD_KAFKA_RESP_ERR__PARTITION_EOF:
      if (std::exchange(doubts_, false)) {
        again_ = true;
        return {};
      }
      has_answered();
      if (std::exchange(compares_, false) && message.offset < next_) {
        lack_ = Lack::gone;
        return {};
      }
      // The end is reached where the last offsets hold no messages for anybody.
      next_ = std::max(next_, std::min(message.offset, range_.end));
      caught_up_ = true;
      return {};
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
      lack_ = Lack::gone;
      if (goes_on()) return {};
      return failure(
          Errc::input_unreadable,
          name_ + ": offset " + std::to_string(next_) +
              " is gone: retention removed it after reading began. Read from a later time, or keep the topic longer");
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      if (!goes_on()) break;
      doubts_ = true;
      if (!std::exchange(misses_, true)) {
        tell(Notice::topic_missing, name_ +
                                        ": no longer exists; reading waits for it. If the topic was deleted, create it "
                                        "again, or remove it from `inputs` and start with another state.dir");
      }
      return {};
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
      if (goes_on()) return refuse(message);
      break;
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__TIMED_OUT: return {};  // librdkafka goes on trying; `patience` decides for how long
    default: break;
  }
  return failure(Errc::input_unreadable,
                 name_ + ": cannot be read at offset " + std::to_string(next_) + ": " + rd_kafka_message_errstr(&message));
}

void PartitionSource::has_answered() {
  connection_->has_answered();
  misses_ = false;
  has_read_ = true;
  if (std::exchange(is_refused_, false)) connection_->allow(rd_kafka_topic_name(topic_.get()));
}

// At the start that is a mistake to be mended; a right that was there before may come back.
Result<void> PartitionSource::refuse(const rd_kafka_message_t& message) {
  if (!has_read_) {
    return failure(Errc::input_unreadable, name_ + ": not allowed (" + rd_kafka_err2str(message.err) +
                                               "). Get permission to read the topic, or use other credentials");
  }
  if (!std::exchange(is_refused_, true))
    connection_->refuse(rd_kafka_topic_name(topic_.get()), rd_kafka_err2str(message.err));
  again_ = true;
  ask_again_ = Clock::now() + refused_pause;
  return {};
}

// The first message from the last one read on: is it that one?
void PartitionSource::compare(const rd_kafka_message_t& message) {
  if (message.offset == last_->offset) {
    if (mark_of(message) != *last_) lack_ = Lack::recreated;
    return;
  }
  tell(Notice::record_missing,
       name_ + ": the record at offset " + std::to_string(last_->offset) +
           ", the last one that was read, no longer exists (compacted?), so it cannot be checked that the topic is the same");
}

// Whether the offsets from the next one up to `offset` are of no records: compaction and transaction markers leave such
// holes. To be told from messages that the client passed over by reading once more, now and then.
bool PartitionSource::is_hole_before(std::int64_t offset) {
  const auto now = Clock::now();
  if (looked_at_ != next_ && now - looked_ >= look_again) {
    looked_at_ = next_;
    looked_ = now;
    return false;
  }
  if (goes_on() && !std::exchange(told_of_holes_, true)) {
    tell(Notice::offsets_without_records, name_ + ": there are no records at offsets " + std::to_string(next_) + " to " +
                                              std::to_string(offset - 1) + " (compaction, or transactions); said once");
  }
  return true;
}

// The next offsets are gone, or are another topic's: goes on where there are some.
Result<void> PartitionSource::pass_lack() {
  std::int64_t earliest = 0;
  std::int64_t end = 0;
  const std::string topic = rd_kafka_topic_name(topic_.get());
  const rd_kafka_resp_err_t code = rd_kafka_query_watermark_offsets(connection_->handle(), topic.c_str(), range_.partition,
                                                                    &earliest, &end, answer_wait_ms);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) return {};  // asked again
  const bool is_there = lack_ == Lack::gone && next_ >= earliest && next_ <= end;
  if (!is_there) {
    const std::string what = what_is_lacking(earliest, end);
    if (options_.follow->on_gap == OnGap::stop) {
      return failure(Errc::input_unreadable, what + ". Set kafka.on_gap to continue anyway, or start with another state.dir");
    }
    const std::int64_t from = lack_ == Lack::recreated || next_ > end ? earliest : next_;
    next_ = options_.follow->on_gap == OnGap::earliest ? earliest : end;
    lost_ = true;
    lost_records_ += static_cast<std::uint64_t>(next_ - from);
    tell(Notice::records_lost, what + "; reading goes on at offset " + std::to_string(next_) +
                                   " (kafka.on_gap); rows that may lack lost records say `gap`");
  }
  if (!is_there || (last_ && last_->offset < earliest)) last_.reset();
  lack_ = Lack::none;
  stop();
  return start(true);
}

std::string PartitionSource::what_is_lacking(std::int64_t earliest, std::int64_t end) const {
  const std::string there =
      earliest == end ? "there are none now" : "there are " + std::to_string(earliest) + " to " + std::to_string(end - 1);
  if (lack_ == Lack::recreated || next_ > end) {
    return name_ + ": the topic was recreated or cut back: it holds other records than those that were read up to offset " +
           std::to_string(next_ - 1) + " (" + there + ")";
  }
  return name_ + ": the records from offset " + std::to_string(next_) + " on are gone by retention or deletion (" + there +
         ")";
}

void PartitionSource::tell(Notice notice, const std::string& text) const {
  if (options_.tell) options_.tell(notice, text);
}

// Over what makes two records different to a reader; a value that is cut is compared as far as it was read.
RecordMark PartitionSource::mark_of(const rd_kafka_message_t& message) const {
  const std::size_t size = std::min(message.len, options_.message_bytes_max + 1);
  std::string text =
      std::to_string(rd_kafka_message_timestamp(&message, nullptr)) + " " + std::to_string(message.key_len) + " ";
  if (message.key != nullptr) text.append(static_cast<const char*>(message.key), message.key_len);
  if (message.payload != nullptr) text.append(static_cast<const char*>(message.payload), size);
  return {.offset = message.offset, .hash = hash_id(text)};
}

// How many bytes: the header in which newer clients name the schema. One that is too long for any is cut and names none.
std::size_t PartitionSource::append_frame(const rd_kafka_message_t& message, std::vector<char>& bytes) {
  constexpr std::size_t frame_bytes_max = 32;
  rd_kafka_headers_t* headers = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  const bool is_there = rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR &&
                        rd_kafka_header_get_last(headers, "__value_schema_id", &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR &&
                        value != nullptr;
  if (!is_there) return 0;
  size = std::min(size, frame_bytes_max);
  const auto* const begin = static_cast<const char*>(value);
  bytes.insert(bytes.end(), begin, begin + size);
  return size;
}

void PartitionSource::append(const rd_kafka_message_t& message, RecordBatch& batch) {
  const std::size_t size = std::min(message.len, options_.message_bytes_max + 1);
  const auto* payload = static_cast<const char*>(message.payload);
  const std::size_t frame = options_.with_frames ? append_frame(message, batch.bytes) : 0;
  Record record{.offset = batch.bytes.size(), .size = size, .broker_time = {}, .tombstone = payload == nullptr};
  rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  const std::int64_t timestamp = rd_kafka_message_timestamp(&message, &type);
  if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE) record.broker_time = EventTime{timestamp};
  if (payload != nullptr) batch.bytes.insert(batch.bytes.end(), payload, payload + size);
  record.frame = static_cast<std::uint32_t>(frame);
  batch.records.push_back(record);
  if (options_.with_envelopes) batch.envelopes.push_back(envelope_of(message, size));
  bytes_read_ += message.len;
}

Error PartitionSource::nothing_comes() const {
  const std::string complaint = connection_->complaint();
  return {Errc::input_unreadable, name_ + ": nothing has come for " + std::to_string(options_.patience.ms / 1000) +
                                      " s, although there are messages up to offset " + std::to_string(range_.end - 1) +
                                      (complaint.empty() ? "" : " (" + complaint + ")") + ". Check that a broker of " +
                                      connection_->brokers() + " runs, and that the partition has a leader"};
}

}  // namespace recmeter::kafka
