#include "app/commands/command_examples.h"

#include <algorithm>
#include <array>

namespace recmeter {

namespace {

struct CommandExample {
  std::string_view command;
  std::string_view lines;
};

constexpr std::array examples{
    CommandExample{"infer", "recmeter infer shown.csv clicks.csv > c.yaml"},
    CommandExample{"doctor", "recmeter doctor --config c.yaml shown.csv clicks.csv"},
    CommandExample{"validate", "recmeter validate --config c.yaml --sample shown.csv"},
    CommandExample{"init", "recmeter init --live > live.yaml"},
    CommandExample{"replay",
                   "recmeter replay --config c.yaml shown.csv clicks.csv\n"
                   "recmeter replay --config c.yaml --output rows.jsonl --lists lists.jsonl shown.csv clicks.csv"},
    CommandExample{"explain", "recmeter explain --config c.yaml --list l17 shown.csv clicks.csv"},
    CommandExample{"metrics", "recmeter metrics ndcg_list"},
    CommandExample{"report", "recmeter report rows.jsonl --lists lists.jsonl --report run.json --output report.html"},
    CommandExample{"compare",
                   "recmeter compare --by variant --control A shown.csv clicks.csv\n"
                   "recmeter compare --config c.yaml shown.csv clicks.csv"},
    CommandExample{"why",
                   "recmeter why mrr@10 --config c.yaml shown.csv clicks.csv\n"
                   "recmeter why mrr@10 --key variant --a A --b B --config c.yaml shown.csv clicks.csv"},
    CommandExample{"prequential", "recmeter prequential --config c.yaml --output rows.jsonl shown.csv clicks.csv"},
    CommandExample{"recommenders", "recmeter recommenders item_knn"},
    CommandExample{"examination", "recmeter examination --config c.yaml --variants variant shown.csv clicks.csv"},
    CommandExample{"attach", "recmeter attach --config live.yaml"},
    CommandExample{"top", "recmeter top http://127.0.0.1:8080 --metric precision@10"},
    CommandExample{"state", "recmeter state info state"},
    CommandExample{"stamp", "recmeter stamp --config c.yaml --output events.stamped shown.csv clicks.csv"},
    CommandExample{"merge", "recmeter merge part0.partial part1.partial --output rows.jsonl"},
    CommandExample{"demo", "recmeter demo --seconds 60"},
    CommandExample{"generate", "recmeter generate --lists 1000 --seed 1 --output log.jsonl"},
    CommandExample{"manual", "recmeter manual replay | man -l -"},
    CommandExample{"version", "recmeter version"},
};

}  // namespace

std::string_view example_of(std::string_view command) {
  const auto found = std::ranges::find(examples, command, &CommandExample::command);
  return found == examples.end() ? std::string_view() : found->lines;
}

}  // namespace recmeter
