#include "app/run/input_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "app/console/messages.h"
#include "app/run/run_verdict.h"
#include "recmeter/evaluation/found_order.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/file/record_sorter.h"

namespace recmeter {

namespace {

constexpr std::size_t places = 10;
constexpr std::size_t place_bytes = std::size_t{128} << 10;
constexpr std::size_t open_max = 64;  // ReplayOptions::open_max

class InputSorter {
 public:
  InputSorter(ReplayInputs& inputs, const TimeRule& rule, const Sorting& sorting, Executor& executor,
              const std::function<void(const ReplayProgress&)>& progress)
      : inputs_(inputs), rule_(rule), sorting_(sorting), executor_(executor), progress_(progress) {}

  Result<void> sort_some(LookThrough look);
  Result<void> sort_all();

 private:
  Result<bool> looks_late(std::size_t partition);
  Result<bool> has_late(std::size_t partition);
  Result<bool> sort(std::size_t partition);
  Result<void> open_again(std::size_t partition);
  Result<void> go_through(Intake& intake, FoundOrder& order, file::RecordSorter* into);
  [[nodiscard]] Intake intake_of(std::size_t partition);
  [[nodiscard]] FoundOrder order_of(std::size_t partition) const { return {inputs_.partitions[partition].lateness, rule_}; }
  [[nodiscard]] bool has_own_times_in(std::size_t partition) const {
    const auto& shape = inputs_.decoders[inputs_.partitions[partition].decoder].fields.shape;
    return shape && has_own_times(*shape);
  }
  [[nodiscard]] bool is_stopped() const {
    return inputs_.file_options.stop != nullptr && inputs_.file_options.stop->load(std::memory_order_relaxed);
  }

  ReplayInputs& inputs_;
  const TimeRule& rule_;
  const Sorting& sorting_;
  Executor& executor_;
  const std::function<void(const ReplayProgress&)>& progress_;
  std::unique_ptr<file::RecordSorter> sorter_;  // once something is sorted
};

// What a look shows may still be wrong: sorting finds out. Where events of a record have times of their own, one lies ahead
// of the records that follow as a wrong clock does: only in a sorted file it counts for certain.
Result<void> InputSorter::sort_some(LookThrough look) {
  for (std::size_t p = 0; p < inputs_.partitions.size(); ++p) {
    if (!inputs_.logs[p]) continue;
    auto late = has_own_times_in(p) ? Result<bool>(true) : look == LookThrough::whole ? has_late(p) : looks_late(p);
    bool is_sorted = false;
    if (late && *late) {
      late = sort(p);
      is_sorted = late && *late;
    }
    if (!late) return tl::unexpected(std::move(late).error());
    inputs_.partitions[p].ends_when_late = look == LookThrough::sample && !is_sorted;
  }
  return {};
}

Result<void> InputSorter::sort_all() {
  for (std::size_t p = 0; p < inputs_.partitions.size(); ++p) {
    if (auto sorted = sort(p); !sorted) return tl::unexpected(std::move(sorted).error());
  }
  return {};
}

Result<bool> InputSorter::looks_late(std::size_t partition) {
  auto sample = inputs_.logs[partition]->sample(places, place_bytes);
  if (!sample) return false;  // the run meets the fault where it is
  const auto decoder = make_decoder(inputs_.decoders[inputs_.partitions[partition].decoder]);
  FoundOrder order = order_of(partition);
  for (const RecordBatch& batch : *sample) order.read(std::make_shared<const EventBatch>(decoder->decode(batch)));
  return order.has_late();
}

// Ends at the first.
Result<bool> InputSorter::has_late(std::size_t partition) {
  Intake intake = intake_of(partition);
  FoundOrder order = order_of(partition);
  if (auto read = go_through(intake, order, nullptr); !read) return tl::unexpected(std::move(read).error());
  if (auto opened = open_again(partition); !opened) return tl::unexpected(std::move(opened).error());
  return order.has_late();
}

Result<void> InputSorter::open_again(std::size_t partition) {
  auto opened = inputs_.logs[partition]->open();
  if (!opened) return tl::unexpected(std::move(opened).error());
  inputs_.partitions[partition].source = std::move(*opened);
  return {};
}

// False: it has no late event, and is left as it was.
Result<bool> InputSorter::sort(std::size_t partition) {
  if (!sorter_) {
    auto sorter = file::RecordSorter::create(sorting_.space, std::min(inputs_.partitions.size(), open_max));
    if (!sorter) return tl::unexpected(std::move(sorter).error());
    sorter_ = std::move(*sorter);
  }
  Intake intake = intake_of(partition);
  FoundOrder order = order_of(partition);
  if (auto read = go_through(intake, order, sorter_.get()); !read) return tl::unexpected(std::move(read).error());
  if (sorting_.when == SortWhen::automatic && !order.has_late() && !has_own_times_in(partition)) {
    sorter_->drop();
    if (auto opened = open_again(partition); !opened) return tl::unexpected(std::move(opened).error());
    return false;
  }
  auto sorted = sorter_->finish(intake.source(0));
  if (!sorted) return tl::unexpected(std::move(sorted).error());
  PartitionInput& input = inputs_.partitions[partition];
  input.source = std::move(*sorted);
  input.sorted = order.order();
  if (order.has_late() && sorting_.says_so) {
    say(Notice::input_sorted, fmt::format("{} goes back in time by up to {}: sorted by time before it is read",
                                          input.source->name(), about(input.sorted->found.max)));
  }
  return true;
}

Intake InputSorter::intake_of(std::size_t partition) {
  PartitionInput& input = inputs_.partitions[partition];
  std::vector<PartitionInput> one;
  one.push_back({.source = std::move(input.source), .decoder = input.decoder, .lateness = input.lateness});
  return {std::move(one), {.decoders = inputs_.decoders, .threads = executor_.threads(), .keep_records = true}};
}

Result<void> InputSorter::go_through(Intake& intake, FoundOrder& order, file::RecordSorter* into) {
  constexpr std::array<std::size_t, 1> only{0};
  std::vector<std::function<void()>> tasks;
  ReplayProgress progress;
  for (bool at_end = false; !at_end;) {
    if (is_stopped()) {
      return failure(Errc::interrupted, fmt::format("interrupted while the input was sorted: {}", intake.source(0).name()));
    }
    tasks.clear();
    intake.begin(only, tasks);
    executor_.run(tasks);
    if (auto read = intake.complete(); !read) return read;
    while (auto block = intake.take(0)) {
      const std::vector<EventTime>& keys = order.read(block->events);
      progress.events += block->events->events().size();
      at_end = block->last;
      if (into == nullptr) continue;
      if (auto added = into->add(*block->records, keys); !added) return added;
    }
    if (into == nullptr && order.has_late()) return {};
    if (!progress_) continue;
    progress.bytes_read = intake.source(0).bytes_read();
    progress.bytes_total = intake.source(0).bytes_total();
    progress_(progress);
  }
  order.end();
  return {};
}

}  // namespace

bool has_streams(const ReplayInputs& inputs) {
  return std::any_of(inputs.logs.begin(), inputs.logs.end(), [](const auto& log) { return !log.has_value(); });
}

Result<void> sort_inputs(ReplayInputs& inputs, const TimeRule& rule, const Sorting& sorting, LookThrough look,
                         Executor& executor, const std::function<void(const ReplayProgress&)>& progress) {
  InputSorter sorter(inputs, rule, sorting, executor, progress);
  switch (sorting.when) {
    case SortWhen::automatic: return sorter.sort_some(look);
    case SortWhen::always: return sorter.sort_all();
    case SortWhen::never: return {};
  }
  return {};
}

}  // namespace recmeter
