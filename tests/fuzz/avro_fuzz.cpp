// Any bytes are a schema and a value of it, divided by the first NUL byte, or an Avro file. Reading must not crash, must look
// at no byte beyond, and must not make more of them than there is: a value is as long as what it was read of, whatever
// is wanted of it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "file/avro_cutter.h"
#include "recmeter/avro/program.h"

namespace {

using namespace recmeter;

const WantedFields everything{.whole = true, .members = {}};
const WantedFields some = [] {
  WantedFields wanted;
  wanted.members = {{"a", everything}, {"b", {.whole = false, .members = {{"c", everything}}}}};
  return wanted;
}();

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "avro_fuzz: %s\n", what);
  std::abort();
}

class Bytes final : public file::ByteStream {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}
  Result<std::size_t> read(char* into, std::size_t capacity) override {
    const std::size_t count = left_.copy(into, capacity < 1000 ? capacity : 1000);
    left_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view left_;
};

void read_file(std::string_view file) {
  file::AvroCutter cutter(100, "input");
  Bytes bytes(file);
  RecordBatch batch;
  for (bool more = true; more;) {
    const auto read = cutter.read(bytes, 1, batch);
    require(cutter.position() <= file.size(), "what was cut was there");
    more = read && !batch.last;
    for (std::size_t i = 0; read && i < batch.records.size(); ++i) {
      require(batch.records[i].offset + batch.records[i].size + RecordBatch::padding <= batch.bytes.size(),
              "a record lies within its batch");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(data, data + size);
  if (input.starts_with("Obj")) {
    read_file(input);
    return 0;
  }
  const std::string schema = input.substr(0, input.find('\0'));
  const std::string value = input.substr(std::min(input.size(), schema.size() + 1));
  const auto lengths = avro::Program::compile({&schema, 1}, nullptr);
  const auto whole = avro::Program::compile({&schema, 1}, &everything);
  const auto parts = avro::Program::compile({&schema, 1}, &some);
  require(lengths.has_value() == whole.has_value() && parts.has_value() == whole.has_value(),
          "a schema is one whatever is wanted of it");
  if (!whole) return 0;
  RecordArena arena;
  const auto length = lengths->length(value);
  require(length == whole->length(value) && length == parts->length(value), "a value's length is its own");
  if (whole->read(value, arena)) require(parts->read(value, arena).has_value(), "what can be read can be read in part");
  return 0;
}
