#include "recmeter/kafka/mock_broker.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <utility>

namespace recmeter::kafka {

class MockBroker::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (cluster != nullptr) rd_kafka_mock_cluster_destroy(cluster);
    if (handle != nullptr) rd_kafka_destroy(handle);
  }

  rd_kafka_t* handle = nullptr;  // keeps the cluster's books, and does nothing else
  rd_kafka_mock_cluster_t* cluster = nullptr;
};

Result<std::unique_ptr<MockBroker>> MockBroker::start() {
  auto impl = std::make_unique<Impl>();
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, nullptr);
  std::array<char, 512> reason{};
  impl->handle = rd_kafka_new(RD_KAFKA_PRODUCER, conf, reason.data(), reason.size());
  if (impl->handle == nullptr) {
    rd_kafka_conf_destroy(conf);
    return failure(Errc::output_failed, std::string("the broker in this process cannot start: ") + reason.data());
  }
  impl->cluster = rd_kafka_mock_cluster_new(impl->handle, 1);
  if (impl->cluster == nullptr) {
    return failure(Errc::output_failed, "the broker in this process cannot start; check that there is a loopback interface");
  }
  return std::unique_ptr<MockBroker>(new MockBroker(std::move(impl)));
}

MockBroker::MockBroker(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

MockBroker::~MockBroker() = default;

std::string MockBroker::address() const {
  return rd_kafka_mock_cluster_bootstraps(impl_->cluster);
}

Result<void> MockBroker::make_topic(const std::string& name, int partitions) {
  const rd_kafka_resp_err_t code = rd_kafka_mock_topic_create(impl_->cluster, name.c_str(), partitions, 1);
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  return failure(Errc::output_failed, name + ": the topic cannot be made: " + rd_kafka_err2str(code));
}

}  // namespace recmeter::kafka
