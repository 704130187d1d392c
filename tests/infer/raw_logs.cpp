#include "infer/raw_logs.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <utility>

#include "support/avro_bytes.h"

namespace recmeter::test {
namespace {

std::string utc(std::int64_t ms, std::string_view format) {
  return fmt::format(fmt::runtime(format), fmt::gmtime(static_cast<std::time_t>(ms / 1000)));
}
std::string iso(std::int64_t ms) {
  return utc(ms, "{:%Y-%m-%dT%H:%M:%S.000Z}");
}
std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts, between));
}
std::string json_list(const std::vector<std::string>& texts) {
  return "[\"" + joined(texts, "\",\"") + "\"]";
}
// A name that an item has everywhere.
std::string price_of(const std::string& item) {
  return fmt::format("{}.90", 3 * (item.back() - '0') + 5);
}

struct Line {
  std::int64_t ts = 0;
  std::string text;
};
using Lines = std::vector<Line>;

std::string in_order(Lines lines) {
  std::ranges::stable_sort(lines, {}, &Line::ts);
  std::string text;
  for (const Line& line : lines) text += line.text;
  return text;
}

using Shown = std::function<std::string(const ArmList&)>;
using Done = std::function<std::string(const ArmList&, const ArmList::Act&, const std::string& item)>;

void add_shown(Lines& lines, const std::vector<ArmList>& lists, const Shown& shown) {
  for (const ArmList& list : lists) lines.push_back({list.ts, shown(list) + "\n"});
}
void add_done(Lines& lines, const std::vector<ArmList>& lists, const Done& done) {
  for (const ArmList& list : lists) {
    for (const ArmList::Act& act : list.acts) lines.push_back({act.ts, done(list, act, list.items[act.rank]) + "\n"});
  }
}
std::string shown_log(const std::vector<ArmList>& lists, const Shown& shown) {
  Lines lines;
  add_shown(lines, lists, shown);
  return in_order(std::move(lines));
}
std::string done_log(const std::vector<ArmList>& lists, const Done& done) {
  Lines lines;
  add_done(lines, lists, done);
  return in_order(std::move(lines));
}
std::string one_log(const std::vector<ArmList>& lists, const Shown& shown, const Done& done) {
  Lines lines;
  add_shown(lines, lists, shown);
  add_done(lines, lists, done);
  return in_order(std::move(lines));
}

// GA4's export to BigQuery as JSON lines: numbers are texts, parameters are a list of keys with values of four types, and a
// list id names a place of the site.
std::string ga4(const std::vector<ArmList>& lists, bool by_property) {
  const auto event = [by_property](const ArmList& list, std::int64_t ts, std::string_view name, const std::string& items,
                                   const std::string& more) {
    const std::string arm =
        fmt::format(R"({{"key":"reco_variant","value":{{"string_value":"{}"}}}})", list.arm == "A" ? "control" : "new_model");
    return fmt::format(
        R"({{"event_date":"{}","event_timestamp":"{}","event_name":"{}","event_params":[{{"key":"ga_session_id","value":{{"int_value":"{}"}}}},)"
        R"({{"key":"page_location","value":{{"string_value":"https://shop.example/p/{}"}}}}{}],"user_pseudo_id":"{}.1700000000",)"
        R"("user_properties":[{}],"device":{{"category":"{}","operating_system":"Android"}},"geo":{{"country":"Germany"}},"platform":"WEB"{},"items":[{}]}})",
        utc(ts, "{:%Y%m%d}"), ts * 1000 + 17, name, list.ts / 1'800'000, list.id, by_property ? "" : "," + arm, list.user,
        by_property ? arm : "", list.user.ends_with('7') ? "mobile" : "desktop", more, items);
  };
  const auto item = [](const std::string& id, std::size_t place) {
    return fmt::format(
        R"({{"item_id":"{}","item_name":"Item {}","price":"{}","item_list_id":"home_recs","item_list_name":"For you","item_list_index":"{}"}})",
        id, id, price_of(id), place);
  };
  Lines lines;
  add_shown(lines, lists, [&](const ArmList& list) {
    std::string items;
    for (std::size_t i = 0; i < list.items.size(); ++i) items += (i == 0 ? "" : ",") + item(list.items[i], i + 1);
    return event(list, list.ts, "view_item_list", items, "");
  });
  add_shown(lines, lists, [&](const ArmList& list) { return event(list, list.ts, "page_view", "", ""); });
  add_done(lines, lists, [&](const ArmList& list, const ArmList::Act& act, const std::string& id) {
    if (!act.is_purchase) return event(list, act.ts, "select_item", item(id, act.rank + 1), "");
    const std::string order = fmt::format(R"(,"ecommerce":{{"transaction_id":"T{}-{}"}})", list.id, act.rank);
    return event(list, act.ts, "purchase", fmt::format(R"({{"item_id":"{}","price":"{}","quantity":"1"}})", id, price_of(id)),
                 order);
  });
  return in_order(std::move(lines));
}

// Track calls of Segment.
std::string segment(const std::vector<ArmList>& lists) {
  const auto track = [](const ArmList& list, std::int64_t ts, std::string_view event, const std::string& id,
                        const std::string& properties) {
    return fmt::format(
        R"({{"type":"track","event":"{}","messageId":"ajs-{}","anonymousId":"{}","userId":null,"originalTimestamp":"{}","timestamp":"{}",)"
        R"("context":{{"library":{{"name":"analytics.js","version":"2.1.0"}},"page":{{"path":"/home"}}}},"properties":{{{}}}}})",
        event, id, list.user, iso(ts), iso(ts), properties);
  };
  return one_log(
      lists,
      [&](const ArmList& list) {
        std::string products;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
          products += fmt::format(R"({}{{"product_id":"{}","position":{},"price":{}}})", i == 0 ? "" : ",", list.items[i],
                                  i + 1, price_of(list.items[i]));
        }
        return track(list, list.ts, "Product List Viewed", list.id,
                     fmt::format(R"("list_id":"{}","category":"home","experiment_variant":"{}","products":[{}])", list.id,
                                 list.arm, products));
      },
      [&](const ArmList& list, const ArmList::Act& act, const std::string& id) {
        const std::string message = fmt::format("{}-{}-{}", list.id, act.rank, act.is_purchase ? "o" : "c");
        if (!act.is_purchase) {
          return track(list, act.ts, "Product Clicked", message,
                       fmt::format(R"("list_id":"{}","product_id":"{}","position":{})", list.id, id, act.rank + 1));
        }
        return track(list, act.ts, "Order Completed", message,
                     fmt::format(R"("order_id":"O{}","total":{},"products":[{{"product_id":"{}","price":{},"quantity":1}}])",
                                 message, price_of(id), id, price_of(id)));
      });
}

// OpenSearch UBI: an index of queries, and one of events.
std::vector<std::string> ubi(const std::vector<ArmList>& lists) {
  return {
      shown_log(
          lists,
          [](const ArmList& list) {
            return fmt::format(
                R"({{"application":"shop","query_id":"{}","client_id":"{}","timestamp":"{}","user_query":"lamp","query_response_id":"x{}",)"
                R"("query_response_hit_ids":{},"query_attributes":{{"experiment":"ltr-2","variant":"{}"}}}})",
                list.id, list.user, iso(list.ts), list.id, json_list(list.items), list.arm);
          }),
      done_log(lists, [](const ArmList& list, const ArmList::Act& act, const std::string& item) {
        return fmt::format(
            R"({{"application":"shop","action_name":"{}","query_id":"{}","client_id":"{}","session_id":"s{}","timestamp":"{}","message_type":"INFO",)"
            R"("event_attributes":{{"object":{{"object_id":"{}","object_id_field":"sku"}},"position":{{"ordinal":{}}}}}}})",
            act.is_purchase ? "purchase" : "click", list.id, list.user, list.user, iso(act.ts), item, act.rank + 1);
      })};
}

bool is_clicked(const ArmList& list, std::size_t rank) {
  return std::ranges::any_of(list.acts, [rank](const ArmList::Act& act) { return act.rank == rank && !act.is_purchase; });
}

// MIND's behaviors.tsv with a column of one's own behind it.
std::string mind(const std::vector<ArmList>& lists) {
  return shown_log(lists, [](const ArmList& list) {
    std::string items;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      items += fmt::format("{}N{}-{}", i == 0 ? "" : " ", list.items[i].substr(4), is_clicked(list, i) ? 1 : 0);
    }
    return fmt::format("{}\tU{}\t{}\tN55 N7\t{}\t{}", list.id.substr(2), list.user.substr(1),
                       utc(list.ts, "{:%m/%d/%Y %I:%M:%S %p}"), items, list.arm);
  });
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '"' ? "\\\"" : std::string(1, c);
  return out;
}

// Two topics: `kcat -C -e -J`, or the payloads alone.
std::vector<std::string> topics(const std::vector<ArmList>& lists, bool in_envelopes) {
  std::map<std::string, std::size_t> offsets;
  const auto message = [&](const std::string& topic, std::int64_t ts, const std::string& key, const std::string& payload) {
    if (!in_envelopes) return payload;
    return fmt::format(
        R"({{"topic":"{}","partition":0,"offset":{},"tstype":"create","ts":{},"broker":1,"key":"{}","payload":"{}"}})", topic,
        offsets[topic]++, ts + 40, key, escaped(payload));
  };
  return {shown_log(lists,
                    [&](const ArmList& list) {
                      return message(
                          "reco.impressions", list.ts, list.user,
                          fmt::format(
                              R"({{"event_time":{},"user_id":"{}","request_id":"{}","model_version":"{}","item_ids":{}}})",
                              list.ts, list.user, list.id, list.arm == "A" ? "v41" : "v42", json_list(list.items)));
                    }),
          done_log(lists, [&](const ArmList& list, const ArmList::Act& act, const std::string& item) {
            return message("reco.actions", act.ts, list.user,
                           fmt::format(R"({{"event_time":{},"user_id":"{}","request_id":"{}","item_id":"{}","action":"{}"}})",
                                       act.ts, list.user, list.id, item, act.is_purchase ? "purchase" : "click"));
          })};
}

// DataFrame.to_csv(): the index in front, and lists as Python prints them.
std::vector<std::string> pandas(const std::vector<ArmList>& lists) {
  int shown_rows = 0, done_rows = 0;
  const auto time = [](std::int64_t ms) { return utc(ms, "{:%Y-%m-%d %H:%M:%S}+00:00"); };
  return {",shown_at,user_id,request_id,items,ab_group\n" +
              shown_log(lists,
                        [&](const ArmList& list) {
                          return fmt::format(R"({},{},{},{},"['{}']",{})", shown_rows++, time(list.ts), list.user, list.id,
                                             joined(list.items, "', '"), list.arm);
                        }),
          ",ts,user_id,item,event\n" +
              done_log(lists, [&](const ArmList& list, const ArmList::Act& act, const std::string& item) {
                return fmt::format("{},{},{},{},{}", done_rows++, time(act.ts), list.user, item,
                                   act.is_purchase ? "purchase" : "click");
              })};
}

// Parquet that Python wrote, as the command that the refusal names makes JSON lines of it: times have no offset.
std::vector<std::string> parquet(const std::vector<ArmList>& lists) {
  const auto time = [](std::int64_t ms) { return utc(ms, "{:%Y-%m-%d %H:%M:%S}"); };
  return {
      shown_log(
          lists,
          [&](const ArmList& list) {
            return fmt::format(
                R"({{"shown_at":"{}","user_id":"{}","request_id":"{}","items":{},"scores":[5.0,4.0,3.0,2.0,1.0],"variant":"{}"}})",
                time(list.ts), list.user, list.id, json_list(list.items), list.arm);
          }),
      done_log(lists, [&](const ArmList& list, const ArmList::Act& act, const std::string& item) {
        return fmt::format(R"({{"at":"{}","user_id":"{}","request_id":"{}","item_id":"{}","action":"{}"}})", time(act.ts),
                           list.user, list.id, item, act.is_purchase ? "purchase" : "click");
      })};
}

// Object container files of two record types.
std::vector<std::string> avro(const std::vector<ArmList>& lists) {
  AvroFile shown, done;
  shown.schema = R"({"type":"record","name":"ListShown","namespace":"shop","fields":[
    {"name":"shown_at","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"user_id","type":"string"},
    {"name":"request_id","type":"string"},{"name":"variant","type":{"type":"enum","name":"Variant","symbols":["A","B"]}},
    {"name":"items","type":{"type":"array","items":"string"}}]})";
  done.schema = R"({"type":"record","name":"ItemAction","namespace":"shop","fields":[
    {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"user_id","type":"string"},
    {"name":"request_id","type":["null","string"]},{"name":"item_id","type":"string"},
    {"name":"action","type":{"type":"enum","name":"Action","symbols":["CLICK","PURCHASE"]}}]})";
  std::vector<std::string> lists_written, actions_written;
  std::vector<std::pair<std::int64_t, std::string>> actions;
  for (const ArmList& list : lists) {
    AvroBytes bytes;
    bytes.integer(list.ts).text(list.user).text(list.id).integer(list.arm == "A" ? 0 : 1);
    bytes.integer(static_cast<std::int64_t>(list.items.size()));
    for (const std::string& item : list.items) bytes.text(item);
    lists_written.push_back(bytes.integer(0).bytes());
    for (const ArmList::Act& act : list.acts) {
      AvroBytes action;
      action.integer(act.ts).text(list.user).integer(1).text(list.id).text(list.items[act.rank]);
      actions.emplace_back(act.ts, action.integer(act.is_purchase ? 1 : 0).bytes());
    }
  }
  std::ranges::stable_sort(actions, {}, &std::pair<std::int64_t, std::string>::first);
  for (const auto& [ts, bytes] : actions) actions_written.push_back(bytes);
  return {shown.of(lists_written, 100), done.of(actions_written, 100)};
}

}  // namespace

std::vector<std::string> raw_log_names() {
  return {"ga4", "ga4_user_properties", "segment", "ubi", "mind", "kcat_envelopes", "kcat_payloads", "pandas", "parquet",
          "avro"};
}

RawLog raw_log(const std::string& name, const std::vector<ArmList>& lists) {
  if (name == "ga4") return {{ga4(lists, false)}, "reco_variant"};
  if (name == "ga4_user_properties") return {{ga4(lists, true)}, "reco_variant"};
  if (name == "segment") return {{segment(lists)}, "experiment_variant"};
  if (name == "ubi") return {ubi(lists), "variant"};
  if (name == "mind") return {{mind(lists)}, "$6", false};
  if (name == "kcat_envelopes") return {topics(lists, true), "model_version"};
  if (name == "kcat_payloads") return {topics(lists, false), "model_version"};
  if (name == "pandas") return {pandas(lists), "ab_group"};
  if (name == "parquet") return {parquet(lists), "variant"};
  return {avro(lists), "variant"};
}

}  // namespace recmeter::test
