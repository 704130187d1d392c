// Candidates: what recommenders that were not live would have shown. docs/semantics.md, section 13.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "recmeter/event/event_code.h"
#include "support/dice.h"
#include "unit/event/records.h"

namespace recmeter {
namespace {

using testing::decode;
using testing::judging_options;
using testing::shaped;
using testing::told;

std::string candidate(const std::string& fields) {
  return R"({"type":"candidate","ts":1700000000000,)" + fields + "}";
}
const std::string of_c = R"("recommender":"C","user_id":"u","list_id":"l",)";

TEST(Candidates, are_whole_lists_of_a_recommender) {
  for (const DecoderOptions& options : {judging_options(), shaped(judging_options())}) {
    const EventBatch batch = decode(options, candidate(of_c + R"("items":["a","b"],"scores":[2,1.5],"segments":{"v":"A"})"));
    ASSERT_EQ(batch.events().size(), 1U);
    const Event& event = batch.events().front();
    ASSERT_EQ(event.outcome, Outcome::event);
    EXPECT_EQ(event.kind, EventKind::candidate);
    EXPECT_EQ(event.candidate, 1);
    EXPECT_EQ(event.ts.ms, 1700000000000);
    EXPECT_EQ(event.key_hash, hash_id("u"));
    EXPECT_EQ(batch.user_id(event), "u");
    EXPECT_EQ(batch.list_id(event), "l");
    ASSERT_EQ(event.item_count, 2U);
    EXPECT_EQ(batch.item(event, 1), "b");
    ASSERT_EQ(batch.scores(event).size(), 2U);
    EXPECT_EQ(batch.segment_value(event, 0), "A");
  }
}

TEST(Candidates, write_their_fields_in_order_and_their_recommender_by_its_number) {
  const std::string begin = R"({"type":"candidate","recommender":1,"ts":1700000000000,)";
  for (const DecoderOptions& options : {judging_options(), shaped(judging_options())}) {
    EXPECT_EQ(told(options, candidate(R"("segments":{"v":"A"},"scores":[2],"items":["a"],)" + of_c + R"("unknown":1)")),
              begin + R"("list_id":"l","user_id":"u","items":["a"],"scores":[2],"segments":{"v":"A"}})");
    EXPECT_EQ(told(options, candidate(R"("recommender":"C","user_id":"u","items":[])")), begin + R"("user_id":"u"})");
    EXPECT_EQ(told(options, candidate(of_c + R"("items":["a"],"propensities":[7],"teams":[1,2],"latency_ms":-1)")),
              begin + R"("list_id":"l","user_id":"u","items":["a"]})")
        << "fields that only what was shown has";
  }
}

TEST(Candidates, of_recommenders_nobody_asks_about_are_ignored_whatever_else_they_say) {
  for (const DecoderOptions& options : {judging_options(), shaped(judging_options())}) {
    EXPECT_EQ(told(options, candidate(R"("recommender":"D","user_id":"u","items":["a"])")), "ignored@1700000000000");
    EXPECT_EQ(told(options, candidate(R"("recommender":"logged","items":7)")), "ignored@1700000000000");
    EXPECT_EQ(told(options, R"({"type":"candidate","recommender":"D","ts":"soon"})"), "ignored");
  }
  EXPECT_EQ(told(testing::small_options(), candidate(of_c + R"("items":["a"])")), "ignored@1700000000000") << "no lanes";
  EXPECT_EQ(told(testing::small_options(), candidate(R"("recommender":7,"items":7)")), "ignored@1700000000000") << "no lanes";
}

TEST(Candidates, are_checked) {
  for (const DecoderOptions& options : {judging_options(), shaped(judging_options())}) {
    EXPECT_EQ(told(options, candidate(R"("user_id":"u","items":["a"])")), "invalid:missing_field") << "whose";
    EXPECT_EQ(told(options, candidate(R"("recommender":null,"user_id":"u","items":["a"])")), "invalid:missing_field");
    EXPECT_EQ(told(options, candidate(R"("recommender":1,"user_id":"u","items":["a"])")), "invalid:wrong_type");
    EXPECT_EQ(told(options, candidate(R"("recommender":["C"],"user_id":"u","items":["a"])")), "invalid:wrong_type");
    EXPECT_EQ(told(options, candidate(R"("recommender":"C","items":["a"])")), "invalid:missing_field") << "no user";
    EXPECT_EQ(told(options, candidate(R"("recommender":"C","user_id":"u")")), "invalid:missing_field") << "no items";
    EXPECT_EQ(told(options, R"({"type":"candidate","recommender":"C","user_id":"u","items":["a"]})"),
              "invalid:missing_field");
    EXPECT_EQ(told(options, candidate(of_c + R"("item_id":"a","position":1)")), "invalid:missing_field") << "no rows";
    EXPECT_EQ(told(options, candidate(of_c + R"("items":["a"],"item_id":"a")")), "invalid:items_and_item_id");
    EXPECT_EQ(told(options, candidate(of_c + R"("items":["a"],"scores":[1,2])")), "invalid:length_mismatch");
    EXPECT_EQ(told(options, candidate(of_c + R"("items":["a"],"scores":[1e9])")), "invalid:number_out_of_range");
    EXPECT_EQ(told(options, candidate(of_c + R"("items":["a","b","c","d"])")), "invalid:too_many_items");
    EXPECT_EQ(told(options, candidate(of_c + R"("items":["a",""])")), "invalid:empty_id");
  }
  EXPECT_EQ(told(judging_options(), candidate(of_c + R"("items":["a"],"recommender":"C")")), "invalid:duplicate_key");
}

TEST(Candidates, of_nobody_name_the_list) {
  for (const DecoderOptions& options : {judging_options(), shaped(judging_options())}) {
    EXPECT_EQ(told(options, candidate(R"("recommender":"C","user_id":"anon","items":["a"])")), "invalid:missing_field");
    const EventBatch batch = decode(options, candidate(R"("recommender":"B","user_id":"anon","list_id":"l","items":["a"])"));
    EXPECT_TRUE(batch.events().front().nobody);
    EXPECT_EQ(batch.events().front().key_hash, hash_id("l"));
  }
  DecoderOptions by_list = judging_options();
  by_list.key.by = JoinKey::By::list;
  EXPECT_EQ(told(by_list, candidate(R"("recommender":"C","user_id":"u","items":["a"])")), "invalid:missing_field");
  EXPECT_EQ(told(by_list, candidate(R"("recommender":"C","list_id":"l","items":["a"])")),
            R"({"type":"candidate","recommender":1,"ts":1700000000000,"list_id":"l","items":["a"]})");
}

struct Written {
  std::string bytes;
  std::size_t events = 0;
};
Written written(const EventBatch& batch) {
  ByteWriter writer;
  for (const Event& event : batch.events()) write_event(writer, batch, event);
  return {writer.take(), batch.events().size()};
}

TEST(Candidates, are_given_back_by_their_code) {
  for (const char* const fields :
       {R"("items":["a","b"],"scores":[2,1.5],"segments":{"v":"A"})", R"("items":[])", R"("items":["a"])"}) {
    for (const std::string& of : {of_c, std::string(R"("recommender":"B","user_id":"u",)"),
                                  std::string(R"("recommender":"B","user_id":"anon","list_id":"l",)")}) {
      const EventBatch before = decode(judging_options(), candidate(of + fields));
      const Written code = written(before);
      ByteReader reader(code.bytes);
      const auto after = read_events(reader, 1, judging_options().key, {.actions = 3, .candidates = 2});
      ASSERT_TRUE(after) << of << fields;
      EXPECT_TRUE(reader.is_done());
      const Event& event = after->events().front();
      EXPECT_EQ(canonical_bytes(*after, event, judging_options().actions),
                canonical_bytes(before, before.events().front(), judging_options().actions));
      EXPECT_EQ(event.kind, EventKind::candidate);
      EXPECT_EQ(event.candidate, before.events().front().candidate);
      EXPECT_EQ(event.key_hash, before.events().front().key_hash);
      EXPECT_EQ(event.nobody, before.events().front().nobody);
    }
  }
}

TEST(Candidates, are_not_read_from_bytes_that_are_none) {
  const Written code =
      written(decode(judging_options(), candidate(of_c + R"("items":["a","b"],"scores":[2,1.5],"segments":{"v":"A"})")));
  for (std::size_t size = 0; size < code.bytes.size(); ++size) {
    ByteReader reader(std::string_view(code.bytes).substr(0, size));
    EXPECT_FALSE(read_events(reader, 1, judging_options().key, {.actions = 3, .candidates = 2})) << size;
  }
  for (const std::size_t known : {0U, 1U}) {
    ByteReader reader(code.bytes);
    EXPECT_FALSE(read_events(reader, 1, judging_options().key, {.actions = 3, .candidates = known}))
        << "of a recommender beyond these";
  }
  support::Dice dice(11);
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = code.bytes;
    damaged[dice.below(damaged.size())] = static_cast<char>(dice.below(256));
    ByteReader reader(damaged);
    const auto read = read_events(reader, 1, judging_options().key, {.actions = 3, .candidates = 2});
    if (!read || read->events().front().kind != EventKind::candidate) continue;
    EXPECT_LT(read->events().front().candidate, 2);
  }
}

}  // namespace
}  // namespace recmeter
