// StubRegistry: a server that answers as a schema registry does, or as one that is in trouble. What is asked for is counted.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace recmeter::test {

struct StubAnswer {
  int status = 200;
  std::string body;
  bool is_cut = false;  // the connection ends in the middle of the body
};

class StubRegistry {
 public:
  StubRegistry();
  ~StubRegistry();
  StubRegistry(const StubRegistry&) = delete;
  StubRegistry& operator=(const StubRegistry&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  // What `path` is answered with, one after the other; the last again and again.
  void answer(const std::string& path, std::vector<StubAnswer> answers);
  // Of a schema as the registry has it.
  void add_schema(const std::string& path, const std::string& schema, const std::string& type,
                  const std::string& references = "[]");
  // Until `path` was asked for so often.
  void wait_for(const std::string& path, std::size_t times);
  [[nodiscard]] std::string last_request();
  // Questions that were open at the same time, at most, and all that there were.
  [[nodiscard]] std::size_t side_by_side();
  [[nodiscard]] std::size_t asked();
  // Until so many are open.
  void wait_for_open(std::size_t count);
  // While it is held nothing is answered.
  void hold(bool is_held);

 private:
  void serve();
  void serve(int client);

  int listening_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::vector<StubAnswer>> answers_;
  std::map<std::string, std::size_t> asked_;
  std::string last_request_;
  std::size_t open_ = 0;
  std::size_t open_max_ = 0;
  bool is_held_ = false;
  bool ends_ = false;
  std::thread accepting_;
  std::vector<std::thread> answering_;  // of accepting_ until it has ended
};

}  // namespace recmeter::test
