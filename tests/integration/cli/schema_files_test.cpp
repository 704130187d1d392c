// Messages in Avro and Protobuf whose schema is in a file: the events of JSON lines. [I3.25]
#include <string>
#include <vector>

#include "integration/cli/workplace.h"
#include "support/avro_bytes.h"

namespace recmeter::test {
namespace {

struct Written {
  std::string type;
  std::int64_t ts;
  std::string list;
  std::string user;
  std::string shown;  // items with `|` between them
  std::string item;
};

std::vector<Written> events_of(std::int64_t count) {
  std::vector<Written> events;
  for (std::int64_t n = 0; n < count; ++n) {
    const std::string list = "l" + std::to_string(n), user = "u" + std::to_string(n % 7);
    events.push_back({"impression", start_ms + n * 1000, list, user, "\xc3\xa9|b\"|c" + std::to_string(n % 3), ""});
    if (n % 3 == 0) events.push_back({"click", start_ms + n * 1000 + 400, list, user, "", n % 2 == 0 ? "\xc3\xa9" : "b\""});
  }
  return events;
}

std::string json(const Written& event) {
  std::string text = R"({"type":")" + event.type + R"(","ts":)" + std::to_string(event.ts);
  const auto add = [&text](const char* name, std::string value) {
    for (std::size_t at = 0; (at = value.find('"', at)) != std::string::npos; at += 2) value.insert(at, 1, '\\');
    text += std::string(",\"") + name + "\":\"" + value + '"';
  };
  add("list", event.list);
  add("user", event.user);
  add("shown", event.shown);
  add("item", event.item);
  return text + "}";
}

// As `kcat -J` writes messages of a topic.
std::string dumped(const std::vector<std::string>& payloads) {
  std::string lines;
  for (std::size_t offset = 0; offset < payloads.size(); ++offset) {
    lines += R"({"topic":"t","partition":0,"offset":)" + std::to_string(offset) +
             R"(,"tstype":"create","ts":1699920000000,"key":null,"payload":")";
    for (const char c : payloads[offset]) {
      constexpr std::string_view hex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) {
        lines += "\\u00" + std::string{hex[byte >> 4U], hex[byte & 15U]};
      } else {
        if (c == '"' || c == '\\') lines += '\\';
        lines += c;
      }
    }
    lines += "\"}\n";
  }
  return lines;
}

// A field of a message, its bytes shorter than 2^14.
std::string field(unsigned number, const std::string& bytes) {
  std::string out{static_cast<char>(number << 3U | 2U)};
  if (bytes.size() >= 0x80) out += static_cast<char>(0x80U | (bytes.size() & 0x7FU));
  return out + static_cast<char>(bytes.size() >= 0x80 ? bytes.size() >> 7U : bytes.size()) + bytes;
}
std::string number_field(unsigned number, std::uint64_t value) {
  std::string out{static_cast<char>(number << 3U)};
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  return out + static_cast<char>(value);
}

std::string avro_value(const Written& event) {
  AvroBytes bytes;
  return bytes.text(event.type)
      .integer(event.ts)
      .text(event.list)
      .text(event.user)
      .text(event.shown)
      .text(event.item)
      .bytes();
}
std::string protobuf_value(const Written& event) {
  return field(1, event.type) + number_field(2, static_cast<std::uint64_t>(event.ts)) + field(3, event.list) +
         field(4, event.user) + field(5, event.shown) + field(6, event.item);
}

// shop.Event, as protoc describes it.
std::string descriptor_set() {
  constexpr std::uint64_t optional = 1, int64 = 3, string = 9;
  std::string message = field(1, "Event");
  unsigned number = 0;
  for (const char* name : {"type", "ts", "list", "user", "shown", "item"}) {
    ++number;
    message += field(2, field(1, name) + number_field(3, number) + number_field(4, optional) +
                            number_field(5, number == 2 ? int64 : string));
  }
  return field(1, field(1, "shop.proto") + field(2, "shop") + field(4, message) + field(12, "proto3"));
}

class SchemaFiles : public Workplace {
 protected:
  [[nodiscard]] Ended replayed(const std::string& input) const {
    scratch().put("messages.yaml",
                  "inputs:\n  - file: dump\n    format: kcat\n"
                  "    fields: {list_id: list, user_id: user, items: {at: shown, split: \"|\"}, item_id: item}\n"
                  "    absent: [\"\"]\n" +
                      input + "limits: {invalid_share: 1}\nwindows: [{name: all, size: all}]\n");
    return run("replay -c messages.yaml -f jsonl");
  }
};

TEST_F(SchemaFiles, say_what_messages_are) {
  std::vector<std::string> lines, avro_values, protobuf_values;
  for (const Written& event : events_of(200)) {
    lines.push_back(json(event));
    avro_values.push_back(avro_value(event));
    protobuf_values.push_back(protobuf_value(event));
  }
  scratch().put("event.avsc", R"({"type":"record","name":"event","fields":[{"name":"type","type":"string"},
      {"name":"ts","type":"long"},{"name":"list","type":"string"},{"name":"user","type":"string"},
      {"name":"shown","type":"string"},{"name":"item","type":"string"}]})");
  scratch().put("shop.desc", descriptor_set());
  scratch().put("shop.proto",
                "syntax = \"proto3\"; package shop; message Event { string type = 1; int64 ts = 2; string list = 3;\n"
                "  string user = 4; string shown = 5; string item = 6; }\n");
  scratch().put("dump", dumped(lines));
  const Ended wanted = replayed("");
  ASSERT_EQ(wanted.code, 0) << wanted.err;
  ASSERT_EQ(lines_of(wanted.out).size(), 1U);
  scratch().put("dump", dumped(avro_values));
  const Ended avro = replayed("    schema: event.avsc\n");
  EXPECT_EQ(avro.out, wanted.out) << avro.err;
  scratch().put("dump", dumped(protobuf_values));
  for (const char* schema : {"shop.desc", "shop.proto"}) {
    const Ended protobuf = replayed("    schema: " + std::string(schema) + "\n    message: shop.Event\n");
    EXPECT_EQ(protobuf.out, wanted.out) << protobuf.err;
  }
}

TEST_F(SchemaFiles, that_cannot_be_used_say_why_and_what_to_do) {
  scratch().put("dump", dumped({"x"}));
  scratch().put("none.avsc", "{\"type\": \"recrod\"}");
  scratch().put("none.desc", "no descriptor");
  scratch().put("none.proto", "message {");
  scratch().put("shop.desc", descriptor_set());
  struct Case {
    const char* input;
    const char* cause;
  };
  for (const Case& c :
       {Case{"    schema: missing.avsc\n", "missing.avsc"}, Case{"    schema: none.avsc\n", "recrod"},
        Case{"    schema: none.desc\n    message: shop.Event\n", "none.desc"},
        Case{"    schema: none.proto\n    message: shop.Event\n", "none.proto"},
        Case{"    schema: shop.desc\n    message: Event\n", "it has no message `Event`; write `message` with its package"}}) {
    const Ended ended = replayed(c.input);
    EXPECT_EQ(ended.code, 2) << c.input << ended.err;
    EXPECT_EQ(ended.out, "") << c.input;
    expect_says(ended, {"inputs, `schema`", "cannot be used", c.cause});
  }
}

}  // namespace
}  // namespace recmeter::test
