// Presets on exports of their kind, written by hand: search events, feeds, spans and data sets. [I3.23].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shapes/decoded.h"

namespace recmeter::test {
namespace {

using Lines = std::vector<std::string>;

std::string shape(std::string_view name) {
  return fmt::format("inputs: [{{shape: {}}}]\n", name);
}
std::string list(std::string_view ts, std::string_view id, std::string_view rest) {
  return fmt::format(R"({{"type":"impression","ts":{},"list_id":"{}",{}}})", ts, id, rest);
}
std::string action(std::string_view type, std::string_view ts, std::string_view rest) {
  return fmt::format(R"({{"type":"{}","ts":{},{}}})", type, ts, rest);
}

TEST(MorePresets, read_algolia) {
  const auto event = [](std::string_view type, int ms, std::string_view rest) {
    return fmt::format(R"({{"eventType":"{}","eventName":"E","index":"shop","userToken":"anonymous-7","timestamp":{}{}}})"
                       "\n",
                       type, 1704067200000 + ms, rest);
  };
  const std::string log =
      event("view", 0, R"(,"queryID":"q1","objectIDs":["a","b"])") + event("view", 5, R"(,"objectIDs":["c"])") +
      event("click", 1000, R"(,"queryID":"q1","objectIDs":["b"],"positions":[2],"authenticatedUserToken":"u")") +
      event("conversion", 2000,
            R"(,"eventSubtype":"addToCart","objectIDs":["b"],"queryID":"q1","objectData":[{"price":3,"quantity":2}])") +
      event("conversion", 3000, R"(,"eventSubtype":"purchase","objectIDs":["b","c"])") +
      event("conversion", 4000, R"(,"objectIDs":["a"])") + event("click", 5000, R"(,"filters":["brand:x"])");
  constexpr std::string_view user = R"("user_id":"anonymous-7")";
  EXPECT_EQ(
      decoded(shape("algolia"), log),
      (Lines{list("1704067200000", "q1", fmt::format(R"({},"items":["a","b"],"segments":{{"index":"shop"}})", user)),
             list("1704067200005", "E:1704067200005", fmt::format(R"({},"items":["c"],"segments":{{"index":"shop"}})", user)),
             action("click", "1704067201000", fmt::format(R"({},"item_id":"b","list_id":"q1")", user)),
             action("cart", "1704067202000", fmt::format(R"({},"item_id":"b","list_id":"q1")", user)),
             action("purchase", "1704067203000", fmt::format(R"({},"item_id":"b")", user)),
             action("purchase", "1704067203000", fmt::format(R"({},"item_id":"c")", user)),
             action("conversion", "1704067204000", fmt::format(R"({},"item_id":"a")", user)), "ignored@1704067205000"}));
}

TEST(MorePresets, read_eb_nerd) {
  const std::string log =
      R"({"impression_id":7,"article_id":null,"impression_time":"2024-01-01 00:00:00","device_type":2,)"
      R"("article_ids_inview":[11,12,13],"article_ids_clicked":[13],"user_id":22})"
      "\n"
      R"({"impression_id":8,"impression_time":"2024-01-01T00:00:01.000","device_type":1,"article_ids_inview":[11],)"
      R"("article_ids_clicked":[],"user_id":22})"
      "\n";
  EXPECT_EQ(decoded(shape("eb-nerd"), log),
            (Lines{list("1704067200000", "7", R"("user_id":"22","items":["11","12","13"],"segments":{"device":"2"})"),
                   action("click", "1704067200000", R"("user_id":"22","item_id":"13","list_id":"7")"),
                   list("1704067201000", "8", R"("user_id":"22","items":["11"],"segments":{"device":"1"})")}));
}

TEST(MorePresets, read_bluesky) {
  const std::string log =
      R"({"time":"2024-01-01T00:00:00Z","did":"did:plc:u","reqId":"r1","cursor":"c",)"
      R"("feed":[{"post":"at://x/app.bsky.feed.post/1"},{"post":"at://x/app.bsky.feed.post/2"}]})"
      "\n"
      R"({"time":"2024-01-01T00:00:09Z","did":"did:plc:u","interactions":[)"
      R"({"item":"at://x/app.bsky.feed.post/1","event":"app.bsky.feed.defs#interactionSeen","reqId":"r1"},)"
      R"({"item":"at://x/app.bsky.feed.post/2","event":"app.bsky.feed.defs#clickthroughItem","reqId":"r1"},)"
      R"({"item":"at://x/app.bsky.feed.post/2","event":"app.bsky.feed.defs#interactionLike","reqId":"r1"}]})"
      "\n"
      R"({"time":"2024-01-01T00:00:19Z","did":"did:plc:u","interactions":[)"
      R"({"item":"at://x/app.bsky.feed.post/1","event":"app.bsky.feed.defs#interactionSeen"}]})"
      "\n";
  constexpr std::string_view second = R"("user_id":"did:plc:u","item_id":"at://x/app.bsky.feed.post/2")";
  EXPECT_EQ(
      decoded(shape("bluesky"), log),
      (Lines{list("1704067200000", "r1",
                  R"("user_id":"did:plc:u","items":["at://x/app.bsky.feed.post/1","at://x/app.bsky.feed.post/2"])"),
             action("click", "1704067209000", second), action("like", "1704067209000", second), "ignored@1704067219000"}));
}

TEST(MorePresets, read_retrieval_spans_of_opentelemetry) {
  const auto span = [](std::string_view name, int second, std::string_view attributes) {
    return fmt::format(R"({{"traceId":"t1","spanId":"s","name":"{}","startTimeUnixNano":"{}000000000","attributes":[{}]}})"
                       "\n",
                       name, 1704067200 + second, attributes);
  };
  const std::string log =
      span(
          "retrieval", 0,
          R"({"key":"gen_ai.retrieval.documents","value":{"arrayValue":{"values":[)"
          R"({"kvlistValue":{"values":[{"key":"id","value":{"stringValue":"d1"}},{"key":"score","value":{"doubleValue":0.9}}]}},)"
          R"({"kvlistValue":{"values":[{"key":"id","value":{"stringValue":"d2"}},{"key":"score","value":{"doubleValue":0.5}}]}}]}}})") +
      span("retrieval", 1,
           R"({"key":"gen_ai.data_source.id","value":{"stringValue":"wiki"}},{"key":"gen_ai.retrieval.documents",)"
           R"("value":{"stringValue":"[{\"id\":\"d3\",\"score\":0.7}]"}})") +
      span("documents_cited", 2, R"({"key":"document.ids","value":{"arrayValue":{"values":[{"stringValue":"d2"}]}}})") +
      span("document_opened", 3,
           R"({"key":"answer.trace_id","value":{"stringValue":"t0"}},{"key":"document.id","value":{"stringValue":"d2"}})") +
      span("answer_liked", 4, R"({"key":"answer.trace_id","value":{"stringValue":"t0"}})") + span("chat", 5, "");
  EXPECT_EQ(decoded(shape("otel-retrieval"), log),
            (Lines{list("1704067200000", "t1", R"("items":["d1","d2"],"scores":[0.9,0.5])"),
                   list("1704067201000", "t1", R"("items":["d3"],"scores":[0.7],"segments":{"source":"wiki"})"),
                   action("cite", "1704067202000", R"("item_id":"d2","list_id":"t1")"),
                   action("open", "1704067203000", R"("item_id":"d2","list_id":"t0")"),
                   action("thumb_up", "1704067204000", R"("list_id":"t0")"), "ignored@1704067205000"}));
}

TEST(MorePresets, read_retailrocket) {
  EXPECT_EQ(decoded(shape("retailrocket"),
                    "timestamp,visitorid,event,itemid,transactionid\n1433221332117,257597,view,355908,\n"
                    "1433222276276,599528,transaction,356475,4000\n"),
            (Lines{action("view", "1433221332117", R"("user_id":"257597","item_id":"355908")"),
                   action("purchase", "1433222276276", R"("user_id":"599528","item_id":"356475","event_id":"4000")")}));
}

}  // namespace
}  // namespace recmeter::test
