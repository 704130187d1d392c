// recmeter_chance N: N lists made by chance and what recmeter makes of them, as one JSON object, for tests/conformance/tools.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "chance_lists.h"

namespace {

using Json = nlohmann::json;

Json json_of(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const recmeter::conformance::ChanceList& list) {
  Json items = Json::array(), grades = Json::array(), ratings = Json::array(), missed = Json::array();
  for (const auto& shown : list.shown) {
    items.push_back(shown.item);
    grades.push_back(shown.grade);
    ratings.push_back(shown.rating ? Json({shown.rating->first, shown.rating->second}) : Json(nullptr));
  }
  for (const auto& [item, grade] : list.missed) missed.push_back({item, grade});
  return {{"items", items}, {"grades", grades}, {"ratings", ratings}, {"missed", missed}};
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc == 2 ? std::strtoul(argv[1], nullptr, 10) : 0;
  if (count == 0) {
    std::cerr << "usage: recmeter_chance N\n";
    return 2;
  }
  const auto lists = recmeter::conformance::chance_lists(count);
  Json out{{"catalog", recmeter::conformance::chance_catalog}, {"lists", Json::array()}, {"values", Json::object()}};
  for (const auto& list : lists) out["lists"].push_back(json_of(list));
  for (const auto& [key, values] : recmeter::conformance::chance_values(lists)) {
    Json each = Json::array();
    for (const auto& value : values.lists) each.push_back(json_of(value));
    out["values"][key] = {{"lists", each}, {"all", json_of(values.all)}};
  }
  std::cout << out << '\n';
  return std::cout.good() ? 0 : 1;
}
