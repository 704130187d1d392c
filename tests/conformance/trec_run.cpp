#include "trec_run.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <tuple>

namespace recmeter::conformance {
namespace {

struct Retrieved {
  float score = 0;  // trec_eval keeps scores as floats, so that is what ties are made of
  std::string document;
};

std::string line(const std::string& type, std::int64_t ms, const std::string& user, const std::string& rest) {
  return R"({"type":")" + type + R"(","ts":)" + std::to_string(ms) + R"(,"user_id":")" + user + "\"," + rest + "}\n";
}

}  // namespace

std::vector<TrecTopic> parse_trec(const std::string& run, const std::string& judgments) {
  std::map<std::string, std::vector<Retrieved>> retrieved;
  std::istringstream run_in(run);
  for (std::string topic, q0, document, rank, score, tag; run_in >> topic >> q0 >> document >> rank >> score >> tag;) {
    retrieved[topic].push_back({std::stof(score), document});
  }
  std::map<std::string, std::vector<std::string>> relevant;
  std::istringstream judgments_in(judgments);
  for (std::string topic, q0, document, grade; judgments_in >> topic >> q0 >> document >> grade;) {
    auto& of_topic = relevant[topic];
    if (std::stoi(grade) > 0) of_topic.push_back(document);
  }
  std::vector<TrecTopic> topics;
  for (auto& [name, documents] : retrieved) {
    if (!relevant.contains(name)) continue;
    std::sort(documents.begin(), documents.end(), [](const Retrieved& a, const Retrieved& b) {
      return std::tie(a.score, a.document) > std::tie(b.score, b.document);
    });
    TrecTopic& topic = topics.emplace_back(TrecTopic{name, {}, relevant[name]});
    for (Retrieved& document : documents) topic.documents.push_back(std::move(document.document));
  }
  return topics;
}

std::string trec_events(const std::vector<TrecTopic>& topics, std::int64_t start_ms) {
  std::string out;
  std::int64_t ms = start_ms;
  for (const TrecTopic& topic : topics) {
    std::string items;
    for (const std::string& document : topic.documents) items += (items.empty() ? "\"" : ",\"") + document + "\"";
    out += line("impression", ms, topic.name, R"("list_id":"run-)" + topic.name + R"(","items":[)" + items + "]");
    const std::set<std::string> shown(topic.documents.begin(), topic.documents.end());
    for (const std::string& document : topic.relevant) {
      const std::string list = shown.contains(document) ? R"(,"list_id":"run-)" + topic.name + "\"" : "";
      out += line("click", ms + 1000, topic.name, R"("item_id":")" + document + "\"" + list);
    }
    ms += 60'000;
  }
  return out;
}

TrecAnswers parse_trec_answers(const std::string& output) {
  TrecAnswers answers;
  std::istringstream in(output);
  for (std::string measure, topic, value; in >> measure >> topic >> value;) answers[measure][topic] = value;
  return answers;
}

}  // namespace recmeter::conformance
