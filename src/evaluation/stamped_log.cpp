#include "recmeter/evaluation/stamped_log.h"

#include <xxhash.h>

#include <utility>

#include "evaluation/log_union.h"
#include "evaluation/partial_bytes.h"
#include "evaluation/stamped_line.h"
#include "recmeter/base/base64.h"

namespace recmeter {

namespace {

constexpr std::size_t time_bytes = 8;  // before what a line holds

}  // namespace

tl::unexpected<Error> StampedLog::damaged() {
  return failure(Errc::input_corrupt, "a stamped line is damaged; run recmeter stamp again and pass its lines on unchanged");
}

StampedLog::StampedLog(const PartialHeader& header)
    : version_(header.version),
      config_hash_(header.config_hash),
      configuration_(header.configuration),
      part_{.index = *header.parts.begin(), .count = header.count} {}

void SlotLine::add(std::string_view bytes) {
  ++lines;
  sum += XXH3_64bits(bytes.data(), bytes.size());
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

EventTime StampedLog::time_of(std::string_view record) {
  return EventTime{static_cast<std::int64_t>(big_endian(record))};
}

Result<void> StampedLog::read_summary(std::string_view bytes) {
  ByteReader from(bytes);
  if (from.text() != stamp_magic || from.number() != stamp_format) return damaged();
  if (from.text() != version_) {
    return failure(Errc::config_invalid,
                   "stamped by another version of recmeter; use one version for stamp and replay --part");
  }
  const bool is_of_configuration = from.text() == config_hash_ && from.text() == configuration_;
  if (!is_of_configuration) {
    return failure(Errc::config_invalid, "stamped with another configuration; give replay --part the one of recmeter stamp");
  }
  for (SlotLine& of_slot : promised_) {
    of_slot.lines += from.number();
    of_slot.sum += from.fixed();
  }
  PartSummary stamp;
  if (!log_from_bytes(from.text(), stamp) || stamp.log.partitions.empty()) return damaged();
  for (const PartitionReport& partition : stamp.log.partitions) {
    stamp.places.push_back(from.number());
    if (!stamped_.insert(partition.name).second) {
      return failure(Errc::config_invalid, "stamped twice; leave the lines of one of the stamps out: " + partition.name);
    }
  }
  if (!from.is_done()) return damaged();
  stamps_.push_back(std::move(stamp));
  return {};
}

Result<void> StampedLog::finish() {
  if (stamps_.empty()) {
    return failure(Errc::input_corrupt, "there is no line of slot -; give all lines of recmeter stamp");
  }
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
  const auto stamped = read_stamped_events(record.substr(time_bytes));
  if (!stamped) return damaged();
  const auto partition = partition_of_.find(stamped->partition);
  if (partition == partition_of_.end()) return damaged();
  return Events{.partition = partition->second, .code = stamped->code};
}

}  // namespace recmeter
