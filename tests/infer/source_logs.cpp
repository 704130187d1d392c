#include "infer/source_logs.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

namespace recmeter::test {
namespace {

std::string utc(std::int64_t ms, std::string_view format) {
  return fmt::format(fmt::runtime(format), fmt::gmtime(static_cast<std::time_t>(ms / 1000)));
}
std::string iso(std::int64_t ms) {
  return utc(ms, "{:%Y-%m-%dT%H:%M:%S}") + fmt::format(".{:03}Z", ms % 1000);
}

struct TimedLine {
  std::int64_t ts = 0;
  std::string text;
};

std::string in_order(std::vector<TimedLine> lines) {
  std::ranges::stable_sort(lines, {}, &TimedLine::ts);
  std::string text;
  for (const TimedLine& line : lines) text += line.text + "\n";
  return text;
}

std::string joined(const ShownList& list, std::string_view between) {
  return fmt::format("{}", fmt::join(list.items, between));
}
std::string quoted_items(const ShownList& list) {
  return "[\"" + joined(list, "\",\"") + "\"]";
}

// `shown` and `clicked` write a record each.
std::string events(const std::vector<ShownList>& lists, auto shown, auto clicked) {
  std::vector<TimedLine> lines;
  for (const ShownList& list : lists) {
    lines.push_back({list.ts, shown(list)});
    for (const auto& click : list.clicks) lines.push_back({click.ts, clicked(list, click, list.items[click.rank])});
  }
  return in_order(std::move(lines));
}

std::string ubi(const std::vector<ShownList>& lists, const std::string& before, const std::string& after) {
  return events(
      lists,
      [&](const ShownList& list) {
        return before +
               fmt::format(
                   R"({{"query_id":"{}","client_id":"{}","timestamp":"{}","query_response_hit_ids":{},"user_query":"tv"}})",
                   list.id, list.user, iso(list.ts), quoted_items(list)) +
               after;
      },
      [&](const ShownList& list, const ShownList::Click& click, const std::string& item) {
        return before +
               fmt::format(R"({{"action_name":"click","query_id":"{}","client_id":"{}","timestamp":"{}",)"
                           R"("event_attributes":{{"object":{{"object_id":"{}"}},"position":{{"ordinal":{}}}}}}})",
                           list.id, list.user, iso(click.ts), item, click.rank + 1) +
               after;
      });
}

std::string ga4(const std::vector<ShownList>& lists) {
  // Its ids name the place of a list: many lists have one.
  const auto kind_of = [](const ShownList& list) { return fmt::format("home {}", list.id.back()); };
  const auto record = [](std::string_view name, std::int64_t ts, const std::string& user, const std::string& items) {
    return fmt::format(
        R"({{"event_name":"{}","event_timestamp":"{}","user_pseudo_id":"{}","device":{{"category":"mobile"}},"items":[{}]}})",
        name, ts * 1000, user, items);
  };
  return events(
      lists,
      [&](const ShownList& list) {
        std::string items;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
          items += fmt::format(R"({}{{"item_id":"{}","item_list_id":"{}","item_list_name":"Home","item_list_index":"{}"}})",
                               i == 0 ? "" : ",", list.items[i], kind_of(list), i + 1);
        }
        return record("view_item_list", list.ts, list.user, items);
      },
      [&](const ShownList& list, const ShownList::Click& click, const std::string& item) {
        return record("select_item", click.ts, list.user,
                      fmt::format(R"({{"item_id":"{}","item_list_id":"{}"}})", item, kind_of(list)));
      });
}

// `library`: a member of each record, with a comma behind it.
std::string segment(const std::vector<ShownList>& lists, const std::string& library) {
  return events(
      lists,
      [&](const ShownList& list) {
        std::string products;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
          products += fmt::format(R"({}{{"product_id":"{}","position":{}}})", i == 0 ? "" : ",", list.items[i], i + 1);
        }
        return fmt::format(
            R"({{{}"event":"Product List Viewed","type":"track","userId":"{}","messageId":"v{}","originalTimestamp":"{}",)"
            R"("properties":{{"list_id":"{}","products":[{}]}}}})",
            library, list.user, list.id, iso(list.ts), list.id, products);
      },
      [&](const ShownList& list, const ShownList::Click& click, const std::string& item) {
        return fmt::format(
            R"({{{}"event":"Product Clicked","type":"track","userId":"{}","messageId":"c{}-{}","originalTimestamp":"{}",)"
            R"("properties":{{"list_id":"{}","product_id":"{}"}}}})",
            library, list.user, list.id, click.rank, iso(click.ts), list.id, item);
      });
}

std::string snowplow_row(std::int64_t ts, const std::string& user, const std::string& contexts, std::string_view type) {
  constexpr int columns = 131, domain_userid = 16, contexts_column = 53, event_column = 59, derived_tstamp = 125;
  std::string row;
  for (int column = 1; column <= columns; ++column) {
    if (column > 1) row += '\t';
    if (column == domain_userid) row += user;
    if (column == contexts_column) row += R"({"schema":"iglu:x","data":[)" + contexts + "]}";
    if (column == event_column) {
      row += fmt::format(R"({{"schema":"iglu:x","data":{{"schema":"iglu:y","data":{{"type":"{}","name":"recs"}}}}}})", type);
    }
    if (column == derived_tstamp) row += utc(ts, "{:%Y-%m-%d %H:%M:%S}") + fmt::format(".{:03}", ts % 1000);
  }
  return row;
}

std::string snowplow(const std::vector<ShownList>& lists) {
  const auto page = [](const ShownList& list) {
    return fmt::format(R"({{"schema":"iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0","data":{{"id":"{}"}}}})",
                       list.id);
  };
  const auto product = [](const std::string& item, std::size_t position) {
    return fmt::format(
        R"(,{{"schema":"iglu:com.snowplowanalytics.snowplow.ecommerce/product/jsonschema/1-0-0","data":{{"id":"{}","position":{}}}}})",
        item, position);
  };
  return events(
      lists,
      [&](const ShownList& list) {
        std::string contexts = page(list);
        for (std::size_t i = 0; i < list.items.size(); ++i) contexts += product(list.items[i], i + 1);
        return snowplow_row(list.ts, list.user, contexts, "list_view");
      },
      [&](const ShownList& list, const ShownList::Click& click, const std::string& item) {
        return snowplow_row(click.ts, list.user, page(list) + product(item, click.rank + 1), "list_click");
      });
}

// A record of a click with its list; what else happens has none.
std::string clicks_with_lists(const std::vector<ShownList>& lists, auto clicked, auto other) {
  std::vector<TimedLine> lines;
  for (const ShownList& list : lists) {
    lines.push_back({list.ts, other(list)});
    for (const auto& click : list.clicks) lines.push_back({click.ts, clicked(list, click, list.items[click.rank])});
  }
  return in_order(std::move(lines));
}

std::string trivago(const std::vector<ShownList>& lists) {
  return "user_id,session_id,timestamp,step,action_type,reference,platform,city,device,current_filters,impressions,prices\n" +
         clicks_with_lists(
             lists,
             [](const ShownList& list, const ShownList::Click& click, const std::string& item) {
               return fmt::format(R"({},{},{},2,clickout item,{},AU,"Sydney, Australia",mobile,,{},)", list.user,
                                  list.session, click.ts / 1000, item, joined(list, "|"));
             },
             [](const ShownList& list) {
               return fmt::format(R"({},{},{},1,search for poi,Museum,AU,"Sydney, Australia",mobile,,,)", list.user,
                                  list.session, list.ts / 1000);
             });
}

std::string personalize(const std::vector<ShownList>& lists) {
  return "USER_ID,ITEM_ID,TIMESTAMP,EVENT_TYPE,IMPRESSION,RECOMMENDATION_ID\n" +
         clicks_with_lists(
             lists,
             [](const ShownList& list, const ShownList::Click& click, const std::string& item) {
               return fmt::format("{},{},{},click,{},{}", list.user, item, click.ts / 1000, joined(list, "|"), list.id);
             },
             [](const ShownList& list) { return fmt::format("{},{},{},watch,,", list.user, list.items[0], list.ts / 1000); });
}

bool is_clicked(const ShownList& list, std::size_t rank) {
  return std::ranges::find(list.clicks, rank, &ShownList::Click::rank) != list.clicks.end();
}

// MIND's behaviors.tsv, or its columns in another order.
std::string mind(const std::vector<ShownList>& lists, bool renamed) {
  std::string text;
  for (const ShownList& list : lists) {
    std::string items;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      items += fmt::format("{}{}-{}", i == 0 ? "" : " ", list.items[i], is_clicked(list, i) ? 1 : 0);
    }
    const std::string time = utc(list.ts, "{:%m/%d/%Y %I:%M:%S %p}");
    text += renamed ? fmt::format("{}\t{}\t{}\tN1 N2\t{}\n", time, items, list.user, list.id)
                    : fmt::format("{}\t{}\t{}\tN1 N2\t{}\n", list.id, list.user, time, items);
  }
  return text;
}

std::string rows(const std::vector<ShownList>& lists, const std::string& header, auto row) {
  std::string text = header + "\n";
  for (const ShownList& list : lists) {
    for (std::size_t i = 0; i < list.items.size(); ++i) text += row(list, i) + "\n";
  }
  return text;
}

std::string open_bandit(const std::vector<ShownList>& lists) {
  std::size_t number = 0;  // Open Bandit's lists are slots: a row each
  return rows(lists, ",timestamp,item_id,position,click,propensity_score", [&](const ShownList& list, std::size_t i) {
    return fmt::format("{},{}.{:06}+00:00,{},{},{},0.25", number++, utc(list.ts, "{:%Y-%m-%d %H:%M:%S}"), i, list.items[i],
                       i % 3 + 1, is_clicked(list, i) ? 1 : 0);
  });
}

std::string movielens(const std::vector<ShownList>& lists) {
  std::string text;
  for (const ShownList& list : lists) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      text += fmt::format("{}\t{}\t{}\t{}\n", list.user.substr(1), list.items[i].substr(1), i % 5 + 1,
                          list.ts / 1000 + static_cast<std::int64_t>(i));
    }
  }
  return text;
}

// A row for each item.
SourceLog row_log(const std::string& form, bool renamed, const std::vector<ShownList>& lists) {
  if (form == "rows_and_clicks") {  // a card a row, 3 s after the one before, and clicks without a rank
    std::vector<TimedLine> lines;
    for (const ShownList& list : lists) {
      for (std::size_t i = 0; i < list.items.size(); ++i) {
        const std::int64_t at = list.ts + static_cast<std::int64_t>(3000 * i);
        lines.push_back({at, fmt::format("{},shown,{},{},{},{}", iso(at), list.user, list.id, list.items[i], i + 1)});
      }
      for (const auto& click : list.clicks) {
        const std::int64_t at = click.ts + 15'000;
        lines.push_back({at, fmt::format("{},click,{},{},{},", iso(at), list.user, list.id, list.items[click.rank])});
      }
    }
    return {{(renamed ? "a,b,c,d,e,f\n" : "time,event,visitor,request_id,sku,slot\n") + in_order(std::move(lines))}};
  }
  if (form == "rows_with_click_times") {
    return {{rows(lists, renamed ? "a,b,c,d,e,f" : "shown_at,request_id,user_id,item_id,position,clicked_at",
                  [](const ShownList& list, std::size_t i) {
                    const auto click = std::ranges::find(list.clicks, i, &ShownList::Click::rank);
                    return fmt::format("{},{},{},{},{},{}", list.ts, list.id, list.user, list.items[i], i + 1,
                                       click == list.clicks.end() ? "" : std::to_string(click->ts));
                  })}};
  }
  if (form == "rows_of_a_moment") {  // who saw what when: no id of a list
    return {
        {rows(lists, renamed ? "a,b,c,d,e" : "timestamp,user,item,rank,clicked", [](const ShownList& list, std::size_t i) {
          return fmt::format("{},{},{},{},{}", iso(list.ts), list.user, list.items[i], i + 1, is_clicked(list, i) ? 1 : 0);
        })}};
  }
  return {{rows(lists, renamed ? "r1,r2,r3,r4,r5,r6" : "timestamp,request,user,item,rank,clicked",
                [](const ShownList& list, std::size_t i) {
                  return fmt::format("{},{},{},{},{},{}", iso(list.ts), list.id, list.user, list.items[i], i + 1,
                                     is_clicked(list, i) ? 1 : 0);
                })}};
}

}  // namespace

std::vector<ShownList> make_lists(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  const auto up_to = [&random](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  std::vector<ShownList> lists;
  std::int64_t ts = 1'700'000'000'000;
  for (std::size_t n = 0; n < count; ++n) {
    ts += static_cast<std::int64_t>(1 + up_to(40)) * 1000;
    ShownList list{.ts = ts,
                   .id = fmt::format("L{:06}", n),
                   .user = fmt::format("u{:04}", up_to(count / 8)),
                   .session = {},
                   .items = {},
                   .clicks = {}};
    list.session = fmt::format("s{}{}", list.user, ts / 1'200'000);
    while (list.items.size() < 6) {
      const std::string item = fmt::format("N{:04}", up_to(300));
      if (std::ranges::find(list.items, item) == list.items.end()) list.items.push_back(item);
    }
    for (std::size_t rank = 0; rank < list.items.size(); ++rank) {
      if (up_to(3 * rank + 3) == 0) list.clicks.push_back({rank, ts + static_cast<std::int64_t>(1 + up_to(200)) * 1000});
    }
    std::ranges::stable_sort(list.clicks, {}, &ShownList::Click::ts);
    lists.push_back(std::move(list));
  }
  return lists;
}

std::vector<std::string> source_names() {
  return {"ubi",         "ubi-elasticdump", "ga4",  "segment",     "rudderstack", "snowplow",
          "personalize", "trivago",         "mind", "open-bandit", "movielens"};
}

SourceLog log_of(const std::string& source, const std::vector<ShownList>& lists) {
  if (source == "ubi") return {{ubi(lists, "{\"index\":{\"_index\":\"ubi\"}}\n", "")}};
  if (source == "ubi-elasticdump") return {{ubi(lists, R"({"_index":"ubi","_id":"1","_source":)", "}")}};
  if (source == "ga4") return {{ga4(lists)}};
  if (source == "segment") return {{segment(lists, R"("context":{"library":{"name":"analytics.js"}},)")}};
  if (source == "rudderstack") return {{segment(lists, R"("context":{"library":{"name":"RudderLabs JavaScript SDK"}},)")}};
  if (source == "snowplow") return {{snowplow(lists)}};
  if (source == "personalize") return {{personalize(lists)}, false};
  if (source == "trivago") return {{trivago(lists)}, false};
  if (source == "mind") return {{mind(lists, false)}};
  return {{source == "open-bandit" ? open_bandit(lists) : movielens(lists)}};
}

std::vector<std::string> own_names() {
  return {"tagged",           "objects", "two_files", "beside", "rows", "flags", "rows_and_clicks", "rows_with_click_times",
          "rows_of_a_moment", "done"};
}

SourceLog own_log(const std::string& form, bool renamed, const std::vector<ShownList>& lists) {
  const auto name = [renamed](std::string_view usual, std::string_view plain) {
    return std::string(renamed ? plain : usual);
  };
  const std::string ts = name("ts", "c1"), type = name("event", "c2"), id = name("request_id", "c3"),
                    user = name("user_id", "c4");
  const std::string items = name("results", "c5"), item = name("product_id", "c6");
  const auto record = [&](std::int64_t at, std::string_view kind, const ShownList& list, bool has_id,
                          const std::string& rest) {
    return fmt::format(R"({{"{}":{},"{}":"{}",{}"{}":"{}",{}}})", ts, at, type, kind,
                       has_id ? fmt::format(R"("{}":"{}",)", id, list.id) : "", user, list.user, rest);
  };
  if (form == "tagged" || form == "objects") {
    const bool has_objects = form == "objects";
    return {{events(
        lists,
        [&](const ShownList& list) {
          std::string shown;
          for (std::size_t i = 0; i < list.items.size(); ++i) {
            shown += fmt::format(R"({}{{"{}":"{}","{}":{}}})", i == 0 ? "" : ",", name("sku", "x1"), list.items[i],
                                 name("price", "x2"), 2.5 * static_cast<double>(i));
          }
          return record(list.ts, "list_shown", list, true,
                        fmt::format(R"("{}":{})", items, has_objects ? "[" + shown + "]" : quoted_items(list)));
        },
        [&](const ShownList& list, const ShownList::Click& click, const std::string& clicked) {
          return record(click.ts, "item_clicked", list, !has_objects, fmt::format(R"("{}":"{}")", item, clicked));
        })}};
  }
  if (form == "two_files") {
    std::string shown = fmt::format("{},{},{},{}\n", ts, id, user, items);
    std::vector<TimedLine> clicks;
    for (const ShownList& list : lists) {
      shown += fmt::format("{},{},{},{}\n", iso(list.ts), list.id, list.user, joined(list, "|"));
      for (const auto& click : list.clicks)
        clicks.push_back({click.ts, fmt::format("{},{},{}", iso(click.ts), list.id, list.items[click.rank])});
    }
    const std::string header = renamed ? "a1,a2,a3\n" : fmt::format("{},{},{}\n", ts, id, item);
    return {{shown, header + in_order(std::move(clicks))}};
  }
  if (form == "beside") {
    const std::string header =
        renamed ? "k1,k2,k3,k4,k5,k6" : "user_id,session_id,timestamp,action_type,reference,impressions";
    return {{header + "\n" +
             clicks_with_lists(
                 lists,
                 [](const ShownList& list, const ShownList::Click& click, const std::string& clicked) {
                   return fmt::format("{},{},{},clicked out,{},{}", list.user, list.session, click.ts / 1000, clicked,
                                      joined(list, "|"));
                 },
                 [](const ShownList& list) {
                   return fmt::format("{},{},{},sorting,price,", list.user, list.session, list.ts / 1000);
                 })},
            false};
  }
  if (form == "flags") return {{mind(lists, true)}};
  if (form == "done") {  // a list of what was shown, and one of what was clicked
    std::string text;
    for (const ShownList& list : lists) {
      std::string clicked;
      for (const auto& click : list.clicks) {
        clicked += fmt::format(R"({}"{}")", clicked.empty() ? "" : ",", list.items[click.rank]);
      }
      text += fmt::format(R"({{"{}":{},"{}":"{}","{}":"{}","{}":{},"{}":[{}]}})"
                          "\n",
                          ts, list.ts, id, list.id, user, list.user, name("inview", "c5"), quoted_items(list),
                          name("clicked", "c6"), clicked);
    }
    return {{text}};
  }
  return row_log(form, renamed, lists);
}

}  // namespace recmeter::test
