// Any bytes are a file: rows, or an array of JSON within a document. Its records may not depend on how it is read, nothing
// may crash on the way to events, and each event's canonical form is read back as it.
//
// The first byte chooses the container and how it is said; the rest is the file. Records go through a shape with everything
// that it can say.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file/array_cutter.h"
#include "file/line_reader.h"
#include "recmeter/event/canonical.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/row_reader.h"
#include "recmeter/file/container.h"

namespace {

using namespace recmeter;

constexpr std::size_t record_bytes_max = 256;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "log_fuzz: %s\n", what);
  std::abort();
}

class Bytes : public file::ByteStream {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  Result<std::size_t> read(char* into, std::size_t capacity) override {
    const std::size_t count = rest_.copy(into, std::min(capacity, rest_.size()));
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

struct Form {
  bool is_rows = true;
  RecordLayout layout;
  bool has_header = true;
  std::vector<std::string> keys = {};
};

const std::array<Form, 6> forms{
    Form{.layout = {.text = {}, .delimiter = ',', .quote = '"'}},
    Form{.layout = {.text = {}, .delimiter = ';', .quote = '\''}},
    Form{.layout = {.text = {}, .delimiter = '\t', .quote = '\0'}},
    Form{.layout = {.text = {}, .delimiter = ',', .quote = '"'}, .has_header = false},
    Form{.is_rows = false, .layout = {}},
    Form{.is_rows = false, .layout = {}, .keys = {"hits", "hits"}},
};

std::unique_ptr<file::RecordCutter> cutter_of(const Form& form) {
  if (!form.is_rows) return std::make_unique<file::ArrayCutter>(record_bytes_max, form.keys, "file");
  return std::make_unique<file::LineReader>(record_bytes_max, form.layout, file::ContainerForm{.has_header = form.has_header},
                                            "file");
}

FieldSource path(std::string_view text) {
  return {.path = *parse_path(text)};
}

// Lists in texts and objects, embedded JSON, joins, alternatives, conditions and entries with positions.
DecoderOptions options_of(const Form& form) {
  DecoderOptions options;
  options.actions = {"click"};
  options.list_items_max = 4;
  options.id_bytes_max = 16;
  options.message_bytes_max = record_bytes_max;
  Shape shape;
  const auto put = [&shape](Field field, FieldSource source) {
    shape.common.fields[static_cast<std::size_t>(field)] = std::move(source);
  };
  put(Field::ts, path("t"));
  put(Field::list_id, {.kind = FieldSource::Kind::join, .text = ":", .parts = {path("l"), path("u")}});
  put(Field::user_id,
      {.kind = FieldSource::Kind::first, .parts = {path("u"), path("c:json.u"), path("e[k=u].v"), path("e[0]")}});
  put(Field::value, path("v"));
  EventRule list{.type = "impression", .when = {}, .entries = {}, .fields = shape.common};
  EventRule texts = list;
  list.when = {{.path = *parse_path("i"), .patterns = {{.kind = FieldCondition::Pattern::Kind::present}}}};
  list.fields.fields[static_cast<std::size_t>(Field::items)] = path("i");
  list.fields.entry[static_cast<std::size_t>(EntryField::item_id)] = path("k");
  list.fields.entry[static_cast<std::size_t>(EntryField::position)] = path("p");
  list.fields.segments.emplace_back("s", path("s"));
  texts.when = {{.path = *parse_path("x"), .patterns = {{.kind = FieldCondition::Pattern::Kind::present}}}};
  texts.fields.fields[static_cast<std::size_t>(Field::items)] =
      FieldSource{.kind = FieldSource::Kind::split, .path = *parse_path("x"), .text = " ", .part = "-"};
  texts.fields.entry[static_cast<std::size_t>(EntryField::item_id)] = path("$1");
  EventRule click{.type = "click", .when = {}, .entries = {}, .fields = shape.common};
  click.fields.fields[static_cast<std::size_t>(Field::item_id)] = path("a");
  shape.rules = {list, texts, click};
  shape.absent = {"", "-"};
  shape.text_numbers = true;
  options.fields.shape = shape;
  options.fields.time.unit = TimeUnit::seconds;
  if (form.is_rows)
    options.reader = row_reader(
        form.has_header ? std::vector<std::string>() : std::vector<std::string>{"t", "l", "u", "x", "a", "c"}, form.layout);
  return options;
}

// Each record with its form, and how it ended.
std::vector<std::string> cut(const Form& form, std::string_view bytes, std::size_t block, std::vector<RecordBatch>* batches) {
  const auto cutter = cutter_of(form);
  Bytes stream(bytes);
  std::vector<std::string> records;
  for (bool more = true; more;) {
    RecordBatch batch;
    const auto read = cutter->read(stream, block, batch);
    for (std::size_t i = 0; i < batch.records.size(); ++i) records.emplace_back(batch.record(i));
    if (!read) {
      records.push_back("error: " + read.error().context);
      return records;
    }
    require(batch.last || !batch.records.empty(), "a batch has a record, or is the last");
    more = !batch.last;
    if (batches != nullptr) batches->push_back(std::move(batch));
  }
  return records;
}

void check(const EventBatch& batch, const Event& event, const DecoderOptions& options, EventDecoder& native) {
  if (event.outcome != Outcome::event || (event.kind == EventKind::impression && event.item_count == 0)) return;
  const std::string canonical = canonical_bytes(batch, event, options.actions);
  RecordBatch again;
  again.bytes.assign(canonical.begin(), canonical.end());
  again.bytes.resize(canonical.size() + RecordBatch::padding);
  again.records.push_back({0, canonical.size(), std::nullopt, false});
  const EventBatch read = native.decode(again);
  require(read.events().size() == 1 && read.events()[0].outcome == Outcome::event, "a canonical form is an event");
  require(canonical_bytes(read, read.events()[0], options.actions) == canonical, "a canonical form is its own");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const auto native = [] {
    DecoderOptions all;
    all.actions = {"click"};
    all.key.by = JoinKey::By::list;  // a user is not asked for
    all.message_bytes_max = 1 << 20;
    return make_decoder(all);
  }();
  const Form& form = forms[data[0] % forms.size()];
  const std::string bytes(data + 1, data + size);
  const file::FoundContainer found = file::recognise_container(bytes, "", {});
  require(!found.why.empty(), "what is recognised has a reason");
  std::vector<RecordBatch> batches;
  const auto records = cut(form, bytes, 1 << 16, &batches);
  for (const std::size_t block : {std::size_t{1}, std::size_t{7}}) {
    require(cut(form, bytes, block, nullptr) == records, "records do not depend on how the file is read");
  }
  const DecoderOptions options = options_of(form);
  const auto decoder = make_decoder(options);
  for (const RecordBatch& batch : batches) {
    const EventBatch events = decoder->decode(batch);
    require(events.records() == batch.records.size(), "each record has its events");
    for (const Event& event : events.events()) check(events, event, options, *native);
  }
  return 0;
}
