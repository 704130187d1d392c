#include "app/examination/examination_run.h"
#include "recmeter/result/json_writer.h"

namespace recmeter::examining {

std::string json_of(const ExaminationRun& run) {
  std::string text;
  JsonWriter json(text, 2);
  json.begin_object();
  json.member("schema", std::string_view("recmeter.examination/1"));
  json.member("from", std::string_view(run.request.random ? "uniform" : "variants"));
  json.member("key", run.request.key);
  json.member("value", run.request.random);
  json.member("horizon_ms", run.horizon.ms);
  json.member("min", run.request.min);
  json.member("confidence", run.confidence);
  json.array("lists", run.lists, [&](const auto& of_value) {
    json.begin_object();
    json.member("value", of_value.first);
    json.member("lists", of_value.second);
    json.end_object();
  });
  json.begin_object("left_out");
  json.member("other_lists", run.other_lists);
  json.member("unfinished_lists", run.unfinished_lists);
  json.member("moved", run.examined.moved);
  json.end_object();
  json.member("first", run.examined.first);
  json.array("ranks", run.examined.ranks, [&](const RankExamination& at) {
    json.begin_object();
    json.member("rank", at.rank);
    json.member("value", at.value);
    json.member("ci", at.ci);
    json.member("reason", at.reason == Reason::none ? std::nullopt : std::optional(to_string(at.reason)));
    json.member("shown", at.shows.shown);
    json.member("clicked", at.shows.clicked);
    const bool is_compared = !run.request.random && at.rank > 1;
    json.member("comparisons", is_compared ? std::optional(at.comparisons) : std::nullopt);
    json.end_object();
  });
  json.end_object();
  return text + "\n";
}

}  // namespace recmeter::examining
