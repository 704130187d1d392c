#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <string>
#include <vector>

#include "recommend/models.h"

namespace recmeter {

namespace {

// Matrix factorisation that learns each event once, as it comes, toward 1.
class Isgd final : public Recommender {
 public:
  Isgd(const RecommenderSpec& spec, const LearningLog& log) : spec_(spec), log_(log) {}

  Result<void> learn(const LearnedEvent& event, std::span<const KnownItem> /*known*/) override {
    std::vector<double>& p = vector_of(users_, event.user, 'u', log_.users);
    std::vector<double>& q = vector_of(items_, event.item, 'i', log_.items);
    for (std::uint32_t n = 0; n < spec_.iterations; ++n) {
      const double error = 1 - dot(p, q);
      for (std::size_t j = 0; j < p.size(); ++j) {
        const double old = p[j];
        p[j] += spec_.learning_rate * (error * q[j] - spec_.regularization * p[j]);
        q[j] += spec_.learning_rate * (error * old - spec_.regularization * q[j]);
      }
    }
    return {};
  }
  void begin_version(EventTime /*bound*/) override {}

  void score(const ListRequest& request, std::span<const KnownItem> /*known*/, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    const bool is_new = request.user >= users_.size() || users_[request.user].empty();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const bool has = !is_new && candidates[i] < items_.size() && !items_[candidates[i]].empty();
      scores[i] = has ? -std::abs(1 - dot(users_[request.user], items_[candidates[i]])) : is_new ? 0 : -1;
    }
  }

 private:
  static double dot(const std::vector<double>& p, const std::vector<double>& q) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) sum += p[j] * q[j];
    return sum;
  }

  // Of deviation 0.1, by the id alone: the same whenever it comes.
  std::vector<double>& vector_of(std::vector<std::vector<double>>& vectors, std::uint32_t number, char kind,
                                 const Names& names) {
    std::vector<double>& of = at(vectors, number);
    for (std::size_t j = of.size(); j < spec_.factors; ++j) {
      std::string text(1, kind);
      text += names.text(number);
      text.push_back('\0');
      text += std::to_string(j);
      const std::uint64_t hash = XXH3_64bits_withSeed(text.data(), text.size(), spec_.seed);
      const double v = std::ldexp(static_cast<double>(hash >> 11), -53);
      of.push_back((v - 0.5) * 2 * std::sqrt(3.0) * 0.1);
    }
    return of;
  }

  RecommenderSpec spec_;
  const LearningLog& log_;
  std::vector<std::vector<double>> users_;
  std::vector<std::vector<double>> items_;
};

}  // namespace

std::unique_ptr<Recommender> make_isgd(const RecommenderSpec& spec, const LearningLog& log) {
  return std::make_unique<Isgd>(spec, log);
}

}  // namespace recmeter
