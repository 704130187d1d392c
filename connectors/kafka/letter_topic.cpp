#include "recmeter/kafka/letter_topic.h"

#include <utility>

#include "kafka/delivery_queue.h"

namespace recmeter::kafka {

namespace {

class LetterTopic final : public DeadLetters {
 public:
  LetterTopic(std::unique_ptr<DeliveryQueue> queue, std::string evaluator)
      : queue_(std::move(queue)), evaluator_(std::move(evaluator)) {}

  Result<void> go_on_from(std::string_view /*position*/) override { return {}; }
  Result<void> send(DeadLetter letter) override;
  Result<Delivery> deliver(bool all) override;
  std::string position() const override { return {}; }

 private:
  std::unique_ptr<DeliveryQueue> queue_;
  std::string evaluator_;
};

Result<void> LetterTopic::send(DeadLetter letter) {
  Message message{.key = std::move(letter.key),
                  .value = std::move(letter.value),
                  .timestamp = letter.timestamp,
                  .headers = std::move(letter.headers)};
  const auto add = [&](const char* name, std::string value) {
    message.headers.emplace_back(std::string("__connect.errors.") + name, std::move(value));
  };
  // Connect's stages: what cannot be decoded, and what the task itself has no use for.
  const bool is_decoded = letter.fate != Fate::invalid;
  add("topic", letter.topic);
  add("partition", std::to_string(letter.partition));
  add("offset", std::to_string(letter.offset));
  add("connector.name", evaluator_);
  add("task.id", "0");
  add("stage", is_decoded ? "TASK_PUT" : "VALUE_CONVERTER");
  add("class.name", "recmeter");
  add("exception.class.name", std::string(to_string(letter.fate)));
  add("exception.message", letter.reason);
  queue_->send(std::move(message));
  return {};
}

Result<DeadLetters::Delivery> LetterTopic::deliver(bool /*all*/) {
  if (auto served = queue_->serve(); !served) return tl::unexpected(std::move(served).error());
  return Delivery{.delivered = queue_->delivered(), .trouble = queue_->trouble()};
}

}  // namespace

Result<std::unique_ptr<DeadLetters>> letter_topic(const ClientOptions& client, const std::string& topic,
                                                  const std::string& evaluator) {
  auto queue = DeliveryQueue::open(client, topic);
  if (!queue) return tl::unexpected(std::move(queue).error());
  return std::make_unique<LetterTopic>(std::move(*queue), evaluator);
}

}  // namespace recmeter::kafka
