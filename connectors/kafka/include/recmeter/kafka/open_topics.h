// open_topics: the partitions of topics as RecordSources: bounded, what was in them when they were opened, or going on.
//
// Of a bounded source the end is pinned: it ends at the offset that was its partition's next one when open_topics() asked,
// however much is produced meanwhile. One that goes on (ReadOptions::follow) gives what is there and does not wait, nor end
// because no broker answers. No consumer group is joined and no offset committed, so reading leaves no trace on the broker.
//
// Invariants, besides those of RecordBatch:
//   (1) records come in the order of their offsets, each once; an offset may be missing where the broker has none to give
//       (compaction, transaction markers);
//   (2) broker_time is the message's timestamp, whichever kind the topic keeps; absent where it keeps none;
//   (3) next_offset of a batch is one more than the last offset that was passed;
//   (4) prefetched messages of all partitions together take about ReadOptions::memory;
//   (5) of one that goes on, records that are gone before they were read, or a topic that was made anew since, are noticed,
//       said and handled as OnGap says, and the next batch says that records were lost;
//   (6) one that goes on and may not be read any more waits until it may.
//
// Errors: input_missing (no such topic, or `ends` has not all its partitions, lies behind what is there, or has what was
// deleted since); input_unreadable
// (credentials or certificates that are not accepted, a broker's refusal, offsets that are gone, as OnGap says; of bounded
// partitions also: no broker answers, nothing is to be had for `patience`); interrupted (`stop`). Contexts and what is told
// never hold secret values of `properties`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/notice.h"
#include "recmeter/base/result.h"
#include "recmeter/port/pinned_ends.h"
#include "recmeter/port/record_source.h"

namespace recmeter::kafka {

struct ClientOptions {
  std::string brokers;                            // host:port, several joined by commas
  std::map<std::string, std::string> properties;  // librdkafka's names; may hold secrets
};

// Whether librdkafka knows the properties and takes their values; files that they name are not looked at. Errors:
// config_invalid.
[[nodiscard]] Result<void> check_properties(const ClientOptions& client);

// What to do where the next offsets are gone: go on at the earliest or behind the latest there are, or fail.
enum class OnGap : std::uint8_t { earliest, latest, stop };

// Sources that go on.
struct Follow {
  struct Position {
    std::int64_t next_offset = 0;                // the first one wanted
    std::optional<RecordMark> last_record = {};  // the one read last before, if any
  };
  std::map<std::string, Position> positions = {};  // by name; others begin as `from` or `at_end` say
  bool at_end = false;                             // with what is produced from now on
  OnGap on_gap = OnGap::earliest;
};

struct ReadOptions {
  std::size_t message_bytes_max = std::size_t{1} << 20;  // longer messages are cut to one byte more
  std::size_t memory = std::size_t{256} << 20;
  Duration patience = one_minute;           // how long a broker may give no answer, or a partition nothing
  const std::atomic<bool>* stop = nullptr;  // watched while waiting. Outlives the sources
  std::optional<EventTime> from = {};       // broker time of the first record wanted; absent: from the earliest
  PinnedEnds ends = {};                     // of bounded sources; empty: where they end now
  std::optional<Follow> follow = {};
  bool with_envelopes = false;  // RecordBatch::envelopes
  bool with_frames = false;     // Record::frame
  // Told one sentence per change of what those who run it should know. From any thread; may be empty.
  Tell tell = {};
};

// Whether brokers can be reached, by the connection that reads.
struct Reach {
  std::optional<std::size_t> brokers;  // that are connected and answer; none: not known yet
  std::string complaint;               // the last one, "" when there was none
  std::string refusal;                 // a topic's, that may not be read any more; "" when there is none
};

// By topic, in the order given, and partition. Names are "topic/partition".
struct OpenedTopics {
  std::vector<std::unique_ptr<RecordSource>> sources;
  std::vector<std::size_t> topic_of;  // by source: index into the names given
  std::function<Reach()> reach;       // from any thread; outlives the sources if need be
};
[[nodiscard]] Result<OpenedTopics> open_topics(const ClientOptions& client, std::span<const std::string> topics,
                                               const ReadOptions& options);

}  // namespace recmeter::kafka
