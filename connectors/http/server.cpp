#include "recmeter/http/server.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "http/connection.h"
#include "http/gate.h"
#include "http/listen_address.h"
#include "http/listener.h"
#include "http/retained_events.h"
#include "http/tally.h"
#include "http/tcp_wire.h"
#include "http/tls_context.h"
#include "recmeter/base/check.h"

namespace recmeter::http {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = Connection::Clock;
using std::chrono::milliseconds;

constexpr milliseconds tick_min{10};
constexpr milliseconds tick_max{500};
// Events are handed to clients at most that often: more a second than anybody sees, and one write for many events.
constexpr milliseconds pump_every{20};
constexpr std::size_t stream_bytes_least = std::size_t{16} << 10;

// How often deadlines are looked at.
milliseconds tick_of(const Limits& limits) {
  const milliseconds shortest =
      std::min({limits.header, limits.body, limits.idle, limits.write, limits.linger, limits.heartbeat});
  return std::clamp(shortest / 8, tick_min, tick_max);
}

Result<void> check_limits(const Limits& limits) {
  const auto least = std::min({limits.connections_max, limits.peer_connections_max, limits.header_bytes_max,
                               limits.fields_max, limits.body_bytes_max, limits.pending_bytes_max});
  const milliseconds shortest =
      std::min({limits.header, limits.body, limits.idle, limits.write, limits.linger, limits.heartbeat, limits.retry});
  if (least > 0 && shortest.count() > 0 && limits.stream_bytes_max >= stream_bytes_least) return {};
  return failure(Errc::config_invalid,
                 "http: a limit is 0, or that of a stream's bytes below 16 KiB; nothing could be answered. Raise it");
}

// Descriptors are for inputs, the state and outputs too: half of them.
std::size_t connections_max(const ServerOptions& options) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return options.limits.connections_max;
  const auto most = std::max<std::size_t>(1, static_cast<std::size_t>(files.rlim_cur) / 2);
  if (most < options.limits.connections_max && options.tell) {
    options.tell(Notice::http_limited, "http: at most " + std::to_string(most) + " connections instead of " +
                                           std::to_string(options.limits.connections_max) + ": the process may open " +
                                           std::to_string(files.rlim_cur) + " files. Raise that limit (ulimit -n)");
  }
  return std::min(most, options.limits.connections_max);
}

}  // namespace

class Server::Impl {
 public:
  Impl(ServerOptions options, Handler& handler, Gate gate, std::unique_ptr<asio::ssl::context> tls);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { stop(); }

  Result<void> open(const tcp::endpoint& endpoint);
  void reload(ServerOptions options, Gate gate, std::unique_ptr<asio::ssl::context> tls);
  void stop();

  [[nodiscard]] tcp::endpoint endpoint() const { return listener_.endpoint(); }
  [[nodiscard]] bool has_tls() const { return has_tls_; }
  [[nodiscard]] ServerCounts counts() const { return tally_.counts(); }

 private:
  struct Client {
    std::shared_ptr<Connection> connection;
    Listener::Peer peer;
  };

  void run();
  void accepted(tcp::socket socket, const Listener::Peer& peer);
  void tick();
  void wake();
  void pump();
  void close_all();
  // A copy: connections leave the table while they are visited.
  [[nodiscard]] std::vector<std::shared_ptr<Connection>> connections() const;

  ServerOptions options_;
  Gate gate_;
  std::unique_ptr<asio::ssl::context> tls_;
  std::atomic<bool> has_tls_;
  Tally tally_;
  asio::io_context io_{1};
  Listener listener_;
  asio::steady_timer tick_;
  asio::steady_timer pump_timer_;
  std::optional<RetainedEvents> events_;
  std::vector<EventRing::Event> taken_;
  Clock::time_point pumped_at_{};
  Hosting hosting_;
  std::unordered_map<const Connection*, Client> clients_;
  std::thread thread_;
};

Server::Impl::Impl(ServerOptions options, Handler& handler, Gate gate, std::unique_ptr<asio::ssl::context> tls)
    : options_(std::move(options)),
      gate_(std::move(gate)),
      tls_(std::move(tls)),
      has_tls_(tls_ != nullptr),
      listener_(io_, options_, connections_max(options_), tally_),
      tick_(io_),
      pump_timer_(io_),
      hosting_{.limits = options_.limits,
               .gate = gate_,
               .handler = handler,
               .tally = tally_,
               .ring = options_.events.get(),
               .events = nullptr,
               .closed = [this](Connection& connection) {
                 const auto client = clients_.find(&connection);
                 listener_.release(client->second.peer);
                 clients_.erase(client);
               }} {}

Result<void> Server::Impl::open(const tcp::endpoint& endpoint) {
  if (auto listening = listener_.listen(endpoint); !listening) return listening;
  if (options_.events) {
    const std::uint64_t last = options_.events->wake_with([this] { asio::post(io_, [this] { wake(); }); });
    events_.emplace(options_.events->bounds(), last);
    hosting_.events = &*events_;
  }
  listener_.accept([this](tcp::socket socket, const Listener::Peer& peer) { accepted(std::move(socket), peer); });
  tick();
  // Signals are for the threads that wait for them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return {};
}

// On the server's thread, which alone reads them. Connections that are there keep the certificate they were opened with.
void Server::Impl::reload(ServerOptions options, Gate gate, std::unique_ptr<asio::ssl::context> tls) {
  struct Renewed {
    ServerOptions options;
    Gate gate;
    std::unique_ptr<asio::ssl::context> tls;
  };
  auto renewed = std::make_shared<Renewed>(Renewed{std::move(options), std::move(gate), std::move(tls)});
  has_tls_ = renewed->tls != nullptr;
  asio::post(io_, [this, renewed] {
    options_.limits = renewed->options.limits;
    options_.certificate_file = std::move(renewed->options.certificate_file);
    gate_ = std::move(renewed->gate);
    tls_ = std::move(renewed->tls);
    listener_.allow(connections_max(options_));
  });
}

void Server::Impl::run() {
  pthread_setname_np(pthread_self(), "http");  // as tools that list threads show it
  try {
    io_.run();
  } catch (const std::exception& caught) {
    RECMETER_CHECK(false, caught.what());  // out of memory
  }
}

void Server::Impl::stop() {
  if (events_) options_.events->wake_with({});
  if (!thread_.joinable()) return;
  asio::post(io_, [this] { close_all(); });
  thread_.join();
}

void Server::Impl::close_all() {
  listener_.close();
  tick_.cancel();
  pump_timer_.cancel();
  for (const auto& connection : connections()) connection->close(false);
  io_.stop();
}

std::vector<std::shared_ptr<Connection>> Server::Impl::connections() const {
  std::vector<std::shared_ptr<Connection>> all;
  all.reserve(clients_.size());
  for (const auto& [key, client] : clients_) all.push_back(client.connection);
  return all;
}

void Server::Impl::accepted(tcp::socket socket, const Listener::Peer& peer) {
  auto wire = tls_ ? tls_wire(std::move(socket), *tls_) : plain_wire(std::move(socket));
  auto connection = std::make_shared<Connection>(std::move(wire), hosting_);
  clients_.emplace(connection.get(), Client{connection, peer});
  connection->start();
}

void Server::Impl::tick() {
  const auto now = Clock::now();
  for (const auto& connection : connections()) connection->check_time(now);
  tick_.expires_after(tick_of(options_.limits));
  tick_.async_wait([this](boost::system::error_code ended) {
    if (!ended) tick();
  });
}

// Called once for however many events, and again only after they were taken.
void Server::Impl::wake() {
  const auto due = pumped_at_ + pump_every;
  if (Clock::now() >= due) return pump();
  pump_timer_.expires_at(due);
  pump_timer_.async_wait([this](boost::system::error_code ended) {
    if (!ended) pump();
  });
}

void Server::Impl::pump() {
  options_.events->take(taken_);
  tally_.stream_events += taken_.size();
  events_->add(taken_);
  taken_.clear();
  for (const auto& connection : connections()) connection->pump();
  pumped_at_ = Clock::now();
}

namespace {

// Made of the options, and of the files that they name.
struct Made {
  tcp::endpoint endpoint;
  Gate gate;
  std::unique_ptr<asio::ssl::context> tls;  // null: none
};

// The token itself is gone from `options` then. Throws what Asio and OpenSSL do: the system has no more descriptors or
// memory.
Result<Made> make(ServerOptions& options) {
  if (auto sound = check_limits(options.limits); !sound) return tl::unexpected(std::move(sound).error());
  auto endpoint = parse_listen_address(options.listen);
  if (!endpoint) return tl::unexpected(std::move(endpoint).error());
  const bool is_private = endpoint->address().is_loopback();
  auto gate = Gate::make(options, is_private);
  if (!gate) return tl::unexpected(std::move(gate).error());
  auto tls = make_tls_context(options);
  if (!tls) return tl::unexpected(std::move(tls).error());
  if (!is_private && !gate->has_token() && !*tls && !options.force) {
    return failure(Errc::config_invalid, "http: " + options.listen +
                                             " can be reached from other machines, and there is neither a token nor TLS. Set "
                                             "one of them, listen on 127.0.0.1, or force it if the network is private");
  }
  std::fill(options.token.begin(), options.token.end(), '\0');
  options.token.clear();
  return Made{*endpoint, *std::move(gate), *std::move(tls)};
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(ServerOptions options, Handler& handler) {
  try {
    auto made = make(options);
    if (!made) return tl::unexpected(std::move(made).error());
    auto impl = std::make_unique<Impl>(std::move(options), handler, std::move(made->gate), std::move(made->tls));
    if (auto opened = impl->open(made->endpoint); !opened) return tl::unexpected(std::move(opened).error());
    return std::unique_ptr<Server>(new Server(std::move(impl)));
  } catch (const std::exception& caught) {
    return failure(Errc::output_failed, std::string("http: the server cannot be started: ") + caught.what());
  }
}

Result<void> Server::reload(ServerOptions options) {
  try {
    auto made = make(options);
    if (!made) return tl::unexpected(std::move(made).error());
    impl_->reload(std::move(options), std::move(made->gate), std::move(made->tls));
    return {};
  } catch (const std::exception& caught) {
    return failure(Errc::output_failed, std::string("http: the server cannot be reloaded: ") + caught.what());
  }
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() = default;

std::string Server::address() const {
  return to_text(impl_->endpoint());
}

std::uint16_t Server::port() const {
  return impl_->endpoint().port();
}

std::string Server::url() const {
  return (impl_->has_tls() ? "https://" : "http://") + address();
}

ServerCounts Server::counts() const {
  return impl_->counts();
}

void Server::stop() {
  impl_->stop();
}

}  // namespace recmeter::http
