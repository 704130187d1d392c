#include "app/infer/proposal_json.h"

#include "recmeter/result/json_writer.h"

namespace recmeter {

std::string proposal_json(const Proposal& proposal) {
  std::string text;
  JsonWriter json(text, 2);
  json.begin_object();
  json.member("schema", "recmeter.infer/1");
  json.member("config", proposal.config);
  json.member("shape", proposal.shape);
  json.array("unsure", proposal.doubts, [&](const Doubt& doubt) {
    json.begin_object();
    json.member("about", doubt.about);
    json.member("question", doubt.sentence);
    json.end_object();
  });
  json.array("missing", proposal.shortfall.missing, [&](const MissingPart& part) {
    json.begin_object();
    json.member("part", part.part);
    json.member("nearest", part.nearest);
    json.end_object();
  });
  json.member("by_hand", proposal.shortfall.by_hand);
  json.array("arms", proposal.arms, [&](const ProposedArms& arms) {
    json.begin_object();
    json.member("key", arms.key);
    json.member("values", arms.values);
    json.member("control", arms.control);
    json.end_object();
  });
  json.begin_object("sample");
  json.member("records", proposal.report.records);
  json.member("lists", proposal.report.lists);
  json.member("feedback", proposal.report.events.feedback);
  json.member("credited", proposal.report.feedback.credited);
  json.member("invalid", proposal.report.events.invalid);
  json.member("late", proposal.report.events.late);
  json.member("duplicate", proposal.report.events.duplicate());
  json.end_object();
  json.member("profile", proposal.profile);
  json.end_object();
  return text + "\n";
}

}  // namespace recmeter
