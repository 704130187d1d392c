// Any bytes say what a producer of Arrow hands over: the formats of columns and what is in their arrays. Buffers are as long
// as the arrays say, which nobody can check over this interface; all else may be wrong. It must not crash, must look at no
// byte beyond a buffer, and must cost no more than the rows that there are.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/cost.h"
#include "recmeter/arrow/arrow_frame.h"

namespace {

using namespace recmeter;

constexpr int depth_max = 100;
constexpr std::size_t nodes_max = 3000;

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "arrow_fuzz: %s\n", what);
  std::abort();
}

// Makes a schema and an array of it, node by node, of what the bytes say. Where they have ended, all is as it should be: most
// of what is wrong is one thing in a frame that is right otherwise.
class Producer {
 public:
  explicit Producer(std::string_view bytes) : rest_(bytes) {}

  void make(ArrowSchema& schema, ArrowArray& array, int depth) {
    ++nodes_;
    schema.format = text(format());
    schema.name = is_odd() ? nullptr : text(std::string(1, static_cast<char>('a' + take() % 4)));
    schema.release = [](ArrowSchema* of) { of->release = nullptr; };
    array.length = take() % 6;
    array.null_count = take() % 3 - 1;
    array.offset = is_odd() ? take() % 3 : 0;
    array.release = [](ArrowArray* of) { of->release = nullptr; };
    array.n_buffers = is_odd() ? take() % 4 : 3;
    make_buffers(array, schema.format);
    const std::size_t children = depth < depth_max && nodes_ < nodes_max ? children_of(schema.format) : 0;
    schema.n_children = static_cast<std::int64_t>(children);
    array.n_children = is_odd() ? take() % 3 : schema.n_children;
    auto& schemas = schema_rows_.emplace_back(children);
    auto& arrays = array_rows_.emplace_back(std::max<std::size_t>(children, 3));
    auto& below = schema_pointers_.emplace_back();
    auto& of = array_pointers_.emplace_back();
    for (std::size_t c = 0; c < arrays.size(); ++c) {
      if (c < children) make(schemas[c], arrays[c], depth + 1);
      if (c < children) below.push_back(&schemas[c]);
      of.push_back(&arrays[c]);
    }
    schema.children = below.data();
    array.children = of.data();
    if (depth < depth_max && nodes_ < nodes_max && is_odd()) {
      auto& dictionary = schema_rows_.emplace_back(1);
      auto& values = array_rows_.emplace_back(1);
      make(dictionary[0], values[0], depth + 1);
      schema.dictionary = dictionary.data();
      array.dictionary = is_odd() ? nullptr : values.data();
    }
  }

 private:
  std::uint8_t take() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  bool is_odd() { return take() % 16 == 1; }
  const char* text(std::string of) { return texts_.emplace_back(std::move(of)).c_str(); }
  std::string format() {
    static const std::vector<std::string> known{"b",  "c",    "C",   "s",  "S",   "i",   "I",    "l",       "L",  "f",
                                                "g",  "u",    "U",   "vu", "tdD", "tdm", "tss:", "tsn:UTC", "+l", "+L",
                                                "+s", "+w:2", "+w:", "n",  "z",   "e",   "+m",   "+vl"};
    const std::uint8_t which = take();
    if (which % 32 < known.size()) return known[which % 32];
    std::string any;
    for (std::uint8_t left = take() % 24; left > 0; --left) {
      const auto byte = static_cast<char>(take());
      if (byte != '\0') any += byte;
    }
    return which % 2 == 0 ? any : "+w:" + any;
  }
  std::size_t children_of(std::string_view format) {
    const std::size_t any = take() % 4;
    if (format == "+s") return any;
    if (format.starts_with("+")) return is_odd() ? any : 1;
    return 0;
  }
  // For as many values as an array may have with its offset and, of lists, one more; of 16 bytes each.
  void make_buffers(ArrowArray& array, std::string_view format) {
    auto& pointers = buffer_pointers_.emplace_back();
    for (int b = 0; b < 4; ++b) {
      auto& buffer = buffers_.emplace_back(std::make_unique<char[]>(16 * 32));
      std::fill_n(buffer.get(), 16 * 32, '\0');
      if (take() % 2 == 1) std::generate_n(buffer.get(), take() % 64, [this] { return static_cast<char>(take()); });
      pointers.push_back(is_odd() ? nullptr : buffer.get());
    }
    array.buffers = pointers.data();
    if (format != "u" && format != "U" && format != "vu") return;
    // Of a text no buffer says how long it is: offsets are right.
    char* const places = buffers_[buffers_.size() - 3].get();
    pointers[2] = buffers_.back().get();
    for (std::int64_t i = 0, end = 0; i < 32; ++i) {
      const std::int64_t length = take() % 8;
      if (format == "u") std::memcpy(places + 4 * i, &end, 4);
      if (format == "U") std::memcpy(places + 8 * i, &end, 8);
      if (format == "vu") std::memcpy(places + 16 * i, &length, 4);
      end += length;
    }
  }

  std::string_view rest_;
  std::size_t nodes_ = 0;
  std::deque<std::string> texts_;
  std::deque<std::vector<ArrowSchema>> schema_rows_;
  std::deque<std::vector<ArrowArray>> array_rows_;
  std::deque<std::vector<ArrowSchema*>> schema_pointers_;
  std::deque<std::vector<ArrowArray*>> array_pointers_;
  std::deque<std::vector<const void*>> buffer_pointers_;
  std::deque<std::unique_ptr<char[]>> buffers_;
};

struct Stream {
  ArrowSchema schema{};
  ArrowArray array{};
  bool is_given = false;
};

ArrowArrayStream stream_of(Stream& stream) {
  return {.get_schema =
              [](ArrowArrayStream* of, ArrowSchema* out) {
                *out = static_cast<Stream*>(of->private_data)->schema;
                return 0;
              },
          .get_next =
              [](ArrowArrayStream* of, ArrowArray* out) {
                auto& given = *static_cast<Stream*>(of->private_data);
                *out = given.is_given ? ArrowArray{} : given.array;
                given.is_given = true;
                return 0;
              },
          .get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; },
          .release = [](ArrowArrayStream* of) { of->release = nullptr; },
          .private_data = &stream};
}

void read(arrow::ArrowFrame& frame, const WantedFields& wanted) {
  const auto reader = arrow::arrow_reader()(wanted);
  const auto source = frame.source();
  RecordArena arena;
  for (bool more = true; more;) {
    auto batch = source->read(4096, {});
    if (!batch) return;
    more = !batch->last;
    reader->begin(*batch);
    for (std::size_t i = 0; i < batch->records.size(); ++i) {
      FieldValue value;
      arena.clear();
      const auto reason = reader->read(*batch, i, arena, value);
      require(reason || value.kind() == ValueKind::object, "a row is an object");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Cost cost("arrow_fuzz");
  Producer producer({reinterpret_cast<const char*>(data), size});
  Stream stream;
  producer.make(stream.schema, stream.array, 0);
  auto handed = stream_of(stream);
  const auto frame = arrow::ArrowFrame::import(handed, "frame", true);
  if (!frame) return 0;
  static const WantedFields everything{.whole = true, .members = {}};
  static const WantedFields some{.whole = false,
                                 .members = {{"a", everything}, {"b", {.whole = false, .members = {{"c", everything}}}}}};
  read(**frame, everything);
  read(**frame, some);
  return 0;
}
