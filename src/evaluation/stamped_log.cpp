#include "recmeter/evaluation/stamped_log.h"

#include <utility>

#include "evaluation/log_union.h"
#include "evaluation/partial_bytes.h"
#include "evaluation/stamped_line.h"
#include "recmeter/base/base64.h"
#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

constexpr std::size_t time_bytes = 8;  // before what a line holds

}  // namespace

tl::unexpected<Error> StampedLog::damaged() {
  return failure(Errc::input_corrupt, "a stamped line is damaged; run recmeter stamp again and pass its lines on unchanged");
}

StampedLog::StampedLog(const PartialHeader& header)
    : header_(header), part_{.index = *header.parts.begin(), .count = header.count} {}

void SlotLine::add(std::string_view bytes) {
  ++lines;
  sum += stamp_checksum(bytes);
}

Result<bool> StampedLog::read(std::string_view line, std::string& record) {
  const auto parsed = parse_stamped(line);
  if (!parsed) return damaged();
  if (parsed->slot && !part_.keeps(std::uint64_t{*parsed->slot} << 56)) return false;
  record.clear();
  append_big_endian(record, static_cast<std::uint64_t>(parsed->ts.ms));
  if (!read_base64(parsed->base64, record)) return damaged();
  const std::string_view held = std::string_view(record).substr(time_bytes);
  if (parsed->slot) {
    found_[*parsed->slot].add(held);
    return true;
  }
  if (auto read = read_summary(held); !read) return tl::unexpected(std::move(read).error());
  return false;
}

bool StampedLog::is_stamped(std::string_view line) {
  return parse_stamped(line).has_value();
}

EventTime StampedLog::time_of(std::string_view record) {
  return EventTime{static_cast<std::int64_t>(big_endian(record))};
}

Result<void> StampedLog::read_summary(std::string_view bytes) {
  ByteReader from(bytes);
  const std::uint64_t checksum = from.fixed();
  if (from.has_failed() || checksum != stamp_checksum(bytes.substr(bytes.size() - from.left()))) return damaged();
  if (from.text() != stamp_magic || from.number() != stamp_format) return damaged();
  if (from.text() != header_.version) {
    return failure(Errc::config_invalid,
                   "stamped by another version of recmeter; use one version for stamp and replay --part");
  }
  const bool is_of_configuration = from.text() == header_.config_hash && from.text() == header_.configuration;
  if (!is_of_configuration) {
    return failure(Errc::config_invalid, "stamped with another configuration; give replay --part the one of recmeter stamp");
  }
  Origin origin;
  if (from.number() != 0) origin.ends = from.fixed();
  for (SlotLine& of_slot : promised_) {
    of_slot.lines += from.number();
    of_slot.sum += from.fixed();
  }
  PartSummary stamp;
  if (!log_from_bytes(from.text(), stamp) || stamp.log.partitions.empty()) return damaged();
  origin.of = from.number();
  for (const PartitionReport& partition : stamp.log.partitions) {
    stamp.places.push_back(origin.of > 0 ? from.number() : 0);
    if (!stamped_.insert(partition.name).second) {
      return failure(Errc::config_invalid, partition.name + " was stamped twice; leave the lines of one of its stamps out");
    }
  }
  if (!from.is_done()) return damaged();
  stamps_.push_back(std::move(stamp));
  return check_one_log(origin);
}

Result<void> StampedLog::check_one_log(const Origin& origin) {
  if (!origin_) origin_ = origin;
  const char* sentence = nullptr;
  if (origin.ends != origin_->ends) sentence = "their --ends differ";
  if (origin.of != origin_->of) sentence = "they are not of one log by --partitions";
  if (sentence == nullptr) return {};
  return failure(Errc::config_invalid,
                 std::string("stamps do not belong together, because ") + sentence +
                     "; stamp all of the log in one way: " + stamps_.back().log.partitions.front().name);
}

Result<void> StampedLog::check_no_partition_is_missing() const {
  if (origin_->of == 0 || stamped_.size() == origin_->of) return {};
  return failure(Errc::config_invalid, std::to_string(stamped_.size()) + " of " + std::to_string(origin_->of) +
                                           " partitions of the log are stamped; run stamp --partitions for the others too, "
                                           "and give every part all lines of slot -");
}

Result<void> StampedLog::finish() {
  if (stamps_.empty()) {
    return failure(Errc::input_corrupt, "there is no line of slot -; give all lines of recmeter stamp");
  }
  if (auto checked = check_no_partition_is_missing(); !checked) return checked;
  summary_ = joined(stamps_);
  summary_.places.clear();
  const auto& partitions = summary_.log.partitions;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    partition_of_[partition_hash(partitions[p].name)] = static_cast<std::uint32_t>(p);
  }
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (!part_.keeps(std::uint64_t{slot} << 56) || found_[slot] == promised_[slot]) continue;
    const SlotLine& found = found_[slot];
    const std::string lines = found.lines == promised_[slot].lines
                                  ? "other lines than recmeter stamp wrote"
                                  : std::to_string(found.lines) + " of " + std::to_string(promised_[slot].lines) + " lines";
    return failure(Errc::input_corrupt, "slot " + std::to_string(slot) + " has " + lines +
                                            "; give each line of recmeter stamp once, and every line of slot -");
  }
  return {};
}

Result<StampedLog::Events> StampedLog::events(std::string_view record) const {
  ByteReader from(record.substr(time_bytes));
  const auto partition = partition_of_.find(from.fixed());
  if (from.left() == 0 || partition == partition_of_.end()) return damaged();
  return Events{.partition = partition->second, .code = record.substr(record.size() - from.left())};
}

}  // namespace recmeter
