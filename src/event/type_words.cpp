#include "event/type_words.h"

namespace recmeter {
namespace {

using Meanings = std::vector<std::pair<std::string, int>>;

Meanings meanings_of(const FieldTable& fields, const std::vector<std::string>& actions, bool has_candidates,
                     bool has_policies) {
  Meanings ours{{"impression", TypeWords::impression}};
  if (has_candidates) ours.emplace_back("candidate", TypeWords::candidate);
  if (has_policies) ours.emplace_back("policy", TypeWords::policy);
  for (std::size_t i = 0; i < actions.size(); ++i) ours.emplace_back(actions[i], static_cast<int>(i));
  Meanings theirs;
  for (const auto& [word, meant] : fields.types) {
    for (const auto& [own, meaning] : ours) {
      if (own == meant) theirs.emplace_back(word, meaning);
    }
  }
  for (const auto& [own, meaning] : ours) {
    if (!fields.types.contains(own)) theirs.emplace_back(own, meaning);
  }
  return theirs;
}

std::vector<std::string> words_of(const Meanings& meanings) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : meanings) words.push_back(word);
  return words;
}

}  // namespace

TypeWords::TypeWords(const FieldTable& fields, const std::vector<std::string>& actions, bool has_candidates,
                     bool has_policies)
    : TypeWords(meanings_of(fields, actions, has_candidates, has_policies)) {}

TypeWords::TypeWords(const Meanings& meanings) : words_(words_of(meanings)) {
  for (const auto& [word, meaning] : meanings) meanings_.push_back(meaning);
}

}  // namespace recmeter
