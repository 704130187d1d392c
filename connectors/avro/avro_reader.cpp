#include "recmeter/avro/avro_reader.h"

#include <optional>
#include <utility>

#include "recmeter/avro/program.h"

namespace recmeter::avro {
namespace {

class AvroReader final : public RecordReader {
 public:
  AvroReader(const WantedFields& wanted, std::shared_ptr<const RecordLayout> usual)
      : wanted_(wanted), usual_(std::move(usual)) {}

  void begin(const RecordBatch& records) override {
    const auto& layout = records.layout != nullptr ? records.layout : usual_;
    if (layout == layout_) return;
    layout_ = layout;
    program_.reset();
    if (layout == nullptr) return;
    auto program = Program::compile({&layout->text, 1}, &wanted_);
    if (!program) return;
    program_ = std::move(*program);
    members_ = program_->members();
  }

  [[nodiscard]] bool may_have(std::size_t member) const override { return program_ && program_->may_have(member); }

  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override {
    const bool is_read = program_ && program_->read(records.record(index), arena, value, RecordBatch::padding, members_);
    return is_read ? std::nullopt : std::optional(InvalidReason::not_avro);
  }

 private:
  const WantedFields& wanted_;
  std::shared_ptr<const RecordLayout> usual_;
  std::shared_ptr<const RecordLayout> layout_;  // that program_ is of
  std::optional<Program> program_;              // none: the schema is none, and no record a value of it
  std::vector<FieldMember> members_;            // of the record in hand
};

}  // namespace

MakeRecordReader avro_reader(std::shared_ptr<const RecordLayout> usual) {
  return [usual = std::move(usual)](const WantedFields& wanted) { return std::make_unique<AvroReader>(wanted, usual); };
}

}  // namespace recmeter::avro
