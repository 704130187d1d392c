#include "app/top/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "recmeter/base/check.h"

namespace recmeter::top {

namespace {

constexpr std::string_view take_over = "\x1b[?1049h\x1b[?25l\x1b[2J";  // alternate screen, no cursor, empty
constexpr std::string_view give_back = "\x1b[0m\x1b[?25h\x1b[?1049l";
constexpr std::array ending{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int exit_interrupted = 130;

// What handlers need; there is one terminal.
termios before{};
volatile std::sig_atomic_t is_taken = 0;
volatile std::sig_atomic_t is_resized = 0;
volatile std::sig_atomic_t is_to_stop = 0;
std::array<struct sigaction, ending.size() + 2> handlers_before{};

// Safe in a handler. False: not all of it went out.
bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void take() {
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C and Ctrl-Z stay signals
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  is_taken = 1;
  write_all(take_over);
}

// Safe in a handler.
void restore() {
  if (is_taken == 0) return;
  is_taken = 0;
  write_all(give_back);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void on_end(int signal) {
  restore();
  if (signal == SIGINT || signal == SIGTERM) ::_exit(exit_interrupted);
  std::signal(signal, SIG_DFL);
  ::raise(signal);  // comes when this handler is done
}

void on_resize(int) {
  is_resized = 1;
}

void on_stop(int) {
  is_to_stop = 1;
}

void handle(int signal, void (*handler)(int), struct sigaction* old) {
  struct sigaction action = {};
  action.sa_handler = handler;  // without SA_RESTART: poll returns
  ::sigaction(signal, &action, old);
}

}  // namespace

bool Screen::is_possible() {
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || *terminal == '\0' || std::string_view(terminal) == "dumb";
  return !is_dumb && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
}

Screen::Screen() {
  RECMETER_CHECK(is_taken == 0, "a second screen on one terminal");
  ::tcgetattr(STDIN_FILENO, &before);
  for (std::size_t i = 0; i < ending.size(); ++i) handle(ending[i], on_end, &handlers_before[i]);
  handle(SIGWINCH, on_resize, &handlers_before[ending.size()]);
  handle(SIGTSTP, on_stop, &handlers_before[ending.size() + 1]);
  take();
}

Screen::~Screen() {
  restore();
  for (std::size_t i = 0; i < ending.size(); ++i) ::sigaction(ending[i], &handlers_before[i], nullptr);
  ::sigaction(SIGWINCH, &handlers_before[ending.size()], nullptr);
  ::sigaction(SIGTSTP, &handlers_before[ending.size() + 1], nullptr);
}

FrameSize Screen::size() const {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {80, 24};
  return {size.ws_col, size.ws_row};
}

// In one write, over what is there: nothing flickers, and nothing of the last frame stays.
bool Screen::draw(const std::vector<std::string>& lines) {
  std::string text = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "\r\n" : "") + lines[i] + "\x1b[K";
  return write_all(text + "\x1b[J");
}

Screen::Input Screen::wait(std::chrono::milliseconds at_most) {
  Input input;
  pollfd keys{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  const int ready = is_resized != 0 || is_to_stop != 0 ? 0 : ::poll(&keys, 1, static_cast<int>(at_most.count()));
  if (is_to_stop != 0) {
    is_to_stop = 0;
    restore();
    ::raise(SIGSTOP);
    take();  // somebody has said: go on
    is_resized = 1;
  }
  input.is_resized = is_resized != 0;
  is_resized = 0;
  if (ready <= 0) return input;
  char key = 0;
  const ssize_t got = ::read(STDIN_FILENO, &key, 1);
  if (got == 1) input.key = key;
  input.is_gone = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
  return input;
}

}  // namespace recmeter::top
