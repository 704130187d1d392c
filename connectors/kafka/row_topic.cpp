#include "recmeter/kafka/row_topic.h"

#include <deque>
#include <span>
#include <utility>

#include "kafka/delivery_queue.h"
#include "recmeter/base/read_number.h"

namespace recmeter::kafka {

namespace {

constexpr std::uint64_t rows_under_way_max = 10'000;
constexpr std::size_t bytes_under_way_max = std::size_t{32} << 20;
constexpr std::size_t row_bytes_max = 100'000'000;  // as its producer allows
constexpr int flush_ms = 5000;

class RowTopic final : public RowPublisher {
 public:
  explicit RowTopic(std::unique_ptr<DeliveryQueue> queue) : queue_(std::move(queue)) {}
  RowTopic(const RowTopic&) = delete;
  RowTopic& operator=(const RowTopic&) = delete;
  ~RowTopic() override { queue_->flush(flush_ms); }

  Result<void> go_on_from(std::string_view position) override;
  [[nodiscard]] bool is_full() const override;
  Result<void> publish(const NumberedRow& row) override;
  [[nodiscard]] bool wants_provisional() const override { return true; }
  Result<void> publish_provisional(std::string_view key, std::string_view value) override;
  Result<std::uint64_t> published() override;
  [[nodiscard]] std::string trouble() override { return queue_->trouble(); }
  [[nodiscard]] std::uint64_t errors() const override { return queue_->errors(); }
  std::string position() const override { return std::to_string(delivered_to()); }

 private:
  // Number of the first row that is not with a broker.
  [[nodiscard]] std::uint64_t delivered_to() const {
    const std::uint64_t left = queue_->sent() - queue_->delivered();
    return left == 0 ? next_ : numbers_[numbers_.size() - left];
  }

  std::unique_ptr<DeliveryQueue> queue_;
  std::uint64_t next_ = 0;             // behind the last row it was given
  std::deque<std::uint64_t> numbers_;  // of rows under way, and of some that are not any more
};

Result<void> RowTopic::go_on_from(std::string_view position) {
  if (!position.empty()) next_ = read_number<std::uint64_t>(position).value_or(0);
  return {};
}

bool RowTopic::is_full() const {
  return queue_->sent() - queue_->delivered() >= rows_under_way_max || queue_->bytes() >= bytes_under_way_max;
}

Result<void> RowTopic::publish(const NumberedRow& row) {
  if (row.number < next_) return {};  // it is there
  next_ = row.number + 1;
  numbers_.push_back(row.number);
  queue_->send({.key = row.key, .value = row.value});
  return {};
}

// One producer keeps the order, so that no provisional row comes after its final one. Where there is no room it is left out:
// a later one will tell more.
Result<void> RowTopic::publish_provisional(std::string_view key, std::string_view value) {
  queue_->send_unkept(key, value);
  return {};
}

Result<std::uint64_t> RowTopic::published() {
  if (auto served = queue_->serve(); !served) return tl::unexpected(std::move(served).error());
  while (numbers_.size() > queue_->sent() - queue_->delivered()) numbers_.pop_front();
  return delivered_to();
}

}  // namespace

Result<std::unique_ptr<RowPublisher>> row_topic(const ClientOptions& client, const std::string& topic) {
  auto queue = DeliveryQueue::open(client, topic);
  if (!queue) return tl::unexpected(std::move(queue).error());
  return std::make_unique<RowTopic>(std::move(*queue));
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
