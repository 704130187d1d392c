// PartitionSource: one partition from an offset on, up to another or going on.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "kafka/connection.h"

namespace recmeter::kafka {

struct PartitionRange {
  std::int32_t partition = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;  // the first offset not wanted
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
  [[nodiscard]] bool is_caught_up() const override { return caught_up_; }
  [[nodiscard]] bool is_cut_at_start() const override { return range_.begin > 0; }
  [[nodiscard]] std::int64_t next_offset() const override { return next_; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return bytes_read_; }

 private:
  [[nodiscard]] Result<void> start();
  void stop();
  [[nodiscard]] Result<bool> take(RecordBatch& batch, std::size_t bytes);
  [[nodiscard]] Result<void> take(const rd_kafka_message_t& message, RecordBatch& batch);
  void append(const rd_kafka_message_t& message, RecordBatch& batch);
  [[nodiscard]] Result<void> pass_gap();
  [[nodiscard]] bool goes_on() const { return range_.end == no_end; }
  [[nodiscard]] Error nothing_comes() const;

  std::shared_ptr<Connection> connection_;
  std::shared_ptr<rd_kafka_topic_t> topic_;
  QueueHandle queue_;  // while it is consumed
  PartitionRange range_;
  ReadOptions options_;
  std::string name_;
  std::int64_t next_;  // the offset wanted next
  bool caught_up_ = false;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace recmeter::kafka
