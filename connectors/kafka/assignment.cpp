#include "kafka/assignment.h"

#include <cstddef>
#include <cstdint>

namespace recmeter::kafka {

namespace {

// Reads Kafka's form of an assignment: big-endian numbers, counts before what they count. Beyond its end there are zeros.
class AssignmentReader {
 public:
  explicit AssignmentReader(std::string_view bytes) : bytes_(bytes) {}
  std::size_t number(std::size_t size) {
    std::size_t number = 0;
    for (const char byte : text(size)) number = number << 8U | static_cast<std::uint8_t>(byte);
    return number;
  }
  std::string_view text(std::size_t size) {
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(text.size());
    return text;
  }
  [[nodiscard]] bool is_done() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

}  // namespace

std::vector<std::string> assigned_names(std::string_view assignment) {
  std::vector<std::string> names;
  AssignmentReader from(assignment);
  from.number(2);
  for (std::size_t topics = from.number(4); topics > 0 && !from.is_done(); --topics) {
    const std::string topic(from.text(from.number(2)));
    for (std::size_t partitions = from.number(4); partitions > 0 && !from.is_done(); --partitions) {
      names.push_back(topic + "/" + std::to_string(from.number(4)));
    }
  }
  return names;
}

}  // namespace recmeter::kafka
