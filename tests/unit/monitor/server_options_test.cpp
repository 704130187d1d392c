#include "app/monitor/server_options.h"

#include <gtest/gtest.h>

namespace recmeter::test {
namespace {

TEST(ServerOptionsOfAConfiguration, are_those_of_the_server_where_nothing_is_written) {
  EXPECT_EQ(server_options_of({}).limits, http::Limits{});
  EXPECT_EQ(server_options_of({}).listen, http::ServerOptions{}.listen);
}

TEST(ServerOptionsOfAConfiguration, have_every_limit_in_its_place) {
  const PublishSpec::HttpLimits written{.connections_max = 1,
                                        .peer_connections_max = 2,
                                        .header_bytes_max = 3,
                                        .fields_max = 4,
                                        .body_bytes_max = 5,
                                        .pending_bytes_max = 6,
                                        .stream_bytes_max = 7,
                                        .header = Duration{8},
                                        .body = Duration{9},
                                        .idle = Duration{10},
                                        .write = Duration{11},
                                        .linger = Duration{12},
                                        .heartbeat = Duration{13},
                                        .retry = Duration{14}};
  using std::chrono::milliseconds;
  const http::Limits limits{1,
                            2,
                            3,
                            4,
                            5,
                            6,
                            7,
                            milliseconds{8},
                            milliseconds{9},
                            milliseconds{10},
                            milliseconds{11},
                            milliseconds{12},
                            milliseconds{13},
                            milliseconds{14}};
  PublishSpec::Http http;
  http.limits = written;
  http.probes = "0.0.0.0:81";
  EXPECT_EQ(server_options_of(http).limits, limits);
  EXPECT_EQ(probe_options_of(http).limits, limits);
}

TEST(ServerOptionsOfAConfiguration, ask_probes_for_no_token) {
  PublishSpec::Http http;
  http.token_file = "token";
  http.certificate = "c.pem";
  http.key = "k.pem";
  http.probes = "0.0.0.0:81";
  const http::ServerOptions probes = probe_options_of(http);
  EXPECT_EQ(probes.listen, "0.0.0.0:81");
  EXPECT_EQ(probes.token_file + probes.certificate_file + probes.key_file, "");
  EXPECT_TRUE(probes.force);
  EXPECT_EQ(server_options_of(http).token_file, "token");
}

}  // namespace
}  // namespace recmeter::test
