#include "file/avro_cutter.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "file/avro_codec.h"
#include "recmeter/base/check.h"

namespace recmeter::file {
namespace {

constexpr std::string_view magic("Obj\x01", 4);
constexpr std::size_t sync_bytes = 16;
constexpr std::size_t header_bytes_max = std::size_t{16} << 20;
constexpr std::size_t read_bytes_min = std::size_t{64} << 10;
constexpr std::size_t head_bytes_max = 20;  // of a block: two integers

avro::Program program_of(std::string schema, const WantedFields& wanted) {
  auto program = avro::Program::compile({&schema, 1}, &wanted);
  RECMETER_CHECK(program.has_value(), "a schema of our own is one");
  return std::move(*program);
}

WantedFields members(std::initializer_list<const char*> names) {
  WantedFields wanted;
  for (const char* name : names) wanted.members.emplace_back(name, WantedFields());
  return wanted;
}

const WantedFields metadata_fields = members({"avro.schema", "avro.codec"});
const WantedFields head_fields = members({"count", "size"});

}  // namespace

AvroCutter::AvroCutter(std::size_t record_bytes_max, std::string name)
    : record_bytes_max_(record_bytes_max),
      name_(std::move(name)),
      metadata_(program_of(R"({"type":"map","values":"bytes"})", metadata_fields)),
      block_head_(program_of(R"({"type":"record","name":"head","fields":[
        {"name":"count","type":"long"},{"name":"size","type":"long"}]})",
                             head_fields)) {}

Result<void> AvroCutter::read(ByteStream& from, std::size_t block, RecordBatch& into) {
  into.records.clear();
  into.bytes.clear();
  into.last = false;
  into.first_line = 0;
  if (!failed_ && !lengths_) {
    if (auto header = read_header(from); !header) failed_ = std::move(header).error();
  }
  into.layout = layout_;
  while (!failed_ && !into.last && (into.records.empty() || into.bytes.size() < block)) {
    const std::size_t records = into.records.size();
    auto more = read_block(from, into);
    if (!more) {
      failed_ = std::move(more).error();
      into.records.resize(records);
    } else {
      into.last = !*more;
    }
  }
  if (failed_ && into.records.empty()) return tl::unexpected(*failed_);
  into.bytes.resize(into.bytes.size() + RecordBatch::padding);
  return {};
}

void AvroCutter::rewind() {
  bytes_.clear();
  passed_ = 0;
}

Result<void> AvroCutter::read_header(ByteStream& from) {
  std::optional<std::size_t> size;
  for (std::size_t asked = read_bytes_min; !size; asked += read_bytes_min) {
    if (auto filled = fill(from, asked); !filled) return filled;
    if (!ready().starts_with(magic)) return damaged("does not begin with the magic bytes of one");
    size = metadata_.length(ready().substr(magic.size()));
    if (!size && (ready().size() < asked || asked > header_bytes_max)) return damaged("has a damaged header");
  }
  const std::size_t end = magic.size() + *size;
  if (auto filled = fill(from, end + sync_bytes); !filled) return filled;
  if (ready().size() < end + sync_bytes) return damaged("ends within its header");
  RecordArena arena;
  const auto metadata = metadata_.read(ready().substr(magic.size(), *size), arena);
  if (!metadata || metadata->members()[0].value.is_null()) return damaged("has no schema");
  RecordLayout layout;
  layout.text = metadata->members()[0].value.text();
  if (const FieldValue& codec = metadata->members()[1].value; !codec.is_null()) codec_ = codec.text();
  auto lengths = avro::Program::compile({&layout.text, 1}, nullptr);
  if (!lengths) return damaged(fmt::format("has an invalid schema ({})", lengths.error().context));
  if (!is_avro_codec(codec_)) {
    return failure(Errc::input_unreadable,
                   fmt::format("the Avro file is packed by `{}`, which is not read; write it with the codec null, deflate, "
                               "zstandard or snappy: {}",
                               codec_.substr(0, 40), name_));
  }
  layout_ = std::make_shared<const RecordLayout>(std::move(layout));
  sync_ = ready().substr(end, sync_bytes);
  lengths_ = std::move(*lengths);
  pass(end + sync_bytes);
  return {};
}

Result<bool> AvroCutter::read_block(ByteStream& from, RecordBatch& into) {
  if (auto filled = fill(from, head_bytes_max); !filled) return tl::unexpected(std::move(filled).error());
  if (ready().empty()) return false;
  const auto head_size = block_head_.length(ready());
  RecordArena arena;
  const auto head = head_size ? block_head_.read(ready().substr(0, *head_size), arena) : std::nullopt;
  if (!head) return damaged(ready().size() < head_bytes_max ? "ends within a block" : "has a damaged block");
  const std::int64_t count = head->members()[0].value.integer(), size = head->members()[1].value.integer();
  if (count < 0 || size < 0 || size > static_cast<std::int64_t>(avro_block_bytes_max)) {
    return damaged("has a block with a wrong length, or over 64 MiB,");
  }
  const std::size_t stored = static_cast<std::size_t>(size), whole = *head_size + stored + sync_bytes;
  if (auto filled = fill(from, whole); !filled) return tl::unexpected(std::move(filled).error());
  if (ready().size() < whole) return damaged("ends within a block");
  if (ready().substr(*head_size + stored, sync_bytes) != sync_) return damaged("has a block without its sync marker");
  const std::size_t begin = into.bytes.size();
  if (!unpack_avro(codec_, ready().substr(*head_size, stored), into.bytes)) {
    return damaged("has a block that does not unpack, or to over 64 MiB,");
  }
  if (!cut(count, begin, into)) return damaged("has a block whose records do not match its schema");
  pass(whole);
  return true;
}

// Whether the bytes from `begin` on are so many records.
bool AvroCutter::cut(std::int64_t count, std::size_t begin, RecordBatch& into) const {
  const std::string_view data(into.bytes.data() + begin, into.bytes.size() - begin);
  if (static_cast<std::size_t>(count) > data.size()) return false;
  std::size_t at = 0;
  for (; count > 0; --count) {
    const auto size = lengths_->length(data.substr(at));
    if (!size || *size == 0) return false;  // one without bytes is as long as all the others
    into.records.push_back({begin + at, std::min(*size, record_bytes_max_ + 1), std::nullopt, false});
    at += *size;
  }
  return at == data.size();
}

Result<void> AvroCutter::fill(ByteStream& from, std::size_t count) {
  while (ready().size() < count) {
    bytes_.erase(0, std::exchange(passed_, 0));
    const std::size_t before = bytes_.size();
    const std::size_t wanted = std::max(count - before, read_bytes_min);
    bytes_.resize(before + std::min(wanted, std::max(read_bytes_min, before)));
    auto got = from.read(bytes_.data() + before, bytes_.size() - before);
    bytes_.resize(before + got.value_or(0));
    if (!got) return tl::unexpected(std::move(got).error());
    if (*got == 0) break;
  }
  return {};
}

void AvroCutter::pass(std::size_t count) {
  passed_ += count;
  offset_ += count;
}

tl::unexpected<Error> AvroCutter::damaged(std::string_view what) const {
  return failure(Errc::input_corrupt, fmt::format("the Avro file {} at byte {}; what came before was read. Copy or write it "
                                                  "again: {}",
                                                  what, offset_, name_));
}

}  // namespace recmeter::file
