#include "recmeter/event/event_code.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "recmeter/event/canonical.h"
#include "support/decoded.h"
#include "support/dice.h"
#include "support/random_log.h"
#include "support/random_spec.h"

namespace recmeter {
namespace {

struct Written {
  std::string bytes;
  std::size_t events = 0;
};

Written written(const EventBatch& batch) {
  ByteWriter writer;
  Written out;
  for (const Event& event : batch.events()) {
    if (event.outcome != Outcome::event) continue;
    write_event(writer, batch, event);
    ++out.events;
  }
  out.bytes = writer.take();
  return out;
}

TEST(ByteCode, gives_back_what_was_written) {
  const std::vector<std::uint64_t> numbers{0,     1,     127,        128,
                                           16383, 16384, 1ULL << 63, std::numeric_limits<std::uint64_t>::max()};
  const std::vector<std::int64_t> signed_numbers{
      0, -1, 1, -64, 64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  ByteWriter writer;
  for (const std::uint64_t number : numbers) writer.add(number);
  for (const std::int64_t number : signed_numbers) writer.add_signed(number);
  writer.add_double(-0.1);
  writer.add_text("");
  writer.add_text("a text");
  ByteReader reader(writer.bytes());
  for (const std::uint64_t number : numbers) EXPECT_EQ(reader.number(), number);
  for (const std::int64_t number : signed_numbers) EXPECT_EQ(reader.signed_number(), number);
  EXPECT_EQ(reader.number_double(), -0.1);
  EXPECT_EQ(reader.text(), "");
  EXPECT_FALSE(reader.is_done());
  EXPECT_EQ(reader.text(), "a text");
  EXPECT_TRUE(reader.is_done());
}

TEST(ByteCode, fails_for_good_where_bytes_end_or_say_too_much) {
  for (const std::string& bytes :
       {std::string(), std::string("\x80"), std::string(11, '\xff'), std::string(9, '\xff') + '\x02'}) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.number(), 0U);
    EXPECT_TRUE(reader.has_failed());
    EXPECT_FALSE(reader.is_done());
  }
  ByteReader text(std::string_view("\x05only"));
  EXPECT_EQ(text.text(), "");
  EXPECT_TRUE(text.has_failed());
  EXPECT_EQ(text.number(), 0U) << "for good";
  ByteReader number(std::string_view("1234567"));
  EXPECT_EQ(number.number_double(), 0);
  EXPECT_TRUE(number.has_failed());
}

TEST(EventCode, gives_back_every_event_of_random_logs) {
  std::size_t events = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const EvaluatorSpec spec = support::random_spec(seed);
    const support::RandomLog log = support::random_log(seed, spec);
    std::vector<std::string> actions;
    for (const Action& action : spec.join.actions) actions.push_back(action.name);
    for (const support::BatchInput& input : log.inputs) {
      std::vector<std::string> lines;
      for (std::size_t at = 0; at < input.bytes.size();) {
        const std::size_t end = std::min(input.bytes.find('\n', at), input.bytes.size());
        if (end > at) lines.push_back(input.bytes.substr(at, end - at));
        at = end + 1;
      }
      DecoderOptions options = support::decoder_options(actions);
      options.fields = input.fields;
      options.key = spec.join.key;
      const EventBatch before = *support::shared_decoded(lines, options);
      const Written bytes = written(before);
      ByteReader reader(bytes.bytes);
      const auto after = read_events(reader, bytes.events, spec.join.key, {.actions = actions.size()});
      ASSERT_TRUE(after) << seed;
      EXPECT_TRUE(reader.is_done());
      std::size_t at = 0;
      for (const Event& event : before.events()) {
        if (event.outcome != Outcome::event) continue;
        const Event& again = after->events()[at++];
        ASSERT_EQ(canonical_bytes(*after, again, actions), canonical_bytes(before, event, actions)) << seed;
        ASSERT_EQ(again.key_hash, event.key_hash);
        ASSERT_EQ(again.nobody, event.nobody);
        ASSERT_EQ(again.kind, event.kind);
      }
      events += at;
    }
  }
  EXPECT_GT(events, 2000U);
}

TEST(EventCode, knows_bytes_that_are_no_events) {
  const auto batch =
      support::shared_decoded({support::list_line(0, "u", "L", {"a", "b"}, R"(,"segments":{"v":"A"},"scores":[1,2])"),
                               support::feedback_line(5, "click", "u", "a")},
                              support::decoder_options({"click"}));
  const Written whole = written(*batch);
  const JoinKey key;
  for (std::size_t size = 0; size < whole.bytes.size(); ++size) {
    ByteReader reader(std::string_view(whole.bytes).substr(0, size));
    EXPECT_FALSE(read_events(reader, whole.events, key, {.actions = 1})) << size;
  }
  support::Dice dice(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = whole.bytes;
    damaged[dice.below(damaged.size())] = static_cast<char>(dice.below(256));
    ByteReader reader(damaged);
    static_cast<void>(
        read_events(reader, whole.events, key, {.actions = 1}));  // whatever it says, it looks at these bytes only
  }
  ByteReader other_actions(whole.bytes);
  EXPECT_FALSE(read_events(other_actions, whole.events, key, {.actions = 0}));
}

}  // namespace
}  // namespace recmeter
