#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "app/generate/shown_list.h"
#include "app/generate/truth.h"

namespace recmeter::generate {

namespace {

using Out = std::back_insert_iterator<std::string>;

std::string variant_name(const TrafficSpec& spec, std::size_t quality_class) {
  if (spec.segment_values <= 2) return quality_class == 0 ? "A" : "B";
  return quality_class == 0 ? "even" : "odd";
}

void put_variant_text(Out out, const Truth& truth, std::size_t c) {
  const VariantTruth& variant = truth.variants[c];
  fmt::format_to(out, "\nvariant {}: quality {}, {} lists\n", variant_name(truth.spec, c),
                 c == 0 ? truth.spec.quality_a : truth.spec.quality_b, variant.lists);
  fmt::format_to(out, "  {:<14}{:>10}{:>10}{:>11}{:>12}\n", "metric", "built in", "realised", "std error", "difference");
  for (std::size_t m = 0; m < truth_metrics.size(); ++m) {
    for (std::size_t k = 0; k < truth_cutoffs.size(); ++k) {
      const double se = variant.standard_error(m, k);
      const double difference = variant.realised(m, k) - variant.expected[m][k];
      fmt::format_to(out, "  {:<14}{:>10.6f}{:>10.6f}{:>11.6f}", fmt::format("{}@{}", truth_metrics[m], truth_cutoffs[k]),
                     variant.expected[m][k], variant.realised(m, k), se);
      if (se > 0) fmt::format_to(out, "{:>+9.1f} se", difference / se);
      fmt::format_to(out, "\n");
    }
  }
}

void put_report_text(Out out, const Truth& truth) {
  const ExpectedReport& r = truth.report;
  const Disturbances& d = truth.disturbances;
  fmt::format_to(out, "\nwritten: {} records, {} bytes ({:.1f} a record)\n", truth.records.records, truth.records.bytes,
                 truth.records.records == 0
                     ? 0.0
                     : static_cast<double>(truth.records.bytes) / static_cast<double>(truth.records.records));
  fmt::format_to(out, "  whole lists {}, rows {}, clicks {}, purchases {}, ratings {}, of these without a list {}\n",
                 truth.records.whole_lists, truth.records.rows, truth.records.actions[0], truth.records.actions[1],
                 truth.records.actions[2], truth.records.organic);
  fmt::format_to(out, "  empty lists {}, lists in rows {}, of placeholders {}, of the heavy user {}\n", truth.empty_lists,
                 truth.lists_in_rows, truth.placeholder_lists, truth.heavy_user_lists);
  fmt::format_to(out, "disturbed: duplicates {}, late {}, wrong clocks {}, far clock {}, malformed {}\n", d.duplicates,
                 d.late, d.wrong_clocks, d.far_clock, d.malformed);
  fmt::format_to(
      out, "the report should say: read {}, invalid {}, future {}, late {}, duplicate {}, impressions {}, feedback {}\n",
      r.read, r.invalid, r.future, r.late, r.duplicate, r.impressions, r.feedback);
  fmt::format_to(out, "  feedback: credited {}, organic {}, not_in_list {}, unmatched {}; lists {}\n", r.credited, r.organic,
                 r.not_in_list, r.unmatched, r.lists);
}

void put_variant_json(Out out, const Truth& truth, std::size_t c) {
  const VariantTruth& variant = truth.variants[c];
  fmt::format_to(out, R"("{}":{{"quality":{},"lists_shown":{},"lists":{},"metrics":{{)", variant_name(truth.spec, c),
                 c == 0 ? truth.spec.quality_a : truth.spec.quality_b, truth.lists_shown[c], variant.lists);
  for (std::size_t m = 0; m < truth_metrics.size(); ++m) {
    for (std::size_t k = 0; k < truth_cutoffs.size(); ++k) {
      fmt::format_to(out, R"({}"{}@{}":{{"expected":{},"realised":{},"se":{}}})", m + k == 0 ? "" : ",", truth_metrics[m],
                     truth_cutoffs[k], variant.expected[m][k], variant.realised(m, k), variant.standard_error(m, k));
    }
  }
  fmt::format_to(out, "}}}}");
}

void put_counts_json(Out out, const Truth& truth) {
  const RecordCounts& n = truth.records;
  const Disturbances& d = truth.disturbances;
  fmt::format_to(
      out,
      R"("records":{{"records":{},"bytes":{},"whole_lists":{},"rows":{},"click":{},"purchase":{},"rating":{},)"
      R"("organic":{},"closing":{},"empty_lists":{},"lists_in_rows":{},"placeholder_lists":{},"heavy_user_lists":{}}},)",
      n.records, n.bytes, n.whole_lists, n.rows, n.actions[0], n.actions[1], n.actions[2], n.organic, n.closing,
      truth.empty_lists, truth.lists_in_rows, truth.placeholder_lists, truth.heavy_user_lists);
  fmt::format_to(out, R"("disturbances":{{"duplicates":{},"late":{},"wrong_clocks":{},"far_clock":{},"malformed":{}}},)",
                 d.duplicates, d.late, d.wrong_clocks, d.far_clock, d.malformed);
  const ExpectedReport& r = truth.report;
  fmt::format_to(out,
                 R"("report":{{"events":{{"read":{},"invalid":{},"future":{},"late":{},"duplicate":{},"impressions":{},)"
                 R"("feedback":{}}},"feedback":{{"credited":{},"organic":{},"not_in_list":{},"unmatched":{}}},"lists":{},)"
                 R"("invalid_reasons":{{)",
                 r.read, r.invalid, r.future, r.late, r.duplicate, r.impressions, r.feedback, r.credited, r.organic,
                 r.not_in_list, r.unmatched, r.lists);
  bool first = true;
  for (std::size_t reason = 0; reason < invalid_reason_count; ++reason) {
    if (d.malformed_by_reason[reason] == 0) continue;
    fmt::format_to(out, R"({}"{}":{})", first ? "" : ",", to_string(static_cast<InvalidReason>(reason)),
                   d.malformed_by_reason[reason]);
    first = false;
  }
  fmt::format_to(out, "}}}}");
}

}  // namespace

std::string truth_text(const Truth& truth) {
  std::string text;
  const Out out(text);
  fmt::format_to(out,
                 "truth of seed {}: {} lists over {} s, horizon {} s, gains click 1 and purchase 3 after click,\n"
                 "click rate {:.6f} on a favourite item at rank 1\n",
                 truth.spec.seed, truth.spec.lists, truth.spec.span.ms / 1000, truth.spec.horizon.ms / 1000,
                 truth.click_rate);
  for (std::size_t c = 0; c < quality_classes; ++c) {
    if (truth.lists_shown[c] > 0) put_variant_text(out, truth, c);
  }
  put_report_text(out, truth);
  return text;
}

std::string truth_json(const Truth& truth) {
  std::string text;
  const Out out(text);
  fmt::format_to(out,
                 R"({{"schema":"recmeter.truth/1","seed":{},"lists":{},"start":{},"span_ms":{},"horizon_ms":{},)"
                 R"("lateness_ms":{},"click_rate":{},"variants":{{)",
                 truth.spec.seed, truth.spec.lists, truth.spec.start.ms, truth.spec.span.ms, truth.spec.horizon.ms,
                 truth.spec.lateness.ms, truth.click_rate);
  bool first = true;
  for (std::size_t c = 0; c < quality_classes; ++c) {
    if (truth.lists_shown[c] == 0) continue;
    if (!first) text += ',';
    put_variant_json(out, truth, c);
    first = false;
  }
  text += "},";
  put_counts_json(out, truth);
  text += "}\n";
  return text;
}

}  // namespace recmeter::generate
