#include "recmeter/evaluation/stamped_log.h"

#include <xxhash.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "evaluation/partial_bytes.h"
#include "evaluation/stamped_line.h"
#include "recmeter/base/base64.h"

namespace recmeter {

namespace {

constexpr std::size_t time_bytes = 8;  // before what a line holds

void add_spans(std::vector<TimeSpan>& to, const std::vector<TimeSpan>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

tl::unexpected<Error> StampedLog::damaged() {
  return failure(Errc::input_corrupt, "a stamped line is damaged; run recmeter stamp again and pass its lines on unchanged");
}

StampedLog::StampedLog(const PartialHeader& header)
    : version_(header.version),
      config_hash_(header.config_hash),
      configuration_(header.configuration),
      part_{.index = *header.parts.begin(), .count = header.count} {}

// What reading all of the log in one run tells, of what reading its partitions apart has told.
PartSummary StampedLog::joined(const std::vector<Stamp>& stamps) {
  PartSummary all;
  all.log.final_to = minus_infinity;
  all.evaluated_to = plus_infinity;
  std::map<std::pair<std::uint64_t, std::string>, const PartitionReport*> partitions;
  std::map<std::string, std::uint64_t> place_of;
  for (const auto& [stamp, places] : stamps) {
    all.log.final_to = std::max(all.log.final_to, stamp.log.final_to);
    all.start.first_event = std::min(all.start.first_event, stamp.start.first_event);
    all.start.first_after_cut = std::max(all.start.first_after_cut, stamp.start.first_after_cut);
    add_spans(all.start.lost, stamp.start.lost);
    add_spans(all.start.late_after_idle, stamp.start.late_after_idle);
    add_spans(all.start.future_by_clock, stamp.start.future_by_clock);
    for (std::size_t r = 0; r < invalid_reason_count; ++r) all.log.invalid_reasons[r] += stamp.log.invalid_reasons[r];
    for (std::size_t p = 0; p < places.size(); ++p) {
      partitions[{places[p], stamp.log.partitions[p].name}] = &stamp.log.partitions[p];
      place_of[stamp.log.partitions[p].name] = places[p];
    }
  }
  for (const auto& [place, partition] : partitions) all.log.partitions.push_back(*partition);
  // Of equal ones that of the first partition.
  const auto is_before = [&](const std::string& a, const std::string& b) {
    return std::tie(place_of[a], a) < std::tie(place_of[b], b);
  };
  std::map<InvalidReason, InvalidRecord> samples;
  for (const Stamp& stamp : stamps) {
    for (const InvalidRecord& record : stamp.summary.log.invalid_records) {
      const auto [known, is_new] = samples.try_emplace(record.sample.reason, record);
      if (!is_new && is_before(record.partition, known->second.partition)) known->second = record;
    }
    const auto& gap = stamp.summary.log.gap_at_end;
    auto& known = all.log.gap_at_end;
    if (!gap || gap->to <= all.log.final_to) continue;
    if (!known || gap->to > known->to || (gap->to == known->to && is_before(gap->partition, known->partition))) known = gap;
  }
  for (auto& [reason, record] : samples) all.log.invalid_records.push_back(std::move(record));
  all.later_end = all.log.gap_at_end ? all.log.gap_at_end->to : all.log.final_to;
  return all;
}

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
  Stamp stamp;
  if (!log_from_bytes(from.text(), stamp.summary) || stamp.summary.log.partitions.empty()) return damaged();
  for (const PartitionReport& partition : stamp.summary.log.partitions) {
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
