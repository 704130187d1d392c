#include "recmeter/kafka/row_topic.h"

#include <charconv>
#include <set>
#include <span>
#include <utility>

#include "kafka/connection.h"
#include "kafka/producer.h"

namespace recmeter::kafka {

namespace {

constexpr std::size_t rows_under_way_max = 10'000;
constexpr std::size_t row_bytes_max = 100'000'000;  // as its producer allows

class RowTopic final : public RowPublisher {
 public:
  explicit RowTopic(std::string topic) : topic_(std::move(topic)) {}
  RowTopic(const RowTopic&) = delete;
  RowTopic& operator=(const RowTopic&) = delete;
  ~RowTopic() override {
    if (producer_) producer_->flush(flush_ms);
  }

  Result<void> open(const ClientOptions& client);
  Result<void> go_on_from(std::string_view position) override;
  Result<void> publish(const NumberedRow& row) override;
  [[nodiscard]] bool wants_provisional() const override { return true; }
  Result<void> publish_provisional(std::string_view key, std::string_view value) override;
  Result<std::uint64_t> published() override;
  [[nodiscard]] std::uint64_t errors() const override { return producer_->errors(); }
  std::string position() const override { return std::to_string(safe_); }

 private:
  static constexpr std::uint64_t no_number = ~std::uint64_t{0};  // of provisional rows
  static constexpr int flush_ms = 5000;
  rd_kafka_resp_err_t produce(std::string_view key, std::string_view value, std::uint64_t number);
  void delivered(std::uint64_t number, rd_kafka_resp_err_t code);

  std::string topic_;
  std::uint64_t safe_ = 0;         // rows before it are delivered
  std::set<std::uint64_t> ahead_;  // delivered, behind one that is not
  std::uint64_t taken_ = 0;
  bool has_begun_ = false;
  std::string refused_;  // why a row was not delivered for good
  std::unique_ptr<Producer> producer_;
  TopicHandle rows_;
};

Result<void> RowTopic::open(const ClientOptions& client) {
  auto producer = Producer::make(client, [this](const rd_kafka_message_t& message) {
    delivered(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(message._private)), message.err);
  });
  if (!producer) return tl::unexpected(std::move(producer).error());
  producer_ = std::move(*producer);
  rows_.reset(rd_kafka_topic_new(producer_->handle(), topic_.c_str(), nullptr));
  return {};
}

Result<void> RowTopic::go_on_from(std::string_view position) {
  if (!position.empty()) std::from_chars(position.data(), position.data() + position.size(), safe_);
  taken_ = safe_;
  return {};
}

Result<void> RowTopic::publish(const NumberedRow& row) {
  if (row.number < safe_) return {};  // it is there
  if (!std::exchange(has_begun_, true)) safe_ = row.number;
  while (true) {
    producer_->serve(taken_ - safe_ >= rows_under_way_max ? 100 : 0);
    if (!refused_.empty()) return failure(Errc::output_failed, refused_);
    if (taken_ - safe_ >= rows_under_way_max) continue;
    const rd_kafka_resp_err_t code = produce(row.key, row.value, row.number);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) break;
    if (code == RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      producer_->serve(100);
      continue;
    }
    return failure(Errc::output_failed, topic_ + ": a row cannot be published: " + rd_kafka_err2str(code));
  }
  taken_ = row.number + 1;
  return {};
}

// One producer keeps the order, so that no provisional row comes after its final one. Where there is no room it is left out:
// a later one will tell more.
Result<void> RowTopic::publish_provisional(std::string_view key, std::string_view value) {
  producer_->serve(0);
  if (!refused_.empty()) return failure(Errc::output_failed, refused_);
  const rd_kafka_resp_err_t code = produce(key, value, no_number);
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR || code == RD_KAFKA_RESP_ERR__QUEUE_FULL) return {};
  return failure(Errc::output_failed, topic_ + ": a provisional row cannot be published: " + rd_kafka_err2str(code));
}

rd_kafka_resp_err_t RowTopic::produce(std::string_view key, std::string_view value, std::uint64_t number) {
  const int produced =
      rd_kafka_produce(rows_.get(), RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY, const_cast<char*>(value.data()), value.size(),
                       key.data(), key.size(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(number)));
  return produced == 0 ? RD_KAFKA_RESP_ERR_NO_ERROR : rd_kafka_last_error();
}

Result<std::uint64_t> RowTopic::published() {
  producer_->serve(0);
  if (!refused_.empty()) return failure(Errc::output_failed, refused_);
  return safe_;
}

void RowTopic::delivered(std::uint64_t number, rd_kafka_resp_err_t code) {
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    refused_ = topic_ + ": rows cannot be published: " + rd_kafka_err2str(code) +
               ". Make the topic, or ask for the right to write to it; what is not published is kept";
    return;
  }
  if (number == no_number) return;
  ahead_.insert(number);
  while (ahead_.erase(safe_) > 0) ++safe_;
}

}  // namespace

Result<std::unique_ptr<RowPublisher>> row_topic(const ClientOptions& client, const std::string& topic) {
  auto publisher = std::make_unique<RowTopic>(topic);
  if (auto opened = publisher->open(client); !opened) return tl::unexpected(std::move(opened).error());
  return publisher;
}

// In a row's JSON a quote within a text is escaped: what is looked for is found nowhere but in the row's stage.
Result<bool> holds_final_rows(const ClientOptions& client, const std::string& topic, std::string_view key_start,
                              const std::atomic<bool>& stop, const std::function<void()>& alive) {
  const auto opened =
      open_topics(client, std::span(&topic, 1),
                  {.message_bytes_max = row_bytes_max, .memory = 16 << 20, .stop = &stop, .with_envelopes = true});
  if (!opened && opened.error().code == Errc::input_missing) return false;
  if (!opened) return tl::unexpected(opened.error());
  for (const auto& source : opened->sources) {
    for (RecordBatch batch; !batch.last;) {
      alive();
      auto read = source->read(1 << 20, std::move(batch));
      if (!read) return tl::unexpected(std::move(read).error());
      batch = std::move(*read);
      for (std::size_t i = 0; i < batch.records.size(); ++i) {
        const auto& key = batch.envelopes[i].key;
        if (!key || !key->starts_with(key_start)) continue;
        const Record& record = batch.records[i];
        const std::string_view value(batch.bytes.data() + record.offset, record.size);
        if (value.find(R"("stage":"final")") != std::string_view::npos) return true;
      }
    }
  }
  return false;
}

}  // namespace recmeter::kafka
