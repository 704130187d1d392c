// The client of a schema registry, what waits for it, and records that name their schemas.
#include <gtest/gtest.h>

#include <mutex>

#include "recmeter/registry/framed_reader.h"
#include "recmeter/registry/schema_registry.h"
#include "recmeter/registry/schema_source.h"
#include "support/avro_bytes.h"
#include "support/value_text.h"
#include "unit/registry/stub_registry.h"

namespace recmeter::registry {
namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;
using Standing = SchemaRegistry::Standing;
using test::AvroBytes;
using test::StubRegistry;

constexpr auto avro_schema = R"({"type":"record","name":"r","fields":[{"name":"a","type":"string"}]})";
constexpr auto id_7 = "\0\0\0\0\7"sv;
constexpr auto id_8 = "\0\0\0\0\x08"sv;
constexpr auto guid = "\1\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xAA\xBB\xCC\xDD\xEE\xFF"sv;

std::shared_ptr<SchemaRegistry> opened(const StubRegistry& stub, std::vector<std::string>* said = nullptr) {
  auto registry = SchemaRegistry::open(
      {.url = stub.url() + "/", .user = "", .password = "", .tell = [said](Notice, std::string_view text) {
         if (said != nullptr) said->emplace_back(text);
       }});
  EXPECT_TRUE(registry) << registry.error().context;
  return *registry;
}

Standing answered(SchemaRegistry& registry, SchemaId id) {
  Standing standing = registry.want(id);
  while (standing == Standing::asked) {
    registry.wait(10ms);
    standing = registry.want(id);
  }
  return standing;
}

TEST(SchemaRegistry, asks_once_by_id_or_by_guid) {
  StubRegistry stub;
  stub.add_schema("/schemas/ids/7", avro_schema, "AVRO");
  stub.add_schema("/schemas/guids/00112233-4455-6677-8899-aabbccddeeff", "syntax = \"proto3\";", "PROTOBUF");
  const auto registry = opened(stub);
  EXPECT_EQ(registry->find(id_7), nullptr);
  EXPECT_EQ(answered(*registry, id_7), Standing::known);
  ASSERT_NE(registry->find(id_7), nullptr);
  EXPECT_EQ(registry->find(id_7)->parts.back().text, avro_schema);
  EXPECT_EQ(registry->find(id_7)->kind, KnownSchema::Kind::avro);
  EXPECT_EQ(answered(*registry, guid), Standing::known);
  EXPECT_EQ(registry->find(guid)->kind, KnownSchema::Kind::protobuf);
  EXPECT_EQ(registry->complaint(), "");
}

TEST(SchemaRegistry, brings_what_a_schema_refers_to_before_it) {
  StubRegistry stub;
  stub.add_schema("/schemas/ids/7", "list", "PROTOBUF",
                  R"([{"name":"b.proto","subject":"of b/1","version":2},{"name":"c.proto","subject":"c","version":1}])");
  stub.add_schema("/subjects/of%20b%2F1/versions/2", "b", "PROTOBUF", R"([{"name":"c.proto","subject":"c","version":1}])");
  stub.add_schema("/subjects/c/versions/1", "c", "PROTOBUF");
  const auto registry = opened(stub);
  EXPECT_EQ(answered(*registry, id_7), Standing::known);
  std::string parts;
  for (const auto& part : registry->find(id_7)->parts) parts += part.name + "=" + part.text + " ";
  EXPECT_EQ(parts, "c.proto=c b.proto=b schema=list ");
}

TEST(SchemaRegistry, takes_its_word_that_it_does_not_know_a_schema) {
  StubRegistry stub;
  stub.answer("/schemas/ids/7", {{404, R"({"error_code":40403,"message":"Schema 7 not found"})"}});
  const auto registry = opened(stub);
  EXPECT_EQ(answered(*registry, id_7), Standing::unknown);
  EXPECT_EQ(registry->want(id_7), Standing::unknown);
  EXPECT_EQ(registry->find(id_7), nullptr);
}

TEST(SchemaRegistry, asks_again_while_it_is_in_trouble_and_says_so_once) {
  const test::StubAnswer good{200, R"({"schema":"\"string\""})"};
  const std::vector<std::pair<test::StubAnswer, const char*>> troubles{
      {{500, "oh"}, "it answers with status 500"},
      {{404, "<html>nothing here</html>"}, "it answers with status 404 without an explanation; check `registry.url`"},
      {{401, "{}"}, "status 401; check `registry.user`"},
      {{200, "<html>"}, "its answer is not a schema"},
      {{200, good.body, true}, "cannot be asked for schema id 7"}};
  for (const auto& [trouble, cause] : troubles) {
    StubRegistry stub;
    stub.answer("/schemas/ids/7", {trouble, good});
    std::vector<std::string> said;
    const auto registry = opened(stub, &said);
    EXPECT_EQ(answered(*registry, id_7), Standing::known);
    ASSERT_EQ(said.size(), 1U) << cause;
    EXPECT_NE(said[0].find(cause), std::string::npos) << said[0];
    EXPECT_EQ(registry->complaint(), "");
  }
}

std::string id_of(std::uint32_t number) {
  std::string id(5, '\0');
  for (std::size_t i = 4; number > 0; number >>= 8U) id[i--] = static_cast<char>(number & 0xFFU);
  return id;
}

constexpr auto not_known = R"({"error_code":40403,"message":"Schema not found"})";

TEST(SchemaRegistry, asks_sixteen_questions_side_by_side_and_a_hundred_a_second) {
  StubRegistry stub;
  for (int i = 1; i <= 40; ++i) stub.answer("/schemas/ids/" + std::to_string(i), {{404, not_known}});
  stub.hold(true);
  const auto registry = opened(stub);
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t i = 1; i <= 40; ++i) EXPECT_EQ(registry->want(id_of(i)), Standing::asked);
  stub.wait_for_open(16);
  EXPECT_EQ(registry->counts().asked, 40U);
  stub.hold(false);
  for (std::uint32_t i = 1; i <= 40; ++i) EXPECT_EQ(answered(*registry, id_of(i)), Standing::unknown);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 39 * 10ms);
  EXPECT_EQ(stub.side_by_side(), 16U);
  EXPECT_EQ(stub.asked(), 40U);
  EXPECT_EQ(registry->counts().asked, 0U);
  EXPECT_EQ(registry->counts().unknown, 40U);
  EXPECT_TRUE(registry->counts().is_up);
}

TEST(SchemaRegistry, remembers_so_many_ids_that_it_does_not_know_and_so_long) {
  StubRegistry stub;
  for (int i = 1; i <= 3; ++i) stub.answer("/schemas/ids/" + std::to_string(i), {{404, not_known}});
  auto registry = SchemaRegistry::open({.url = stub.url(), .user = "", .password = "", .tell = {}, .unknown_max = 2});
  ASSERT_TRUE(registry);
  for (std::uint32_t i = 1; i <= 3; ++i) EXPECT_EQ(answered(**registry, id_of(i)), Standing::unknown);
  EXPECT_EQ((*registry)->counts().unknown, 2U);
  EXPECT_EQ((*registry)->want(id_of(3)), Standing::unknown);
  EXPECT_EQ((*registry)->want(id_of(1)), Standing::asked) << "the oldest is forgotten";
  auto forgetful = SchemaRegistry::open({.url = stub.url(), .user = "", .password = "", .tell = {}, .unknown_holds = 50ms});
  ASSERT_TRUE(forgetful);
  EXPECT_EQ(answered(**forgetful, id_of(1)), Standing::unknown);
  while ((*forgetful)->want(id_of(1)) == Standing::unknown) (*forgetful)->wait(10ms);
  EXPECT_EQ(answered(**forgetful, id_of(1)), Standing::unknown);
  EXPECT_EQ((*forgetful)->counts().unknown, 1U);
}

TEST(SchemaRegistry, says_that_records_wait_while_it_is_asked) {
  StubRegistry stub;
  stub.answer("/schemas/ids/7", {{404, not_known}});
  stub.hold(true);
  std::mutex mutex;
  std::vector<Notice> said;
  auto registry = SchemaRegistry::open({.url = stub.url(),
                                        .user = "",
                                        .password = "",
                                        .tell =
                                            [&](Notice notice, std::string_view) {
                                              const std::scoped_lock lock(mutex);
                                              said.push_back(notice);
                                            },
                                        .busy_after = 0ms});
  ASSERT_TRUE(registry);
  EXPECT_EQ((*registry)->complaint(), "");
  (void)(*registry)->want(id_7);
  EXPECT_NE((*registry)->complaint().find("is asked for 1 schemas"), std::string::npos) << (*registry)->complaint();
  stub.wait_for_open(1);
  stub.hold(false);
  EXPECT_EQ(answered(**registry, id_7), Standing::unknown);
  EXPECT_EQ((*registry)->complaint(), "");
  registry->reset();
  EXPECT_EQ(said, std::vector{Notice::registry_busy});
}

TEST(SchemaRegistry, warns_of_a_password_in_plain_text) {
  const auto said_of = [](const std::string& url, const std::string& user) {
    std::vector<Notice> said;
    const auto registry =
        SchemaRegistry::open({.url = url, .user = user, .password = "p", .tell = [&](Notice notice, std::string_view) {
                                said.push_back(notice);
                              }});
    return said;
  };
  EXPECT_EQ(said_of("http://127.0.0.1:1", "eval"), std::vector{Notice::registry_in_clear});
  EXPECT_EQ(said_of("https://127.0.0.1:1", "eval"), std::vector<Notice>());
  EXPECT_EQ(said_of("http://127.0.0.1:1", ""), std::vector<Notice>());
}

TEST(SchemaRegistry, takes_what_is_too_large_for_an_answer_that_cannot_be_used) {
  StubRegistry stub;
  stub.add_schema("/schemas/ids/7", std::string(5 << 20, 'x'), "AVRO");
  stub.add_schema("/schemas/ids/8", std::string(1 << 20, 'x'), "AVRO", R"([{"name":"b","subject":"b","version":1}])");
  stub.add_schema("/subjects/b/versions/1", std::string((1 << 20) + 1, 'x'), "AVRO");
  const auto registry = opened(stub);
  for (const auto id : {id_7, id_8}) {
    EXPECT_EQ(answered(*registry, id), Standing::known);
    ASSERT_NE(registry->find(id), nullptr);
    EXPECT_EQ(registry->find(id)->kind, KnownSchema::Kind::too_large);
  }
}

TEST(SchemaRegistry, forgets_texts_that_nobody_holds) {
  StubRegistry stub;
  const std::string text(std::size_t{3} << 19, 'x');  // 1.5 MiB
  for (int i = 1; i <= 12; ++i) stub.add_schema("/schemas/ids/" + std::to_string(i), text, "AVRO");
  const auto registry = opened(stub);
  EXPECT_EQ(answered(*registry, id_of(1)), Standing::known);
  const auto held = registry->find(id_of(1));
  for (std::uint32_t i = 2; i <= 12; ++i) EXPECT_EQ(answered(*registry, id_of(i)), Standing::known);
  EXPECT_EQ(registry->find(id_of(1)), held);
  EXPECT_EQ(registry->find(id_of(2)), nullptr) << "16 MiB are kept";
  EXPECT_NE(registry->find(id_of(12)), nullptr);
  EXPECT_EQ(answered(*registry, id_of(2)), Standing::known) << "it is asked for again";
}

TEST(SchemaRegistry, says_who_asks_and_no_secret) {
  StubRegistry stub;
  stub.answer("/schemas/ids/7", {{403, ""}});
  auto registry = SchemaRegistry::open({.url = stub.url(), .user = "eval", .password = "hidden", .tell = {}});
  ASSERT_TRUE(registry);
  (void)(*registry)->want(id_7);
  while ((*registry)->complaint().empty()) (*registry)->wait(10ms);
  EXPECT_NE(stub.last_request().find("Authorization: Basic ZXZhbDpoaWRkZW4="), std::string::npos) << stub.last_request();
  EXPECT_EQ((*registry)->complaint().find("hidden"), std::string::npos);
}

TEST(SchemaRegistry, refuses_what_is_no_url) {
  for (const char* url : {"", "registry:8081", "ftp://x", "http://user:pw@registry"}) {
    EXPECT_FALSE(SchemaRegistry::open({.url = url, .user = "", .password = "", .tell = {}})) << url;
  }
}

RecordBatch batch_of(const std::vector<std::pair<std::string, std::string>>& frames_and_values) {
  RecordBatch batch;
  for (const auto& [frame, value] : frames_and_values) {
    batch.bytes.insert(batch.bytes.end(), frame.begin(), frame.end());
    Record record{.offset = batch.bytes.size(), .size = value.size(), .broker_time = {}, .tombstone = false};
    record.frame = static_cast<std::uint32_t>(frame.size());
    batch.bytes.insert(batch.bytes.end(), value.begin(), value.end());
    batch.records.push_back(record);
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  return batch;
}

TEST(FramedReader, reads_each_record_by_its_schema) {
  StubRegistry stub;
  stub.add_schema("/schemas/ids/7", avro_schema, "AVRO");
  stub.add_schema("/schemas/ids/8",
                  "syntax = \"proto3\"; message X { message Y { string a = 1; } } message Z { string a = 2; }", "PROTOBUF");
  stub.add_schema("/schemas/guids/00112233-4455-6677-8899-aabbccddeeff",
                  R"({"type":"record","name":"s","fields":[{"name":"b","type":"int"},{"name":"a","type":"string"}]})",
                  "AVRO");
  stub.answer("/schemas/ids/9", {{404, R"({"error_code":40403})"}});
  stub.add_schema("/schemas/ids/10", "{}", "JSON");
  stub.add_schema("/schemas/ids/11", "{", "AVRO");
  const auto registry = opened(stub);
  for (const auto id : {id_7, id_8, guid, "\0\0\0\0\x09"sv, "\0\0\0\0\x0A"sv, "\0\0\0\0\x0B"sv})
    (void)answered(*registry, id);
  const std::string text = AvroBytes().text("x").bytes();
  const auto framed = [](std::string_view id, std::string_view value) {
    return std::pair(std::string(), std::string(id) + std::string(value));
  };
  const RecordBatch batch = batch_of({framed(id_7, text),
                                      {std::string(id_7), text},
                                      {std::string(guid), AvroBytes().integer(5).text("g").bytes()},
                                      framed(id_8, "\4\0\0\x0A\1y"sv),
                                      framed(id_8, "\2\2\x12\1z"sv),
                                      framed(id_8, "\0"sv),
                                      framed(id_8, "\2\4"sv),
                                      framed(id_8, "\4\0"sv),
                                      framed(id_7, ""),
                                      framed("{\"a\":1}", ""),
                                      {"xyz", text},
                                      framed("", ""),
                                      framed("\0\0\0\0\x09"sv, text),
                                      framed("\0\0\0\0\x0A"sv, "{}"),
                                      framed("\0\0\0\0\x0B"sv, text),
                                      framed("\0\0\0\0\x0C"sv, text)});
  WantedFields wanted;
  wanted.members.emplace_back("a", WantedFields{.whole = true, .members = {}});
  const auto reader = framed_reader(registry)(wanted);
  reader->begin(batch);
  std::vector<std::string> told;
  RecordArena arena;
  for (std::size_t i = 0; i < batch.records.size(); ++i) {
    FieldValue value;
    const auto reason = reader->read(batch, i, arena, value);
    told.emplace_back(reason ? to_string(*reason) : test::value_text(value));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"{a:\"x\",}", "{a:\"x\",}", "{a:\"g\",}", "{a:\"y\",}", "{a:\"z\",}", "{a:null,}",
                                            "not_protobuf", "not_protobuf", "not_avro", "no_frame", "no_frame", "no_frame",
                                            "unknown_schema", "unknown_schema", "unknown_schema", "unknown_schema"}));
}

TEST(FramedReader, says_once_why_a_schema_cannot_be_used) {
  StubRegistry stub;
  stub.add_schema("/schemas/ids/7", "{", "AVRO");
  const auto registry = opened(stub);
  (void)answered(*registry, id_7);
  std::vector<std::string> said;
  const auto make = framed_reader(registry, [&](Notice notice, std::string_view text) {
    EXPECT_EQ(notice, Notice::schema_unusable);
    said.emplace_back(text);
  });
  const WantedFields wanted;
  const RecordBatch batch = batch_of({{std::string(id_7), "x"}, {std::string(id_7), "y"}});
  for (int i = 0; i < 2; ++i) {
    const auto reader = make(wanted);
    RecordArena arena;
    FieldValue value;
    EXPECT_EQ(reader->read(batch, 0, arena, value), InvalidReason::unknown_schema);
    EXPECT_EQ(reader->read(batch, 1, arena, value), InvalidReason::unknown_schema);
  }
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("id 7 cannot be used"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("no JSON"), std::string::npos) << said[0];
}

// One batch, then the end.
class OneBatch final : public RecordSource {
 public:
  explicit OneBatch(RecordBatch batch) : batch_(std::move(batch)) {
    batch_.last = true;
    batch_.next_offset = 42;
  }
  [[nodiscard]] std::string_view name() const override { return "topic/0"; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t, RecordBatch) override { return std::move(batch_); }
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return true; }
  [[nodiscard]] bool is_caught_up() const override { return true; }
  [[nodiscard]] std::int64_t next_offset() const override { return 40; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return 0; }

 private:
  RecordBatch batch_;
};

TEST(SchemaSource, hands_out_nothing_of_a_partition_that_goes_on_until_its_schemas_are_known) {
  StubRegistry stub;
  stub.add_schema("/schemas/ids/7", avro_schema, "AVRO");
  stub.hold(true);
  const auto registry = opened(stub);
  const auto source = schema_source(std::make_unique<OneBatch>(batch_of({{std::string(id_7), "x"}})), registry,
                                    {.waiting = Waiting::between_reads});
  for (int i = 0; i < 3; ++i) {
    const auto batch = source->read(1, {});
    ASSERT_TRUE(batch);
    EXPECT_TRUE(batch->records.empty());
    EXPECT_FALSE(batch->last);
    EXPECT_EQ(batch->next_offset, 40);
    EXPECT_EQ(source->next_offset(), 40);
    EXPECT_FALSE(source->is_caught_up());
  }
  stub.hold(false);
  (void)answered(*registry, id_7);
  const auto batch = source->read(1, {});
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->records.size(), 1U);
  EXPECT_TRUE(batch->last);
  EXPECT_EQ(source->next_offset(), 42);
  EXPECT_TRUE(source->is_caught_up());
}

TEST(SchemaSource, reads_on_though_answers_are_forgotten_before_the_last_one_comes) {
  StubRegistry stub;
  std::vector<std::pair<std::string, std::string>> records;
  for (std::uint32_t i = 1; i <= 30; ++i) {
    stub.answer("/schemas/ids/" + std::to_string(i), {{404, not_known}});
    records.emplace_back(id_of(i), "x");
  }
  auto registry = SchemaRegistry::open({.url = stub.url(), .user = "", .password = "", .tell = {}, .unknown_holds = 20ms});
  ASSERT_TRUE(registry);
  const auto source =
      schema_source(std::make_unique<OneBatch>(batch_of(records)), *registry, {.waiting = Waiting::in_read, .patience = 60s});
  const auto batch = source->read(1, {});
  ASSERT_TRUE(batch) << batch.error().context;
  EXPECT_EQ(batch->records.size(), 30U);
}

TEST(SchemaSource, is_patient_while_answers_come) {
  StubRegistry stub;
  std::vector<std::pair<std::string, std::string>> records;
  for (std::uint32_t i = 1; i <= 60; ++i) {
    stub.answer("/schemas/ids/" + std::to_string(i), {{404, not_known}});
    records.emplace_back(id_of(i), "x");
  }
  const auto registry = opened(stub);
  const auto source = schema_source(std::make_unique<OneBatch>(batch_of(records)), registry,
                                    {.waiting = Waiting::in_read, .patience = 400ms});
  EXPECT_TRUE(source->read(1, {})) << "the last answer comes 600 ms after the first question";
}

TEST(SchemaSource, waits_in_a_bounded_partition_and_gives_up_with_the_cause) {
  StubRegistry stub;
  stub.answer("/schemas/ids/7", {{500, ""}});
  stub.answer("/schemas/ids/8", {{500, ""}, {404, R"({"error_code":40403})"}});
  const auto registry = opened(stub);
  const auto patient = schema_source(std::make_unique<OneBatch>(batch_of({{std::string(id_8), "x"}, {"", "no frame"}})),
                                     registry, {.waiting = Waiting::in_read});
  const auto batch = patient->read(1, {});
  ASSERT_TRUE(batch) << batch.error().context;
  EXPECT_EQ(batch->records.size(), 2U);
  const auto impatient = schema_source(std::make_unique<OneBatch>(batch_of({{std::string(id_7), "x"}})), registry,
                                       {.waiting = Waiting::in_read, .patience = 100ms});
  const auto refused = impatient->read(1, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::input_unreadable);
  EXPECT_NE(refused.error().context.find("topic/0: the schemas of its records were not available"), std::string::npos);
  const std::atomic<bool> stop = true;
  const auto stopped = schema_source(std::make_unique<OneBatch>(batch_of({{std::string(id_7), "x"}})), registry,
                                     {.waiting = Waiting::in_read, .stop = &stop})
                           ->read(1, {});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::interrupted);
}

}  // namespace
}  // namespace recmeter::registry
