#include "app/prequential/recorded_lists.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "app/prequential/list_numbers.h"
#include "recmeter/file/open_file.h"

namespace recmeter {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t line_bytes_max = std::size_t{16} << 20;

}  // namespace

Result<RecordedLists> RecordedLists::read(const std::string& path, const std::string& recommender, LearningLog& log) {
  auto source = file::open_file(path, {.message_bytes_max = line_bytes_max, .stop = nullptr});
  if (!source) return tl::unexpected(std::move(source).error());
  RecordedLists out;
  simdjson::dom::parser parser;
  std::uint64_t line = 0;
  RecordBatch batch;
  while (!batch.last) {
    auto read = (*source)->read(block_bytes, std::move(batch));
    if (!read) return tl::unexpected(std::move(read).error());
    batch = std::move(*read);
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
      ++line;
      const std::string_view json = batch.record(i);
      simdjson::dom::element record;
      std::string_view name;
      std::string_view user;
      std::int64_t ts = 0;
      simdjson::dom::array items;
      if (parser.parse(json.data(), json.size()).get(record) != simdjson::SUCCESS ||
          record["recommender"].get(name) != simdjson::SUCCESS || record["user_id"].get(user) != simdjson::SUCCESS ||
          record["ts"].get(ts) != simdjson::SUCCESS || record["items"].get(items) != simdjson::SUCCESS) {
        return failure(Errc::input_corrupt, fmt::format("{}, line {}: this is not a list of a recommender; a line has "
                                                        "recommender, ts in milliseconds, user_id and items",
                                                        path, line));
      }
      if (name != recommender) continue;
      std::vector<RankedItem>& list = out.lists_[{ts, log.users.number(user)}];
      if (!list.empty()) {
        return failure(Errc::input_corrupt,
                       fmt::format("{}, line {}: {} has a list for user {} at {} already; keep one of them", path, line,
                                   recommender, user, ts));
      }
      for (const simdjson::dom::element item : items) {
        std::string_view text;
        if (item.get(text) != simdjson::SUCCESS) {
          return failure(Errc::input_corrupt, fmt::format("{}, line {}: an item of the list is not text", path, line));
        }
        list.push_back({.item = log.items.number(text)});
      }
      if (!read_list_numbers(record, list)) {
        return failure(Errc::input_corrupt, fmt::format("{}, line {}: {}", path, line, list_numbers_rule));
      }
    }
  }
  return out;
}

std::span<const RankedItem> RecordedLists::of(const ListRequest& request) const {
  const auto list = lists_.find({request.ts.ms, request.user});
  return list == lists_.end() ? std::span<const RankedItem>() : std::span<const RankedItem>(list->second);
}

}  // namespace recmeter
