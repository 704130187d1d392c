#include "recmeter/event/canonical.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "unit/event/records.h"

namespace recmeter {
namespace {

using testing::told;

DecoderOptions options() {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  return options;
}

TEST(CanonicalBytes, write_the_fields_of_a_kind_in_their_order) {
  EXPECT_EQ(told(options(), R"({"segments":{"b":"2","a":"1"},"propensities":[1],"scores":[3],"items":["i"],"user_id":"u",)"
                            R"("list_id":"l","ts":1700000000000,"type":"impression"})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":["i"],"scores":[3],)"
            R"("propensities":[1],"segments":{"a":"1","b":"2"}})");
  EXPECT_EQ(told(options(), R"({"segments":{"a":"1"},"propensity":1,"score":3,"position":2,"item_id":"i","user_id":"u",)"
                            R"("list_id":"l","ts":1700000000000,"type":"impression"})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","item_id":"i","position":2,"score":3,)"
            R"("propensity":1,"segments":{"a":"1"}})");
  EXPECT_EQ(told(options(), R"({"event_id":"e","value":2,"list_id":"l","item_id":"i","user_id":"u","ts":1700000000000,)"
                            R"("type":"click"})"),
            R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"i","list_id":"l","value":2,"event_id":"e"})");
}

TEST(CanonicalBytes, leave_out_what_is_absent_or_empty) {
  EXPECT_EQ(told(options(), R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u","items":[],"scores":[],)"
                            R"("segments":{"k":""}})"),
            R"({"type":"impression","ts":1700000000000,"list_id":"l","user_id":"u"})");
}

TEST(CanonicalBytes, escape_only_what_json_wants_escaped) {
  EXPECT_EQ(told(options(), R"({"type":"click","ts":1700000000000,"user_id":"\u00e9\/\u007f\ud83d\ude00","item_id":)"
                            R"("\"\\\b\f\n\r\t\u0000\u001f"})"),
            "{\"type\":\"click\",\"ts\":1700000000000,\"user_id\":\"é/\x7f😀\",\"item_id\":"
            R"("\"\\\b\f\n\r\t\u0000\u001f"})");
}

TEST(CanonicalBytes, write_numbers_in_shortest_form) {
  struct Case {
    const char* written;
    const char* told;
  };
  for (const Case c :
       {Case{"1.0", "1"}, Case{"10", "10"}, Case{"0.1", "0.1"}, Case{"0.10000000000000001", "0.1"}, Case{"1e3", "1000"},
        Case{"100000000", "1e+08"}, Case{"-0", "0"}, Case{"-0.0", "0"}, Case{"-2.50", "-2.5"}, Case{"1e-7", "1e-07"}}) {
    EXPECT_EQ(told(options(), R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"i","value":)" +
                                  std::string(c.written) + "}"),
              R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"i","value":)" + std::string(c.told) + "}");
  }
}

// Random records with awkward texts and numbers, written without a thought for canonical form.
class RecordWriter {
 public:
  explicit RecordWriter(std::uint32_t seed) : random_(seed) {}

  std::string record() {
    std::string out =
        "{\"ts\":" + std::to_string(1700000000000 + below(1000)) + ",\"user_id\":" + id() + ",\"list_id\":" + id();
    switch (below(4)) {
      case 0:
        out += ",\"type\":\"click\",\"item_id\":" + id() + optional("value", number()) + optional("event_id", id());
        break;
      case 1:
        out += ",\"type\":\"purchase\",\"items\":[" + id() + ",{\"item_id\":" + id() + ",\"value\":" + number() + "}]";
        break;
      case 2:
        out += ",\"type\":\"impression\",\"item_id\":" + id() + ",\"position\":" + std::to_string(1 + below(9)) +
               optional("score", number()) + optional("propensity", "0.5") + segments();
        break;
      default:
        out += ",\"type\":\"impression\",\"items\":[" + id() + "," + id() + "]" +
               optional("scores", "[" + number() + "," + number() + "]") + optional("propensities", "[1,0.125]") + segments();
    }
    return out + "}";
  }

 private:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
  std::string optional(const std::string& key, const std::string& value) {
    return below(2) == 0 ? "" : ",\"" + key + "\":" + value;
  }
  std::string id() {
    static const std::vector<std::string> pieces{"a",    "Z",    "0",   " ", "\\u0001",        "\\n",
                                                 "\\\"", "\\\\", "\\/", "é", "\\ud83d\\ude00", "\\u2028"};
    if (below(4) == 0) return std::to_string(below(1000));
    std::string text;
    for (std::uint32_t i = 0; i <= below(5); ++i) text += pieces[below(static_cast<std::uint32_t>(pieces.size()))];
    return "\"x" + text + "\"";
  }
  std::string number() {
    static const std::vector<std::string> numbers{
        "0", "-0.0", "1", "1.50", "1e8", "-99999999.99999999", "5e-324", "0.30000000000000004", "3e-5"};
    return numbers[below(static_cast<std::uint32_t>(numbers.size()))];
  }
  std::string segments() {
    if (below(3) == 0) return "";
    return ",\"segments\":{\"z\":" + id() + ",\"k\":" + number() + ",\"\":true,\"\\u006d\":null}";
  }

  std::mt19937 random_;
};

TEST(CanonicalBytes, decode_to_the_event_they_were_written_from) {
  RecordWriter writer(20261121);
  for (int i = 0; i < 3000; ++i) {
    const std::string record = writer.record();
    const std::string once = told(options(), record);
    ASSERT_EQ(once.front(), '{') << record << "\n" << once;
    std::size_t begin = 0;
    while (begin < once.size()) {  // a basket: each of its events by itself
      const std::size_t end = std::min(once.find('\n', begin), once.size());
      const std::string canonical = once.substr(begin, end - begin);
      ASSERT_EQ(told(options(), canonical), canonical) << record;
      begin = end + 1;
    }
  }
}

}  // namespace
}  // namespace recmeter
