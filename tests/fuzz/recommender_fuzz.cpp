// Any bytes are what a recommender in another program writes, over a socket as in a run. Reading them must end, must hold no
// more than two lines of the bound, and every line must be an answer to what was asked or be said to be none.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "app/prequential/recommender_message.h"
#include "fuzz/cost.h"
#include "recmeter/base/text_check.h"
#include "recmeter/process/line_channel.h"

namespace {

using namespace recmeter;

constexpr std::size_t line_bytes_max = 4096;
constexpr std::size_t questions = 3;
constexpr std::size_t written_max = 64'000;  // what a socket takes before anybody reads

void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "recommender_fuzz: %s\n", what);
  std::abort();
}

// A socket on which nobody answers but with what is written to it.
class Listener {
 public:
  Listener() : path_("/tmp/recommender_fuzz." + std::to_string(::getpid())), socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.c_str(), path_.size() + 1);
    ::unlink(path_.c_str());
    require(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && ::listen(socket_, 1) == 0,
            "a socket can be listened on");
  }
  ~Listener() {
    ::close(socket_);
    ::unlink(path_.c_str());
  }
  [[nodiscard]] std::string address() const { return "unix:" + path_; }
  void say(std::string_view text) const {
    const int end = ::accept(socket_, nullptr, nullptr);
    require(end >= 0 && ::send(end, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0, "what is said goes out");
    ::close(end);
  }

 private:
  std::string path_;
  int socket_;
};

const LearningLog& log() {
  static const LearningLog made = [] {
    LearningLog log;
    for (const char* item : {"a", "b", "c", "\xc3\xbc"}) static_cast<void>(log.items.number(item));
    return log;
  }();
  return made;
}

void check_answer(std::string_view line) {
  if (const auto fault = fault_of_hello(line)) require(!fault->empty(), "a fault says what");
  const auto answer = read_answer(line, 7, questions, log());
  if (!answer) {
    require(!answer.error().context.empty(), "what is no answer is said to be none");
    return;
  }
  if (answer->number != 7) return;
  require(answer->lists.size() == questions, "there is a list for each question");
  std::size_t items = answer->bad_items;
  for (const MadeList& list : answer->lists) items += list.size();
  require(items <= line.size(), "an item takes a byte at least");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Listener listener;
  const std::string text(data, data + std::min(size, written_max));
  auto channel = process::LineChannel::connect(listener.address(), {.line_bytes_max = line_bytes_max});
  require(channel.has_value(), "somebody listens");
  listener.say(text);
  const fuzz::Cost cost("recommender_fuzz", {.seconds = 2, .bytes = std::size_t{8} << 20});
  std::size_t at = 0;
  while (true) {
    const auto line = (*channel)->read(process::LineChannel::Clock::now() + std::chrono::seconds(5));
    if (!line) break;
    require(line->has_value(), "what is there is read in time");
    const std::string& read = (*line)->text;
    require(text.compare(at, read.size(), read) == 0, "lines are as they were written");
    at += read.size() + 1;
    check_answer(read);
  }
  return 0;
}
