// PartitionSource: one partition from an offset on, up to another or going on.
//
// One that goes on looks whether the partition still is what was read before: when it starts, and whenever no broker was
// there or the topic was gone meanwhile, it reads the last record again that was read and compares. (librdkafka 2.0 sees that
// a topic was made anew only where it is shorter than the offset wanted.)
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "kafka/connection.h"

namespace recmeter::kafka {

struct PartitionRange {
  std::int32_t partition = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;            // the first offset not wanted
  std::optional<RecordMark> last;  // the record read last before `begin`
};
// Of a partition that goes on.
inline constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

class PartitionSource : public RecordSource {
 public:
  // `topic` outlives the queue's consumption; shared by the topic's sources.
  PartitionSource(std::shared_ptr<Connection> connection, std::shared_ptr<rd_kafka_topic_t> topic, PartitionRange range,
                  const ReadOptions& options);
  ~PartitionSource() override;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override;
  // Prefetched messages stay: they are within the memory that was asked for.
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return queue_ != nullptr; }
  [[nodiscard]] bool is_caught_up() const override;
  [[nodiscard]] bool is_cut_at_start() const override { return range_.begin > 0; }
  [[nodiscard]] std::int64_t next_offset() const override { return next_; }
  [[nodiscard]] std::optional<std::int64_t> end_offset() const override;
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  using Clock = std::chrono::steady_clock;
  // Why what is wanted next cannot be had.
  enum class Lack : std::uint8_t { none, gone, recreated };

  [[nodiscard]] Result<void> start(bool compares);
  void stop();
  [[nodiscard]] Result<void> prepare();
  void ask_for_topic() const;
  [[nodiscard]] Result<bool> take(RecordBatch& batch, std::size_t bytes);
  [[nodiscard]] Result<void> take(const rd_kafka_message_t& message, RecordBatch& batch);
  [[nodiscard]] Result<void> take_error(const rd_kafka_message_t& message);
  void append(const rd_kafka_message_t& message, RecordBatch& batch);
  [[nodiscard]] static std::size_t append_frame(const rd_kafka_message_t& message, std::vector<char>& bytes);
  void has_answered();
  [[nodiscard]] Result<void> refuse(const rd_kafka_message_t& message);
  void compare(const rd_kafka_message_t& message);
  [[nodiscard]] bool is_hole_before(std::int64_t offset);
  [[nodiscard]] Result<void> pass_lack();
  [[nodiscard]] std::string what_is_lacking(std::int64_t earliest, std::int64_t end) const;
  [[nodiscard]] RecordMark mark_of(const rd_kafka_message_t& message) const;
  [[nodiscard]] bool goes_on() const { return range_.end == no_end; }
  void tell(Notice notice, const std::string& text) const;
  [[nodiscard]] Error nothing_comes() const;

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<rd_kafka_topic_t> topic_;
  QueueHandle queue_;  // while it is consumed
  PartitionRange range_;
  ReadOptions options_;
  std::string name_;
  std::int64_t next_;  // the offset wanted next
  std::optional<RecordMark> last_;
  bool caught_up_ = false;
  bool lost_ = false;  // records before the next one
  std::uint64_t lost_records_ = 0;
  bool compares_ = false;  // the first message is the last one read, again
  bool again_ = false;     // reading starts again where it is
  Lack lack_ = Lack::none;
  bool doubts_ = false;          // whether it still is the same topic
  bool misses_ = false;          // the topic, and has said so
  bool has_read_ = false;        // records, or that there are none
  bool is_refused_ = false;      // the right to read it was withdrawn since
  Clock::time_point ask_again_;  // then
  std::uint64_t outages_;
  std::int64_t looked_at_ = -1;  // a hole that was read twice
  Clock::time_point looked_;
  bool told_of_holes_ = false;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace recmeter::kafka
