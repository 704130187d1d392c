#include "recmeter/metric/curve.h"

#include "metric/confusion.h"

namespace recmeter {

namespace {

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::nullopt : std::optional(share_of(part, whole));
}

CurvePoint point(std::optional<std::uint32_t> k, const Confusion& counts, bool has_catalog) {
  CurvePoint out{
      .k = k, .tp = counts.tp, .fp = counts.fp, .fn = counts.fn, .tn = {}, .recall = {}, .fpr = {}, .precision = {}};
  out.recall = share(counts.tp, counts.relevant());
  out.precision = share(counts.tp, counts.shown());
  if (!has_catalog) return out;
  out.tn = counts.tn;
  out.fpr = share(counts.fp, counts.irrelevant());
  return out;
}

}  // namespace

void add_to_curve(const ScoredList& list, std::uint32_t k_max, const MetricOptions& options,
                  std::span<std::int64_t> columns) {
  auto hit = list.hits.begin();
  std::int64_t hits = 0;
  for (std::uint32_t k = 1; k <= k_max; ++k) {
    for (; hit != list.hits.end() && hit->rank <= k; ++hit) ++hits;
    columns[2 * k - 2] += hits;
    columns[2 * k - 1] += list.distinct_at(k);
  }
  const Confusion counts = confusion_at(list, k_max, options);
  columns[2 * std::size_t{k_max}] += static_cast<std::int64_t>(counts.relevant());
  columns[2 * std::size_t{k_max} + 1] += static_cast<std::int64_t>(counts.relevant() + counts.irrelevant());
}

std::vector<CurvePoint> curve_of(std::span<const Int128> columns, std::uint32_t k_max, bool has_catalog) {
  const auto sum = [&](std::size_t at) { return columns.empty() ? 0 : static_cast<std::uint64_t>(columns[at]); };
  const std::uint64_t relevant = sum(2 * std::size_t{k_max});
  const std::uint64_t universe = sum(2 * std::size_t{k_max} + 1);
  std::vector<CurvePoint> points;
  for (std::uint32_t k = 0; k <= k_max; ++k) {
    const std::uint64_t tp = k == 0 ? 0 : sum(2 * std::size_t{k} - 2);
    const std::uint64_t shown = k == 0 ? 0 : sum(2 * std::size_t{k} - 1);
    const Confusion counts{.tp = tp, .fp = shown - tp, .fn = relevant - tp, .tn = universe - relevant - (shown - tp)};
    points.push_back(point(k, counts, has_catalog));
  }
  if (has_catalog) points.push_back(point(std::nullopt, {.tp = relevant, .fp = universe - relevant, .fn = 0, .tn = 0}, true));
  return points;
}

}  // namespace recmeter
