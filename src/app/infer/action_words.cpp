#include "app/infer/action_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "app/infer/name_words.h"

namespace recmeter {
namespace {

using Parts = std::vector<std::string>;

struct Meaning {
  std::string_view word;
  std::string_view action;  // "": as the whole text is called
  int gain;
  ActionWord::Sense sense = ActionWord::Sense::done;
};

// The first of which a text has the word counts: "add to cart click" is a cart, "remove from cart" is none.
constexpr auto rejected = ActionWord::Sense::rejected;
constexpr auto seen = ActionWord::Sense::seen;
// Words of other languages that people write in tables of theirs stand behind those of the same meaning.
constexpr std::array meanings{
    Meaning{"dislike", "", 0, rejected},
    Meaning{"unlike", "", 0, rejected},
    Meaning{"skip", "", 0, rejected},
    Meaning{"hide", "", 0, rejected},
    Meaning{"remove", "", 0, rejected},
    Meaning{"delete", "", 0, rejected},
    Meaning{"report", "", 0, rejected},
    Meaning{"return", "", 0, rejected},
    Meaning{"refund", "", 0, rejected},
    Meaning{"cancel", "", 0, rejected},
    Meaning{"dismiss", "", 0, rejected},
    Meaning{"downvote", "", 0, rejected},
    Meaning{"unfollow", "", 0, rejected},
    Meaning{"unsubscribe", "", 0, rejected},
    Meaning{"mute", "", 0, rejected},
    Meaning{"ignore", "", 0, rejected},
    Meaning{"negative", "", 0, rejected},
    Meaning{"close", "", 0, rejected},
    Meaning{"bounce", "", 0, rejected},
    Meaning{"cart", "cart", 2},
    Meaning{"basket", "cart", 2},
    Meaning{"bag", "cart", 2},
    Meaning{"warenkorb", "cart", 2},
    Meaning{"panier", "cart", 2},
    Meaning{"carrito", "cart", 2},
    Meaning{"carrello", "cart", 2},
    Meaning{"purchase", "purchase", 3},
    Meaning{"order", "purchase", 3},
    Meaning{"transaction", "purchase", 3},
    Meaning{"buy", "purchase", 3},
    Meaning{"bought", "purchase", 3},
    Meaning{"checkout", "purchase", 3},
    Meaning{"pay", "purchase", 3},
    Meaning{"paid", "purchase", 3},
    Meaning{"payment", "purchase", 3},
    Meaning{"sale", "purchase", 3},
    Meaning{"booking", "purchase", 3},
    Meaning{"conversion", "purchase", 3},
    Meaning{"gekauft", "purchase", 3},
    Meaning{"kauf", "purchase", 3},
    Meaning{"bestellt", "purchase", 3},
    Meaning{"bestellung", "purchase", 3},
    Meaning{"achat", "purchase", 3},
    Meaning{"achete", "purchase", 3},
    Meaning{"commande", "purchase", 3},
    Meaning{"compra", "purchase", 3},
    Meaning{"comprado", "purchase", 3},
    Meaning{"pedido", "purchase", 3},
    Meaning{"acquisto", "purchase", 3},
    Meaning{"acquistato", "purchase", 3},
    Meaning{"rating", "rating", 1},
    Meaning{"rate", "rating", 1},
    Meaning{"like", "like", 1},
    Meaning{"love", "like", 1},
    Meaning{"upvote", "like", 1},
    Meaning{"favorite", "like", 1},
    Meaning{"favourite", "like", 1},
    Meaning{"thumbs", "like", 1},
    Meaning{"save", "save", 1},
    Meaning{"bookmark", "save", 1},
    Meaning{"wishlist", "save", 1},
    Meaning{"share", "share", 1},
    Meaning{"follow", "follow", 1},
    Meaning{"subscribe", "subscribe", 1},
    Meaning{"download", "download", 1},
    Meaning{"install", "install", 1},
    Meaning{"apply", "apply", 1},
    Meaning{"click", "click", 1},
    Meaning{"clickout", "click", 1},
    Meaning{"select", "click", 1},
    Meaning{"tap", "click", 1},
    Meaning{"open", "click", 1},
    Meaning{"touch", "click", 1},
    Meaning{"klick", "click", 1},
    Meaning{"geklickt", "click", 1},
    Meaning{"angeklickt", "click", 1},
    Meaning{"geklikt", "click", 1},
    Meaning{"clic", "click", 1},
    Meaning{"clique", "click", 1},
    Meaning{"cliccato", "click", 1},
    Meaning{"play", "play", 1},
    Meaning{"watch", "play", 1},
    Meaning{"listen", "play", 1},
    Meaning{"stream", "play", 1},
    Meaning{"read", "read", 1},
    Meaning{"cite", "cite", 1},
    Meaning{"view", "view", 0, seen},
    Meaning{"impression", "view", 0, seen},
    Meaning{"exposure", "view", 0, seen},
    Meaning{"seen", "view", 0, seen},
    Meaning{"show", "view", 0, seen},
    Meaning{"shown", "view", 0, seen},
    Meaning{"display", "view", 0, seen},
    Meaning{"hover", "view", 0, seen},
    Meaning{"scroll", "view", 0, seen},
    Meaning{"visible", "view", 0, seen},
};

// They turn what they stand beside: not interested, thumbs down, show less.
constexpr std::array<std::string_view, 4> turning{"down", "less", "no", "not"};

// Parts that stand beside those and mean nothing by themselves; known, so that what is written together can be cut.
constexpr std::array<std::string_view, 70> fillers{
    "a",         "ad",      "add",     "added",   "article", "banner",     "button",    "by",     "card",   "carousel",
    "component", "content", "detail",  "details", "doc",     "document",   "element",   "event",  "for",    "from",
    "go",        "home",    "hotel",   "image",   "in",      "interested", "item",      "items",  "job",    "link",
    "list",      "me",      "more",    "movie",   "my",      "news",       "of",        "off",    "offer",  "on",
    "out",       "page",    "photo",   "post",    "product", "products",   "promotion", "query",  "rec",    "recommendation",
    "recs",      "result",  "results", "search",  "slot",    "song",       "story",     "submit", "the",    "thing",
    "thumb",     "tile",    "title",   "to",      "track",   "up",         "user",      "video",  "widget", "with"};

// The stem of purchases, purchased and purchasing is purchase; that of stopped is stop.
bool is_form_of(std::string_view word, std::string_view stem) {
  if (word == stem) return true;
  const std::string_view root = stem.ends_with('e') ? stem.substr(0, stem.size() - 1) : stem;
  if (!word.starts_with(root)) return false;
  std::string_view rest = word.substr(root.size());
  if (!root.empty() && rest.size() > 2 && rest.front() == root.back() && root.size() == stem.size()) rest.remove_prefix(1);
  constexpr std::array<std::string_view, 4> endings{"s", "es", "ed", "ing"};
  return std::ranges::find(endings, rest) != endings.end();
}

const Meaning* meaning_of(std::string_view word) {
  const auto found = std::ranges::find_if(meanings, [&](const Meaning& each) { return is_form_of(word, each.word); });
  return found == meanings.end() ? nullptr : &*found;
}

bool is_known(std::string_view word) {
  const auto is_one_of = [word](const auto& words) { return std::ranges::find(words, word) != words.end(); };
  return meaning_of(word) != nullptr || is_one_of(fillers) || is_one_of(turning);
}

// A word as those that are known and written together in it. Nothing: it has others.
std::optional<Parts> cut(std::string_view word) {
  constexpr std::size_t cut_bytes_max = 48;
  if (word.empty()) return Parts();
  if (word.size() > cut_bytes_max) return std::nullopt;
  for (std::size_t size = word.size(); size > 0; --size) {
    if (!is_known(word.substr(0, size))) continue;
    auto rest = cut(word.substr(size));
    if (!rest) continue;
    rest->insert(rest->begin(), std::string(word.substr(0, size)));
    return rest;
  }
  return std::nullopt;
}

// As a configuration may call it.
std::string action_name(std::string_view word) {
  std::string name;
  for (const char c : word) {
    const char lower = is_capital(c) ? static_cast<char>(c + ('a' - 'A')) : c;
    if (is_small(lower) || (lower >= '0' && lower <= '9'))
      name += lower;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty() || !is_small(name.front())) name.insert(0, "action_");
  return name;
}

}  // namespace

ActionWord action_word(std::string_view word) {
  const Meaning* best = nullptr;
  bool is_turned = false;
  for (const std::string& whole : words_in(word)) {
    for (const std::string& part : cut(whole).value_or(Parts{whole})) {
      const Meaning* const meaning = meaning_of(part);
      if (meaning != nullptr && (best == nullptr || meaning < best)) best = meaning;
      is_turned = is_turned || std::ranges::find(turning, part) != turning.end();
    }
  }
  if (is_turned) return {.action = action_name(word), .gain = 0, .sense = rejected};
  if (best == nullptr) return {.action = action_name(word), .gain = 1, .sense = ActionWord::Sense::unknown};
  return {.action = best->action.empty() ? action_name(word) : std::string(best->action),
          .gain = best->gain,
          .sense = best->sense};
}

}  // namespace recmeter
