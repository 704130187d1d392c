#include "recmeter/process/line_channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "process/address.h"
#include "process/child.h"

namespace recmeter::process {

namespace {

constexpr std::size_t block_bytes = std::size_t{64} << 10;
constexpr std::size_t complaint_bytes_max = std::size_t{4} << 10;
constexpr std::chrono::milliseconds look_every{100};  // at `stop`

class Channel final : public LineChannel {
 public:
  Channel(Child child, ChannelOptions options) : options_(std::move(options)), child_(std::move(child)) {}
  Channel(Descriptor socket, ChannelOptions options) : options_(std::move(options)), socket_(std::move(socket)) {}
  ~Channel() override {
    child_.end(options_.patience);
    if (child_.errors.is_open()) read_errors();
  }

  Result<bool> write(std::string_view line, Clock::time_point until) override {
    std::string out(line);
    out.push_back('\n');
    for (std::string_view rest = out; !rest.empty();) {
      if (is_over(until)) return false;
      if (auto turned = turn(rest, until); !turned) return tl::unexpected(turned.error());
    }
    // A turn reads before it writes: all of this came before the last of the line went out.
    early_ = in_.size();
    return true;
  }

  Result<std::optional<Line>> read(Clock::time_point until) override {
    for (;;) {
      const std::size_t end = in_.find('\n', searched_);
      if (end != std::string::npos) {
        Line line{.text = in_.substr(0, end), .is_early = early_ > 0};
        in_.erase(0, end + 1);
        early_ -= std::min(early_, end + 1);
        searched_ = 0;
        return line;
      }
      searched_ = in_.size();
      if (in_.size() > options_.line_bytes_max) {
        return failure(Errc::input_corrupt,
                       fmt::format("wrote a line of more than {} bytes; raise limits.message_bytes if it is right",
                                   options_.line_bytes_max));
      }
      if (is_at_end_) return failure(Errc::input_unreadable, end_text());
      if (is_over(until)) return std::nullopt;
      std::string_view nothing;
      if (auto turned = turn(nothing, until); !turned) return tl::unexpected(turned.error());
    }
  }

  const std::string& last_complaint() const override { return last_complaint_; }

 private:
  static bool is_over(Clock::time_point until) { return Clock::now() >= until; }
  [[nodiscard]] int writes_to() const { return socket_.is_open() ? socket_.number() : child_.input.number(); }
  [[nodiscard]] int reads_from() const { return socket_.is_open() ? socket_.number() : child_.output.number(); }
  // What it says unasked waits in its pipe, beyond a line of the largest size.
  [[nodiscard]] bool has_room() const { return !is_at_end_ && in_.size() <= options_.line_bytes_max; }

  // Waits once, for at most look_every; moves what can be moved and takes what went out off `rest`.
  Result<void> turn(std::string_view& rest, Clock::time_point until) {
    if (options_.stop != nullptr && *options_.stop) return failure(Errc::interrupted, "interrupted; nothing was written");
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()) + std::chrono::milliseconds(1);
    std::array<pollfd, 3> ends{{{.fd = has_room() ? reads_from() : -1, .events = POLLIN, .revents = 0},
                                {.fd = rest.empty() ? -1 : writes_to(), .events = POLLOUT, .revents = 0},
                                {.fd = child_.errors.number(), .events = POLLIN, .revents = 0}}};
    ::poll(ends.data(), ends.size(), static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), look_every).count()));
    if (ends[2].revents != 0) read_errors();
    if (ends[0].revents != 0) read_block();
    if (ends[1].revents == 0) return {};
    const ssize_t written = socket_.is_open() ? ::send(writes_to(), rest.data(), rest.size(), MSG_NOSIGNAL)
                                              : ::write(writes_to(), rest.data(), rest.size());
    if (written >= 0) rest.remove_prefix(static_cast<std::size_t>(written));
    if (written < 0 && errno != EAGAIN && errno != EINTR) return failure(Errc::input_unreadable, end_text());
    return {};
  }

  void read_block() {
    std::array<char, block_bytes> block;
    const ssize_t bytes = ::read(reads_from(), block.data(), block.size());
    if (bytes > 0) in_.append(block.data(), static_cast<std::size_t>(bytes));
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN && errno != EINTR)) is_at_end_ = true;
  }

  // What is there now, and no more than a pipe holds: it may say more than anybody reads.
  void read_errors() {
    std::array<char, complaint_bytes_max> block;
    ssize_t bytes = 0;
    for (std::size_t all = 0; all < block_bytes; all += static_cast<std::size_t>(bytes)) {
      bytes = ::read(child_.errors.number(), block.data(), block.size());
      if (bytes <= 0) break;
      for (const char byte : std::string_view(block.data(), static_cast<std::size_t>(bytes))) {
        if (byte == '\n' || complaint_.size() == complaint_bytes_max) complain();
        if (byte != '\n') complaint_.push_back(byte);
      }
    }
    if (bytes == 0) {
      complain();
      child_.errors.close();
    }
  }
  void complain() {
    if (complaint_.empty()) return;
    if (options_.complaint) options_.complaint(complaint_);
    last_complaint_ = std::exchange(complaint_, {});
  }

  // What it said last is part of how it ended.
  std::string end_text() {
    if (socket_.is_open()) return "closed the connection";
    const std::string how = child_.ended(options_.patience);
    if (child_.errors.is_open()) read_errors();
    std::string text = how.empty() ? "closed its output" : fmt::format("ended ({})", how);
    if (!last_complaint_.empty()) text += fmt::format("; its last words: {}", last_complaint_);
    return text;
  }

  ChannelOptions options_;
  Child child_;
  Descriptor socket_;
  std::string in_;
  std::size_t searched_ = 0;  // of in_: no line end before it
  std::size_t early_ = 0;     // of in_: what came before the last write() had done
  bool is_at_end_ = false;
  std::string complaint_;  // not yet a whole line
  std::string last_complaint_;
};

}  // namespace

Result<std::unique_ptr<LineChannel>> LineChannel::spawn(const std::vector<std::string>& command, ChannelOptions options) {
  auto child = Child::start(command);
  if (!child) return tl::unexpected(std::move(child).error());
  return std::make_unique<Channel>(std::move(*child), std::move(options));
}

Result<std::unique_ptr<LineChannel>> LineChannel::connect(const std::string& address, ChannelOptions options) {
  auto socket = connect_to(address);
  if (!socket) return tl::unexpected(std::move(socket).error());
  ::fcntl(socket->number(), F_SETFL, ::fcntl(socket->number(), F_GETFL) | O_NONBLOCK);
  return std::make_unique<Channel>(std::move(*socket), std::move(options));
}

}  // namespace recmeter::process
