#include "recmeter/evaluation/disorder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace recmeter {

namespace {

constexpr std::uint64_t per_octave = 16;

// Values below 16 have a bucket each; above, an octave has 16.
std::size_t bucket_of(std::uint64_t value) {
  if (value < per_octave) return value;
  const auto octave = static_cast<std::uint64_t>(std::bit_width(value)) - 5;
  return static_cast<std::size_t>((octave + 1) * per_octave + ((value >> octave) - per_octave));
}

std::uint64_t upper_bound_of(std::size_t bucket) {
  if (bucket < per_octave) return bucket;
  const std::uint64_t octave = bucket / per_octave - 1;
  return ((bucket % per_octave + per_octave + 1) << octave) - 1;
}

}  // namespace

void DisorderHistogram::add(Duration behind) {
  const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(behind.ms));
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1, 0);
  ++buckets_[bucket];
  ++count_;
  max_ = std::max(max_, behind);
}

Duration DisorderHistogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (seen >= wanted) return std::min(max_, Duration{static_cast<std::int64_t>(upper_bound_of(bucket))});
  }
  return max_;
}

void DisorderHistogram::write(ByteWriter& to) const {
  to.add_signed(max_.ms);
  to.add(buckets_.size());
  for (const std::uint64_t events : buckets_) to.add(events);
}

DisorderHistogram DisorderHistogram::read(ByteReader& from) {
  DisorderHistogram histogram;
  histogram.max_ = Duration{from.signed_number()};
  for (std::uint64_t buckets = from.number(); buckets > 0 && !from.has_failed(); --buckets) {
    histogram.buckets_.push_back(from.number());
    histogram.count_ += histogram.buckets_.back();
  }
  return histogram;
}

Disorder DisorderHistogram::summary() const {
  return {.max = max_, .p50 = quantile(0.5), .p999 = quantile(0.999)};
}

}  // namespace recmeter
