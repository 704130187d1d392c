#include "app/prequential/external_recommender.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/prequential/recommender_message.h"
#include "config/scalar.h"
#include "recmeter/result/render.h"

namespace recmeter {

Result<std::unique_ptr<ExternalRecommender>> ExternalRecommender::begin(const RecommenderSpec& spec,
                                                                        const Surroundings& around) {
  const process::ChannelOptions options{
      .line_bytes_max = around.line_bytes_max, .complaint = around.complaint, .stop = around.stop};
  auto channel = spec.connect.empty() ? process::LineChannel::spawn(spec.command, options)
                                      : process::LineChannel::connect(spec.connect, options);
  if (channel) return begin(spec, around, std::move(*channel));
  if (channel.error().code == Errc::interrupted || spec.on_failure == RecommenderSpec::OnFailure::stop) {
    return failure(channel.error().code, fmt::format("recommender {}: {}", spec.name, channel.error().context));
  }
  std::unique_ptr<ExternalRecommender> out(new ExternalRecommender(spec, around));
  out->told_.failure = channel.error().context;
  return out;
}

Result<std::unique_ptr<ExternalRecommender>> ExternalRecommender::begin(const RecommenderSpec& spec,
                                                                        const Surroundings& around,
                                                                        std::unique_ptr<process::LineChannel> channel) {
  std::unique_ptr<ExternalRecommender> out(new ExternalRecommender(spec, around));
  out->channel_ = std::move(channel);
  if (auto greeted = out->greet(); !greeted) return tl::unexpected(std::move(greeted).error());
  return out;
}

ExternalRecommender::~ExternalRecommender() {
  constexpr std::chrono::seconds patience{1};
  if (channel_ != nullptr) static_cast<void>(channel_->write(bye_message(), Clock::now() + patience));
}

Result<void> ExternalRecommender::greet() {
  // A model that is loaded takes longer to begin than to answer.
  const Duration patience = std::max(spec_.limit, one_minute);
  const Clock::time_point until = Clock::now() + std::chrono::milliseconds(patience.ms);
  const auto sent = channel_->write(hello_message(spec_, around_.rules, around_.actions), until);
  const auto line = sent ? channel_->read(until) : tl::unexpected(sent.error());
  std::string what;
  if (!line) {
    what = line.error().context;
  } else if (!*line) {
    what = "gave no answer to hello within " + config::text_of(patience);
  } else {
    what = fault_of_hello((*line)->text).value_or("");
  }
  if (what.empty()) return {};
  return fail(line ? Errc::input_corrupt : line.error().code, what);
}

Result<void> ExternalRecommender::learn(const LearnedEvent& event) {
  learned_.push_back(event);
  return learned_.size() < spec_.batch ? Result<void>() : send_learned();
}

Result<void> ExternalRecommender::ask(const Question& question) {
  if (auto sent = send_learned(); !sent) return sent;
  questions_.push_back(&question);
  ++told_.requests;
  return questions_.size() < spec_.batch ? Result<void>() : send_questions();
}

Result<std::vector<MadeList>> ExternalRecommender::answers() {
  if (auto sent = send_questions(); !sent) return tl::unexpected(std::move(sent).error());
  return std::exchange(lists_, {});
}

Result<void> ExternalRecommender::send_learned() {
  if (learned_.empty()) return {};
  const std::string message = learn_message(learned_, around_.actions, around_.log);
  learned_.clear();
  return send(message);
}

Result<void> ExternalRecommender::send_questions() {
  if (questions_.empty()) return {};
  const Clock::time_point asked = Clock::now();
  if (auto sent = send(recommend_message(number_, questions_, around_.log)); !sent) return sent;
  auto lists = wait_for_lists(asked);
  if (!lists) return tl::unexpected(std::move(lists).error());
  if (!*lists) {
    for (const Question* question : questions_) told_.missing.push_back(question->request->ts);
    lists->emplace(questions_.size());
  }
  for (MadeList& list : **lists) lists_.push_back(std::move(list));
  questions_.clear();
  ++number_;
  return {};
}

Result<void> ExternalRecommender::send(const std::string& message) {
  if (channel_ == nullptr) return {};
  if (message.size() > around_.line_bytes_max) {
    return failure(
        Errc::config_invalid,
        fmt::format("recommender {}: a message of {} bytes is longer than limits.message_bytes; lower its batch, or "
                    "limits.recommender_history",
                    spec_.name, message.size()));
  }
  const auto sent = channel_->write(message, Clock::now() + std::chrono::milliseconds(spec_.limit.ms));
  if (!sent) return fail(sent.error().code, sent.error().context);
  if (!*sent) return fail(Errc::input_unreadable, "took no more input within " + config::text_of(spec_.limit));
  return {};
}

Result<std::optional<std::vector<MadeList>>> ExternalRecommender::wait_for_lists(Clock::time_point asked) {
  const auto failed = [&](Errc code, const std::string& what) -> Result<std::optional<std::vector<MadeList>>> {
    if (auto goes_on = fail(code, what); !goes_on) return tl::unexpected(std::move(goes_on).error());
    return std::nullopt;
  };
  if (channel_ == nullptr) return std::nullopt;
  const bool has_budget = spec_.budget.ms > 0;
  const Clock::time_point until = asked + std::chrono::milliseconds(has_budget ? spec_.budget.ms : spec_.limit.ms);
  for (;;) {
    auto line = channel_->read(until);
    if (!line) return failed(line.error().code, line.error().context);
    const bool is_over = !*line;
    auto answer = is_over ? Answer() : read_answer((*line)->text, number_, questions_.size(), around_.log);
    if (!answer) return failed(answer.error().code, answer.error().context);
    const bool is_asked = !is_over && !(*line)->is_early && answer->number == number_;
    if (is_asked) {
      told_.answered += questions_.size();
      told_.bad_items += answer->bad_items;
      told_.seconds.push_back(std::chrono::duration<float>(Clock::now() - asked).count());
      return std::move(answer->lists);
    }
    if (!is_over && answer->number >= number_) {
      return failed(Errc::input_corrupt, fmt::format("answered request {} before it was asked", answer->number));
    }
    // Answers to requests whose time was over, or that were answered before, are passed over: but not for ever.
    if (!is_over && Clock::now() < until) continue;
    if (has_budget) {
      told_.late += questions_.size();
      return std::nullopt;
    }
    const ListRequest& first = *questions_.front()->request;
    return failed(Errc::input_unreadable,
                  fmt::format("gave no answer to request {} (user {}, {}) within {}", number_,
                              around_.log.users.text(first.user), render_utc(first.ts), config::text_of(spec_.limit)));
  }
}

Result<void> ExternalRecommender::fail(Errc code, const std::string& what) {
  if (code == Errc::interrupted) return failure(code, what);
  if (spec_.on_failure == RecommenderSpec::OnFailure::stop) {
    return failure(code, fmt::format("recommender {} {}", spec_.name, what));
  }
  told_.failure = what;
  channel_.reset();
  return {};
}

}  // namespace recmeter
