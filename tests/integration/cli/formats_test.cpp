// The same events give the same rows and the same report, to the byte, in every format, packing and codec, with any number of
// threads. [S2]
#include <string>
#include <vector>

#include "integration/cli/workplace.h"
#include "support/avro_bytes.h"
#include "support/dice.h"
#include "unit/file/packed.h"

namespace recmeter::test {
namespace {

// What every format can say: texts, some of which are missing.
struct Written {
  std::string type;
  std::int64_t ts;
  std::string list;
  std::string user;
  std::string shown;  // items with `|` between them
  std::string item;
};

std::vector<Written> events_of(std::uint64_t seed) {
  support::Dice dice(seed);
  std::vector<Written> events;
  for (std::int64_t n = 0; n < 2000; ++n) {
    const std::int64_t ts = start_ms + n * 2000;
    const std::string user = "u" + std::to_string(dice.below(20)), list = "l" + std::to_string(dice.below(500));
    const std::string item = "\xc3\xa9" + std::to_string(dice.below(9));
    switch (dice.below(5)) {
      case 0: events.push_back({"click", ts, list, user, "", item}); break;
      case 1: events.push_back({"click", ts, "", user, "", item}); break;
      case 2: events.push_back({"scroll", ts, "", user, "", ""}); break;
      case 3: events.push_back({"impression", ts, list + "x", "", "a|b", ""}); break;  // invalid: no user
      default:
        events.push_back({"impression", ts, list, user,
                          "\xc3\xa9"
                          "1|\xc3\xa9"
                          "2|" +
                              item + "x|a, \"b\"",
                          ""});
    }
  }
  return events;
}

std::string in_quotes(const std::string& text, char escape) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += escape;
    out += c;
  }
  return out + '"';
}

std::string json(const Written& event) {
  std::string text = R"({"type":")" + event.type + R"(","ts":)" + std::to_string(event.ts);
  const auto add = [&text](const char* name, const std::string& value) {
    if (!value.empty()) text += std::string(",\"") + name + "\":" + in_quotes(value, '\\');
  };
  add("list", event.list);
  add("user", event.user);
  add("shown", event.shown);
  add("item", event.item);
  return text + "}";
}

std::string joined(const std::vector<Written>& events, std::string_view between, std::string (*write)(const Written&)) {
  std::string text;
  for (const Written& event : events) text += (text.empty() ? "" : std::string(between)) + write(event);
  return text;
}

std::string row(const Written& event) {
  return event.type + "," + std::to_string(event.ts) + "," + event.list + "," + event.user + "," +
         in_quotes(event.shown, '"') + "," + event.item;
}
std::string tab_row(const Written& event) {
  return event.type + "\t" + std::to_string(event.ts) + "\t" + event.list + "\t" + event.user + "\t" + event.shown + "\t" +
         event.item;
}

std::string avro(const std::vector<Written>& events, const std::string& codec, std::string (*pack)(std::string_view)) {
  const AvroFile file{.schema = R"({"type":"record","name":"event","fields":[{"name":"type","type":"string"},
      {"name":"ts","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"list","type":["null","string"]},
      {"name":"user","type":["null","string"]},{"name":"shown","type":["string","null"]},
      {"name":"item","type":["null","string"]}]})",
                      .codec = codec,
                      .pack = pack};
  std::vector<std::string> records;
  for (const Written& event : events) {
    AvroBytes bytes;
    bytes.text(event.type).integer(event.ts);
    const auto add = [&bytes](const std::string& text, int present) {
      text.empty() ? bytes.integer(1 - present) : bytes.integer(present).text(text);
    };
    add(event.list, 1);
    add(event.user, 1);
    add(event.shown, 0);
    add(event.item, 1);
    records.push_back(bytes.bytes());
  }
  return file.of(records, 100);
}

std::string as_is(std::string_view data) {
  return std::string(data);
}

class Formats : public Workplace {
 protected:
  // The rows, and the report without what is of the run: its time, and how often sums were looked at.
  std::pair<std::string, nlohmann::json> told(const std::string& arguments) const {
    const Ended ended = run("replay -c formats.yaml -r r.json -f jsonl " + arguments + " log");
    EXPECT_EQ(ended.code, 0) << arguments << ended.err;
    nlohmann::json report = json_in("r.json");
    for (const char* name : {"wall_seconds", "events_per_second", "sums_bytes_max", "exposure_bytes_max"}) report.erase(name);
    return {ended.out, report};
  }
};

TEST_F(Formats, give_the_same_rows_and_report) {
  scratch().put("formats.yaml",
                "inputs: [{fields: {list_id: list, user_id: user, items: {at: shown, split: \"|\"}, item_id: item}}]\n"
                "join: {horizons: [1m, 10m]}\nlimits: {invalid_share: 1}\nwindows: [{name: hour, size: 1h}]\n");
  const std::vector<Written> events = events_of(1);
  const std::string lines = joined(events, "\n", json) + "\n";
  const std::string header = "type,ts,list,user,shown,item\n";
  const std::string rows = header + joined(events, "\n", row) + "\n";
  std::string tabs = header;
  std::ranges::replace(tabs, ',', '\t');
  tabs += joined(events, "\n", tab_row) + "\n";
  scratch().put("log", lines);
  const auto wanted = told("-j 1");
  EXPECT_GT(wanted.second["feedback"]["credited"], 50);
  EXPECT_GT(wanted.second["events"]["invalid"], 100);
  const std::vector<std::pair<const char*, std::string>> formats{
      {"lines, gzip", gzip(lines)},
      {"lines, zstd", zstd(lines)},
      {"an array", "[" + joined(events, ",\n", json) + "]"},
      {"rows", rows},
      {"rows, gzip", gzip(rows)},
      {"rows between tabs, zstd", zstd(tabs)},
      {"Avro", avro(events, "null", as_is)},
      {"Avro, deflate", avro(events, "deflate", raw_deflate)},
      {"Avro, zstandard", avro(events, "zstandard", zstd)},
      {"Avro, gzip", gzip(avro(events, "null", as_is))},
  };
  for (const auto& [name, content] : formats) {
    scratch().put("log", content);
    for (const char* threads : {"-j 1", "-j 2", "-j 8"}) {
      const auto got = told(threads);
      EXPECT_EQ(got.first, wanted.first) << name << " " << threads;
      EXPECT_EQ(got.second, wanted.second) << name << " " << threads;
    }
  }
}

}  // namespace
}  // namespace recmeter::test
