// Policies: how likely recommenders would have shown what a list shows. docs/semantics.md, section 14.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "recmeter/event/event_code.h"
#include "support/dice.h"
#include "unit/event/records.h"

namespace recmeter {
namespace {

using testing::decode;
using testing::shaped;
using testing::told;

DecoderOptions judging() {
  DecoderOptions options = testing::judging_options();
  options.reads.policies = true;
  return options;
}

std::string policy(const std::string& fields) {
  return R"({"type":"policy","ts":1700000000000,)" + fields + "}";
}
const std::string of_c = R"("recommender":"C","user_id":"u","list_id":"l",)";

std::vector<double> copy(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

TEST(Policies, say_how_likely_each_rank_of_a_list_was) {
  for (const DecoderOptions& options : {judging(), shaped(judging())}) {
    const EventBatch batch =
        decode(options, policy(of_c + R"("propensities":[0.5,0],"predicted":[1,-2],"expected":[3,0.25])"));
    ASSERT_EQ(batch.events().size(), 1U);
    const Event& event = batch.events().front();
    ASSERT_EQ(event.outcome, Outcome::event);
    EXPECT_EQ(event.kind, EventKind::policy);
    EXPECT_EQ(event.candidate, 1);
    EXPECT_EQ(event.key_hash, hash_id("u"));
    EXPECT_EQ(batch.list_id(event), "l");
    EXPECT_EQ(event.item_count, 0U);
    const EventBatch::Policy read = batch.policy(event);
    EXPECT_EQ(copy(read.propensities), (std::vector<double>{0.5, 0}));
    EXPECT_EQ(copy(read.predicted), (std::vector<double>{1, -2}));
    EXPECT_EQ(copy(read.expected), (std::vector<double>{3, 0.25}));
  }
}

TEST(Policies, write_their_fields_in_order) {
  const std::string begin = R"({"type":"policy","recommender":1,"ts":1700000000000,"list_id":"l","user_id":"u")";
  for (const DecoderOptions& options : {judging(), shaped(judging())}) {
    EXPECT_EQ(told(options, policy(R"("expected":[1],"propensities":[-0.0],"predicted":[2],)" + of_c + R"("unknown":1)")),
              begin + R"(,"propensities":[0],"predicted":[2],"expected":[1]})");
    EXPECT_EQ(told(options, policy(of_c + R"("propensities":[1],"items":["a"],"scores":[7,8],"segments":{"v":"A"})")),
              begin + R"(,"propensities":[1]})")
        << "fields that only lists have";
    EXPECT_EQ(told(options, policy(of_c + R"("propensities":[])")), begin + "}") << "of a list without items";
  }
}

TEST(Policies, are_ignored_where_nobody_asks_for_them) {
  for (const DecoderOptions& options : {judging(), shaped(judging())}) {
    EXPECT_EQ(told(options, policy(R"("recommender":"D","user_id":"u","list_id":"l")")), "ignored@1700000000000");
  }
  DecoderOptions lanes_alone = judging();
  lanes_alone.reads.policies = false;
  EXPECT_EQ(told(lanes_alone, policy(of_c + R"("propensities":[7])")), "ignored@1700000000000");
  EXPECT_EQ(told(shaped(lanes_alone), policy(of_c + R"("propensities":[7])")), "ignored@1700000000000");
}

TEST(Policies, are_checked) {
  for (const DecoderOptions& options : {judging(), shaped(judging())}) {
    const auto fate = [&](const std::string& fields) { return told(options, policy(fields)); };
    EXPECT_EQ(fate(R"("user_id":"u","list_id":"l","propensities":[1])"), "invalid:missing_field") << "whose";
    EXPECT_EQ(fate(R"("recommender":"C","list_id":"l","propensities":[1])"), "invalid:missing_field") << "no user";
    EXPECT_EQ(fate(R"("recommender":"C","user_id":"u","propensities":[1])"), "invalid:missing_field") << "of which list";
    EXPECT_EQ(fate(R"("recommender":"C","user_id":"u","list_id":"l","x":1)"), "invalid:missing_field");
    EXPECT_EQ(fate(of_c + R"("propensities":0.5)"), "invalid:wrong_type");
    EXPECT_EQ(fate(of_c + R"("propensities":["0.5"])"), "invalid:wrong_type");
    EXPECT_EQ(fate(of_c + R"("propensities":[0.5,null])"), "invalid:wrong_type") << "each rank has one";
    EXPECT_EQ(fate(of_c + R"("propensities":[1.01])"), "invalid:bad_propensity");
    EXPECT_EQ(fate(of_c + R"("propensities":[-0.01])"), "invalid:bad_propensity");
    EXPECT_EQ(fate(of_c + R"("propensities":[1,1,1,1])"), "invalid:too_many_items");
    EXPECT_EQ(fate(of_c + R"("propensities":[1],"predicted":[1])"), "invalid:missing_field") << "and no expected";
    EXPECT_EQ(fate(of_c + R"("propensities":[1],"expected":[1])"), "invalid:missing_field") << "and no predicted";
    EXPECT_EQ(fate(of_c + R"("propensities":[1],"predicted":[1],"expected":[1,2])"), "invalid:length_mismatch");
    EXPECT_EQ(fate(of_c + R"("propensities":[1],"predicted":[null],"expected":[1])"), "invalid:wrong_type");
    EXPECT_EQ(fate(of_c + R"("propensities":[1],"predicted":[1],"expected":[2e8])"), "invalid:number_out_of_range");
  }
}

TEST(Policies, of_the_logging_policy_are_above_0_as_ever) {
  EXPECT_EQ(told(judging(), R"({"type":"impression","ts":1700000000000,"user_id":"u","list_id":"l","items":["a"],)"
                            R"("propensities":[0]})"),
            "invalid:bad_propensity");
}

std::string written(const EventBatch& batch) {
  ByteWriter writer;
  for (const Event& event : batch.events()) write_event(writer, batch, event);
  return writer.take();
}

TEST(Policies, are_given_back_by_their_code) {
  for (const char* const fields : {R"("propensities":[0.5,0],"predicted":[1,-2],"expected":[3,0.25])", R"("propensities":[])",
                                   R"("propensities":[1,0.125,0])"}) {
    const EventBatch before = decode(judging(), policy(of_c + fields));
    const std::string bytes = written(before);
    ByteReader reader(bytes);
    const auto after = read_events(reader, 1, judging().key, {.actions = 3, .candidates = 2});
    ASSERT_TRUE(after) << fields;
    EXPECT_TRUE(reader.is_done());
    const Event& event = after->events().front();
    EXPECT_EQ(event.kind, EventKind::policy);
    EXPECT_EQ(canonical_bytes(*after, event, judging().actions),
              canonical_bytes(before, before.events().front(), judging().actions));
    EXPECT_EQ(event.key_hash, before.events().front().key_hash);
  }
}

TEST(Policies, are_not_read_from_bytes_that_are_none) {
  const std::string bytes =
      written(decode(judging(), policy(of_c + R"("propensities":[0.5,0],"predicted":[1,-2],"expected":[3,0.25])")));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader reader(std::string_view(bytes).substr(0, size));
    EXPECT_FALSE(read_events(reader, 1, judging().key, {.actions = 3, .candidates = 2})) << size;
  }
  support::Dice dice(12);
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = bytes;
    damaged[dice.below(damaged.size())] = static_cast<char>(dice.below(256));
    ByteReader reader(damaged);
    const auto read = read_events(reader, 1, judging().key, {.actions = 3, .candidates = 2});
    if (!read || read->events().front().kind != EventKind::policy) continue;
    const Event& event = read->events().front();
    EXPECT_LT(event.candidate, 2);
    EXPECT_EQ(read->policy(event).propensities.size(), event.position);
  }
}

}  // namespace
}  // namespace recmeter
