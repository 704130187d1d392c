// The recipes of docs/logs.md, each on an export of its kind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "shapes/decoded.h"

namespace recmeter::test {
namespace {

using Lines = std::vector<std::string>;

// The configuration below the heading.
std::string recipe(std::string_view tool) {
  std::ifstream file(RECMETER_SOURCE_DIR "/docs/logs.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t heading = text.find(fmt::format("\n### {}\n", tool));
  EXPECT_NE(heading, std::string::npos) << tool;
  constexpr std::string_view fence = "```yaml\n";
  const std::size_t begin = text.find(fence, heading) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}
std::string list(std::string_view id, std::string_view user, std::string_view rest) {
  return fmt::format(R"({{"type":"impression","ts":1704067200000,"list_id":"{}","user_id":"{}",{}}})", id, user, rest);
}
std::string action(std::string_view type, std::string_view user, std::string_view item, std::string_view rest) {
  return fmt::format(R"({{"type":"{}","ts":1704067201000,"user_id":"{}","item_id":"{}"{}}})", type, user, item, rest);
}

TEST(Recipes, read_posthog) {
  const std::string log =
      R"({"uuid":"e1","event":"list_viewed","distinct_id":"anonymous","person_id":"p","timestamp":"2024-01-01T00:00:00.000000Z",)"
      R"("properties":{"list_id":"home","items":["a","b"]}})"
      "\n"
      R"({"uuid":"e2","event":"item_clicked","distinct_id":"me@x","person_id":"p","timestamp":"2024-01-01 00:00:01+00:00",)"
      R"("properties":"{\"list_id\":\"home\",\"item_id\":\"b\"}"})"
      "\n";
  EXPECT_EQ(decoded(recipe("PostHog"), log), (Lines{list("home", "p", R"("items":["a","b"])"),
                                                    action("click", "p", "b", R"(,"list_id":"home","event_id":"e2")")}));
}

TEST(Recipes, read_amplitude) {
  const std::string log =
      R"({"$insert_id":"e1","event_type":"list_viewed","event_time":"2024-01-01 00:00:00.000000","amplitude_id":77,"user_id":null,)"
      R"("device_id":"d","event_properties":{"items":["a","b"]}})"
      "\n"
      R"({"$insert_id":"e2","event_type":"item_clicked","event_time":"2024-01-01 00:00:01.000000","amplitude_id":77,"user_id":"u",)"
      R"("device_id":"d","event_properties":{"item_id":"b"}})"
      "\n";
  EXPECT_EQ(decoded(recipe("Amplitude"), log),
            (Lines{list("e1", "77", R"("items":["a","b"])"), action("click", "77", "b", R"(,"event_id":"e2")")}));
}

TEST(Recipes, read_matomo) {
  const std::string log =
      "time,visitor,view,list,item,interaction,place\n2024-01-01 00:00:00,9A,v1,home,a,,1\n"
      "2024-01-01 00:00:01,9A,v1,home,a,click,1\n";
  EXPECT_EQ(decoded(recipe("Matomo"), log),
            (Lines{list("v1:home", "9A", R"("item_id":"a","position":1,"segments":{"list":"home"})"),
                   action("click", "9A", "a", R"(,"list_id":"v1:home")")}));
}

TEST(Recipes, read_vertex) {
  const std::string token(300, 't');
  const auto event = [](std::string_view type, int second, std::string_view rest) {
    return fmt::format(R"({{"eventType":"{}","userPseudoId":"v","eventTime":"2024-01-01T00:00:0{}Z",{}}})"
                       "\n",
                       type, second, rest);
  };
  const std::string named = fmt::format(R"("attributionToken":"{}")", token);
  const Lines events =
      decoded(recipe("Vertex AI Search"),
              event("search", 0, named + R"(,"documents":[{"id":"a"},{"id":"b"}])") +
                  event("view-item", 1, named + R"(,"documents":[{"id":"b"}])") +
                  event("purchase", 1, R"("documents":[{"id":"b","quantity":1}],"transactionInfo":{"transactionId":"T"})"));
  ASSERT_EQ(events.size(), 3U);
  const std::size_t at = events[0].find(R"("list_id":")") + 11;
  const std::string hash = events[0].substr(at, 33);
  EXPECT_EQ(hash.front(), '#');
  EXPECT_EQ(events[0], list(hash, "v", R"("items":["a","b"])"));
  EXPECT_EQ(events[1], action("click", "v", "b", fmt::format(R"(,"list_id":"{}")", hash)));
  EXPECT_EQ(events[2], action("purchase", "v", "b", R"(,"event_id":"T")"));
}

}  // namespace
}  // namespace recmeter::test
