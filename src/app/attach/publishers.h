// Publishers: everywhere that an attach publishes to, as one RowPublisher.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/port/row_publisher.h"

namespace recmeter {

class Publishers final : public RowPublisher {
 public:
  // `name`: by which its position is found again by a run that may publish to other places besides. `kind`: of the rows that
  // go there.
  void add(std::string name, std::unique_ptr<RowPublisher> publisher, RowKind kind = RowKind::window) {
    places_.push_back({.name = std::move(name), .publisher = std::move(publisher), .kind = kind, .taken = 0});
  }

  [[nodiscard]] Result<void> go_on_from(std::string_view position) override;
  [[nodiscard]] bool is_full() const override;
  [[nodiscard]] bool awaits_state() const override;
  [[nodiscard]] bool can_be_taken_away() const override;
  [[nodiscard]] Result<void> publish(const NumberedRow& row) override;
  [[nodiscard]] bool wants_experiments() const override;
  [[nodiscard]] bool wants_provisional() const override;
  [[nodiscard]] Result<void> publish_provisional(std::string_view key, std::string_view value) override;
  // What all of them have; with none, everything.
  [[nodiscard]] Result<std::uint64_t> published() override;
  [[nodiscard]] std::string trouble() override;
  // The others are opened, too, where one cannot be.
  [[nodiscard]] Result<void> reopen() override;
  [[nodiscard]] std::uint64_t errors() const override;
  [[nodiscard]] std::string position() const override;

 private:
  struct Place {
    std::string name;
    std::unique_ptr<RowPublisher> publisher;
    RowKind kind;
    std::uint64_t taken;  // number behind the last row that it took
  };
  std::vector<Place> places_;
  std::uint64_t taken_ = 0;
};

// Rows as lines on standard output.
[[nodiscard]] std::unique_ptr<RowPublisher> rows_on_standard_output();

}  // namespace recmeter
