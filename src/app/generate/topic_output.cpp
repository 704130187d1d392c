#include "app/generate/topic_output.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/generate/json_line.h"
#include "recmeter/kafka/record_topic.h"

namespace recmeter::generate {

namespace {

// The user of a record as this program writes it; "" when it has none.
std::string_view user_of(std::string_view record) {
  constexpr std::string_view name = "\"user_id\":\"";
  const std::size_t at = record.find(name);
  if (at == std::string_view::npos) return {};
  record.remove_prefix(at + name.size());
  return record.substr(0, record.find('"'));
}

class TopicOutput final : public LogOutput {
 public:
  TopicOutput(const TopicPlace& place, std::vector<std::unique_ptr<kafka::RecordTopic>> topics)
      : place_(place), topics_(std::move(topics)) {}

  Result<void> write(std::uint32_t file, EventTime place, std::string_view record) override;
  Result<void> finish() override;

 private:
  using Clock = std::chrono::steady_clock;
  void keep_to_the_rate();

  TopicPlace place_;
  std::vector<std::unique_ptr<kafka::RecordTopic>> topics_;  // of lists, of actions; or one of both
  std::uint64_t records_ = 0;
  EventTime last_ = minus_infinity;
  Clock::time_point begin_ = Clock::now();
};

void TopicOutput::keep_to_the_rate() {
  if (place_.rate == 0) return;
  const std::chrono::duration<double> due(static_cast<double>(records_) / static_cast<double>(place_.rate));
  std::this_thread::sleep_until(begin_ + std::chrono::duration_cast<Clock::duration>(due));
}

Result<void> TopicOutput::write(std::uint32_t file, EventTime place, std::string_view record) {
  keep_to_the_rate();
  kafka::RecordTopic& topic = *topics_[std::min<std::size_t>(file, topics_.size() - 1)];
  const std::string_view key = user_of(record);
  const auto in_turn = static_cast<std::int32_t>(records_ % static_cast<std::uint64_t>(topic.partitions()));
  ++records_;
  last_ = std::max(last_, place);
  return topic.produce(
      {.partition = key.empty() ? in_turn : topic.partition_of(key), .key = key, .value = record, .time = place});
}

Result<void> TopicOutput::finish() {
  const EventTime after = last_ + place_.end_marks;
  JsonLine mark;
  mark.put(R"({"type":"end_mark","ts":)").number(static_cast<std::uint64_t>(std::max<std::int64_t>(0, after.ms))).put('}');
  for (const auto& topic : topics_) {
    for (std::int32_t partition = 0; place_.end_marks.ms > 0 && partition < topic->partitions(); ++partition) {
      auto produced = topic->produce({.partition = partition, .key = {}, .value = mark.text(), .time = after});
      if (!produced) return produced;
    }
    if (auto finished = topic->finish(); !finished) return finished;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LogOutput>> topic_output(const TopicPlace& place, const std::atomic<bool>* interrupted) {
  std::vector<std::string> names{place.impressions};
  if (place.feedback != place.impressions) names.push_back(place.feedback);
  std::vector<std::unique_ptr<kafka::RecordTopic>> topics;
  for (const std::string& name : names) {
    auto topic = kafka::record_topic({.brokers = place.brokers, .properties = {}}, name, place.partitions, interrupted);
    if (!topic) return tl::unexpected(std::move(topic).error());
    topics.push_back(std::move(*topic));
  }
  return std::make_unique<TopicOutput>(place, std::move(topics));
}

}  // namespace recmeter::generate
