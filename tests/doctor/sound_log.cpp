#include "doctor/sound_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fstream>

#include "app/doctor/doctor_run.h"
#include "config/load_config.h"
#include "unit/file/scratch.h"

namespace recmeter::doctor {
namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t start_ms = 1'763'424'000'000;  // 2025-11-18T00:00:00Z
constexpr std::size_t hours = 24;
constexpr std::size_t sessions = 1000;
constexpr std::size_t users = 700;
constexpr std::size_t items = 900;

double uniform(support::Dice& dice) {
  return static_cast<double>(dice.below(1'000'000)) / 1e6;
}

std::int64_t log_normal(support::Dice& dice, double median_ms, double sigma) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(dice);
  return static_cast<std::int64_t>(median_ms * std::exp(sigma * sum));
}

// More in the evening than in the morning.
std::int64_t session_start(support::Dice& dice) {
  for (;;) {
    const auto at = static_cast<std::int64_t>(uniform(dice) * hours * hour_ms);
    const double rate = 1 - 0.4 * std::cos(2 * 3.14159265 * static_cast<double>(at) / (24.0 * hour_ms));
    if (uniform(dice) * 1.4 < rate) return start_ms + at;
  }
}

std::string item_name(std::size_t item) {
  return "sku" + std::to_string(item * 7919 % 10007);
}

std::vector<std::string> draw_items(support::Dice& dice, std::size_t count) {
  std::vector<std::string> out;
  while (out.size() < count) {
    const double u = uniform(dice);
    const std::string item = item_name(static_cast<std::size_t>(u * u * items));  // few are frequent
    if (std::find(out.begin(), out.end(), item) == out.end()) out.push_back(item);
  }
  return out;
}

void sort_by_time(std::vector<Record>& records) {
  std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a["ts"] < b["ts"]; });
}

}  // namespace

SoundLog::SoundLog(std::uint64_t seed) : dice(seed) {
  settings = {{"join.actions.click", "{gain: 1}"}, {"join.actions.purchase", "{gain: 3}"}, {"join.horizons", "[30m]"}};
  inputs = {{"lists.jsonl", {}}, {"feedback.jsonl", {}}};
  const bool names_all = dice.percent(50);
  std::size_t number = 0;
  std::size_t events = 0;
  for (std::size_t s = 0; s < sessions; ++s) {
    const std::size_t user = dice.below(users);
    std::int64_t ts = session_start(dice);
    for (std::size_t view = 1 + dice.below(6); view > 0; --view) {
      const std::string id = "list-" + std::to_string(seed) + "a" + std::to_string(number++);
      const std::vector<std::string> shown = draw_items(dice, 6 + dice.below(5));
      Record list{
          {"type", "impression"}, {"ts", ts}, {"list_id", id}, {"user_id", "user" + std::to_string(user)}, {"items", shown}};
      list["segments"] = {{"variant", user % 2 == 0 ? "A" : "B"}, {"device", dice.percent(60) ? "phone" : "desktop"}};
      double score = 9;
      for (std::size_t i = 0; i < shown.size(); ++i) list["scores"].push_back(score -= 0.1 + uniform(dice));
      for (std::size_t i = 0; i < shown.size(); ++i) {
        if (uniform(dice) >= 0.4 / std::pow(static_cast<double>(i + 1), 0.8)) continue;
        Record click{{"type", "click"},
                     {"ts", ts + 500 + log_normal(dice, 20e3, 1)},
                     {"user_id", list["user_id"]},
                     {"item_id", shown[i]}};
        if (names_all || dice.percent(80)) click["list_id"] = id;
        click["event_id"] = "e" + std::to_string(events++);
        feedback.push_back(click);
        if (!dice.percent(20)) continue;
        Record bought = click;
        bought["type"] = "purchase";
        bought["ts"] = click["ts"].get<std::int64_t>() + 1000 + log_normal(dice, 90e3, 0.8);
        bought["event_id"] = "e" + std::to_string(events++);
        feedback.push_back(bought);
      }
      lists.push_back(std::move(list));
      ts += 5000 + log_normal(dice, 60e3, 1);
    }
  }
  sort_by_time(lists);
  sort_by_time(feedback);
}

void SoundLog::as_rows() {
  std::vector<Record> rows;
  for (const Record& list : lists) {
    for (std::size_t i = 0; i < list["items"].size(); ++i) {
      Record row = list;
      row.erase("items");
      row.erase("scores");
      row["item_id"] = list["items"][i];
      row["position"] = i + 1;
      rows.push_back(std::move(row));
    }
  }
  lists = std::move(rows);
}

std::vector<std::string> write_log(const SoundLog& log, const std::string& folder) {
  std::map<std::string, std::vector<Record>> files;
  files["lists.jsonl"] = log.lists;
  std::vector<Record>& with_feedback = files[log.has_one_file ? "lists.jsonl" : "feedback.jsonl"];
  with_feedback.insert(with_feedback.end(), log.feedback.begin(), log.feedback.end());
  std::vector<std::string> paths;
  std::string yaml = "inputs:\n";
  for (auto& [name, records] : files) {
    if (log.is_sorted) sort_by_time(records);
    paths.push_back(folder + "/" + name);
    std::ofstream file(paths.back());
    for (Record& record : records) {
      if (log.write_time) record["ts"] = log.write_time(name, record["ts"].get<std::int64_t>());
      file << record.dump() << '\n';
    }
    yaml += "  - file: [" + paths.back() + "]\n";
    for (const auto& [key, value] : log.inputs.at(name)) yaml += "    " + key + ": " + value + "\n";
  }
  // Paths of up to three names become sections.
  Record tree;
  for (const auto& [key, value] : log.settings) {
    Record* at = &tree;
    std::string rest = key;
    for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
      at = &(*at)[rest.substr(0, dot)];
      rest = rest.substr(dot + 1);
    }
    if (at->is_string()) *at = Record();
    (*at)[rest] = value;
  }
  const std::function<std::string(const Record&, std::string)> text = [&](const Record& node, const std::string& indent) {
    std::string out;
    for (const auto& [key, value] : node.items()) {
      out += indent + key + ":" +
             (value.is_string() ? " " + value.get<std::string>() + "\n" : "\n" + text(value, indent + "  "));
    }
    return out;
  };
  paths.push_back(folder + "/log.yaml");
  std::ofstream(paths.back()) << yaml << text(tree, "");
  return paths;
}

Record examination(const SoundLog& log) {
  const test::Scratch scratch;
  const std::vector<std::string> paths = write_log(log, scratch.directory());
  const auto config = load_config_file(paths.back(), process_context());
  if (!config) {
    ADD_FAILURE() << config.error().front().message << "; " << config.error().front().remedy;
    return {};
  }
  const std::atomic<bool> stop = false;
  auto inputs = replay_inputs(*config, {}, minus_infinity, {}, stop);
  if (!inputs) {
    ADD_FAILURE() << inputs.error().context;
    return {};
  }
  const auto run = run_doctor(*config, std::move(*inputs), EventTime{start_ms + 30 * 24 * hour_ms},
                              {.when = SortWhen::never, .space = {}}, {}, stop);
  if (!run) {
    ADD_FAILURE() << run.error().context;
    return {};
  }
  EXPECT_FALSE(text_of(*run, true, 100).empty());
  return Record::parse(json_of(*run, false));
}

bool says(const std::vector<Said>& said, const std::string& code) {
  return std::ranges::find(said, code, &Said::code) != said.end();
}

std::string told(const std::vector<Said>& said) {
  std::string text;
  for (const Said& one : said) text += "\n  " + one.sentence;
  return text;
}

std::vector<Said> examined(const SoundLog& log) {
  std::vector<Said> out;
  const Record answer = examination(log);
  for (const Record& finding : answer["findings"]) {
    Said said{.code = finding["code"], .remedy = finding["remedy"], .settings = {}, .input = "", .sentence = {}};
    if (finding["input"].is_string()) said.input = finding["input"];
    said.sentence = said.code + ": " + finding["statistic"].get<std::string>() + " " + finding["sureness"].get<std::string>();
    for (const Record& setting : finding["set"]) said.settings.emplace_back(setting["key"], setting["value"]);
    out.push_back(std::move(said));
  }
  return out;
}

void apply(const Said& said, SoundLog& log) {
  for (const auto& [key, value] : said.settings) {
    if (!key.starts_with("inputs.")) {
      // An action is a mapping: its gain is written into it.
      const std::size_t gain = key.rfind(".gain");
      if (gain != std::string::npos) {
        log.settings[key.substr(0, gain)] = "{gain: " + value + "}";
      } else {
        log.settings[key] = value;
      }
      continue;
    }
    for (auto& [name, keys] : log.inputs) {
      if (said.input.empty() || said.input.ends_with(name)) keys[key.substr(7)] = value;
    }
  }
}

}  // namespace recmeter::doctor
