#include "integration/cli/workplace.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "recmeter/base/check.h"
#include "support/parsed_json.h"
#include "unit/file/packed.h"

namespace recmeter::test {

std::string impression(int list, std::int64_t after_ms) {
  return R"({"type":"impression","ts":)" + std::to_string(start_ms + after_ms) + R"(,"list_id":"l)" + std::to_string(list) +
         R"(","user_id":"u)" + std::to_string(list) + R"(","items":["a","b","c"]})" + "\n";
}

std::string click(int list, std::int64_t after_ms) {
  return R"({"type":"click","ts":)" + std::to_string(start_ms + after_ms) + R"(,"user_id":"u)" + std::to_string(list) +
         R"(","item_id":"b"})" + "\n";
}

std::string small_log() {
  std::string log;
  for (int second = 0; second < 600; ++second) {
    log += impression(second, 1000 * second);
    log += click(second, 1000 * second + 500);
  }
  return log;
}

void Workplace::SetUp() {
  const std::string log = small_log();
  scratch_.put("good.jsonl", log);
  scratch_.put("good.jsonl.gz", gzip(log));
  scratch_.put("good.jsonl.zst", zstd(log));
  scratch_.put("cut.gz", gzip(log).substr(0, 500));
  std::string damaged = zstd(log);
  for (std::size_t i = 40; i < 60; ++i) damaged[i] = static_cast<char>(~damaged[i]);
  scratch_.put("damaged.zst", damaged);
  scratch_.put("empty.jsonl", "");
  scratch_.put("empty.gz", gzip(""));
  std::string bad;
  for (int i = 0; i < 100; ++i)
    bad += R"({"type":"impression","ts":)"
           "\n";
  scratch_.put("bad.jsonl", bad);
  std::string garbage;
  for (unsigned i = 0, x = 1; i < 100'000; ++i) garbage += static_cast<char>((x = x * 1'664'525U + 1'013'904'223U) >> 24);
  scratch_.put("garbage", "x" + garbage);
  scratch_.put("archive.xz", std::string_view("\xfd"
                                              "7zXZ\0abcdef",
                                              12));
  std::filesystem::create_directory(scratch_.path("folder"));
  std::filesystem::create_symlink("good.jsonl", scratch_.path("link.jsonl"));
  std::filesystem::create_symlink("nowhere", scratch_.path("dangling"));
  scratch_.put("old.jsonl", "what stood there\n");
  scratch_.put("old.json", "what stood there\n");
}

Call Workplace::call(std::string_view arguments) const {
  Call call;
  call.directory = scratch_.directory();
  while (!arguments.empty()) {
    const std::size_t end = std::min(arguments.find(' '), arguments.size());
    call.arguments.emplace_back(arguments.substr(0, end));
    arguments.remove_prefix(std::min(end + 1, arguments.size()));
  }
  return call;
}

std::vector<std::string> Workplace::everything() const {
  std::vector<std::string> all;
  for (const std::string& name : scratch_.names()) {
    std::error_code none;
    const bool is_plain = std::filesystem::is_regular_file(scratch_.path(name), none);
    all.push_back(name + (is_plain ? ": " + scratch_.get(name) : ""));
  }
  return all;
}

nlohmann::json Workplace::json_in(std::string_view name) const {
  return support::parsed_json(scratch_.get(name));
}

void Workplace::generate(std::string_view options) const {
  const Ended made = run("generate --quiet -o log.jsonl " + std::string(options));
  RECMETER_CHECK(made.code == 0, "the test needs its log");
}

std::string Workplace::fifo(std::string_view name) const {
  RECMETER_CHECK(::mkfifo(scratch_.path(name).c_str(), 0600) == 0, "no FIFO for the test");
  return scratch_.path(name);
}

std::string with_users(const std::string& log, const std::string& user) {
  constexpr std::string_view member = R"("user_id":")";
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = log.find(member); at != std::string::npos; at = log.find(member, from)) {
    out.append(log, from, at + member.size() - from);
    out += user;
    from = log.find('"', at + member.size());
  }
  return out.append(log, from, std::string::npos);
}

void expect_clean_messages(const std::string& err) {
  if (!err.empty()) {
    EXPECT_TRUE(err.ends_with('\n')) << err;
  }
  for (const std::string& line : lines_of(err)) {
    EXPECT_TRUE(line.starts_with("recmeter: ")) << line;
    for (const char c : line) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << line;
  }
}

void expect_says(const Ended& ended, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(ended.err.find(part), std::string::npos) << part << "\nin: " << ended.err;
}

}  // namespace recmeter::test
