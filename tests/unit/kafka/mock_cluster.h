// MockCluster: librdkafka's own mock of a cluster, to be made to fail in ways a real broker cannot be. It keeps 5 MiB of a
// partition and drops what is older. Thread safety: none.
#pragma once

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <string>
#include <vector>

namespace recmeter::kafka {

class MockCluster {
 public:
  static constexpr int brokers = 3;
  static constexpr const char* topic = "log";

  // With a topic of one partition, led by broker 1.
  MockCluster();
  ~MockCluster();
  MockCluster(const MockCluster&) = delete;
  MockCluster& operator=(const MockCluster&) = delete;

  [[nodiscard]] std::string bootstrap() const { return rd_kafka_mock_cluster_bootstraps(cluster_); }
  // To the partition; returns when they are there.
  void produce(const std::vector<std::string>& values);
  // What is in the partition.
  [[nodiscard]] std::vector<std::string> received() const;
  void lead_by(int broker);
  void set_up(bool is_up);
  // From now on requests are taken and not answered.
  void freeze();
  // What the next fetches are answered with.
  void answer_fetches_with(const std::vector<rd_kafka_resp_err_t>& errors);

 private:
  rd_kafka_t* producer_;
  rd_kafka_mock_cluster_t* cluster_;
};

}  // namespace recmeter::kafka
