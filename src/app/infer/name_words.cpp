#include "app/infer/name_words.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace recmeter {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 12> time_words{"ts",       "timestamp", "time",       "eventtime", "eventtimestamp",
                                                      "datetime", "occurred",  "occurredat", "createdat", "clienttime",
                                                      "date",     "timems"};
constexpr std::array<std::string_view, 12> list_words{"listid",   "requestid",        "queryid",  "impressionid",
                                                      "searchid", "recommendationid", "recid",    "serveid",
                                                      "slateid",  "request",          "listuuid", "rankingid"};
constexpr std::array<std::string_view, 18> user_words{
    "userid",   "user",     "uid",      "clientid", "visitorid", "customerid", "memberid",  "anonymousid", "accountid",
    "deviceid", "personid", "viewerid", "visitor",  "customer",  "viewer",     "profileid", "kunde",       "nutzer"};
constexpr std::array<std::string_view, 13> items_words{"items",    "itemids",         "impressions", "results", "hits",
                                                       "products", "recommendations", "docs",        "shown",   "list",
                                                       "slate",    "itemlist",        "candidates"};
constexpr std::array<std::string_view, 16> item_words{
    "itemid", "item",      "productid", "sku",     "docid",   "objectid", "articleid",  "movieid",
    "asin",   "reference", "contentid", "videoid", "trackid", "newsid",   "productsku", "id"};
constexpr std::array<std::string_view, 8> position_words{"position", "rank",    "pos",   "slot",
                                                         "index",    "ordinal", "place", "itemlistindex"};
constexpr std::array<std::string_view, 9> type_words{"type",       "eventtype",  "event",       "eventname", "action",
                                                     "actiontype", "actionname", "interaction", "kind"};
constexpr std::array<std::string_view, 6> flag_words{"click", "clicked", "isclick", "isclicked", "label", "wasclicked"};
constexpr std::array<std::string_view, 6> propensity_words{"propensity", "propensityscore", "pscore", "probability",
                                                           "prob",       "actionprob"};
constexpr std::array<std::string_view, 4> rating_words{"rating", "stars", "score", "value"};

Words words_of(Role role) {
  switch (role) {
    case Role::time: return time_words;
    case Role::list_id: return list_words;
    case Role::user_id: return user_words;
    case Role::items: return items_words;
    case Role::item_id: return item_words;
    case Role::position: return position_words;
    case Role::type: return type_words;
    case Role::click_flag: return flag_words;
    case Role::propensity: return propensity_words;
    case Role::rating: return rating_words;
  }
  return {};
}

bool is_letter(char c) {
  return is_small(c) || (c >= '0' && c <= '9');
}

// Lower case without anything between words.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const char lower = is_capital(c) ? static_cast<char>(c + ('a' - 'A')) : c;
    if (is_letter(lower)) out += lower;
  }
  return out;
}

}  // namespace

std::string_view to_string(Role role) {
  constexpr std::array<std::string_view, 10> names{"time",     "list_id", "user_id",    "items",      "item_id",
                                                   "position", "type",    "click flag", "propensity", "rating"};
  return names[static_cast<std::size_t>(role)];
}

double name_score(Role role, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::string name = plain(dot == std::string_view::npos ? path : path.substr(dot + 1));
  // What a server writes later stands for the event's time only where there is no better.
  if (role == Role::time) {
    constexpr std::array<std::string_view, 6> later{"server", "received", "ingest", "load", "processed", "collector"};
    if (std::ranges::any_of(later, [&](std::string_view word) { return name.find(word) != std::string::npos; })) return 0;
  }
  const Words words = words_of(role);
  if (std::ranges::find(words, name) != words.end()) return 1;
  const bool has = std::ranges::any_of(
      words, [&](std::string_view word) { return word.size() > 3 && name.find(word) != std::string::npos; });
  return has ? 0.5 : 0;
}

}  // namespace recmeter
