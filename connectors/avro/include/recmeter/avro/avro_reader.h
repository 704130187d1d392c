// avro_reader: records that are Avro values, by the schema they were written with: that of the batch's layout (of an object
// container file), else `usual`'s text. A record that is no value of it is not_avro.
#pragma once

#include <memory>

#include "recmeter/event/record_reader.h"

namespace recmeter::avro {

// `usual`: may be null where every batch has a layout.
[[nodiscard]] MakeRecordReader avro_reader(std::shared_ptr<const RecordLayout> usual = nullptr);

}  // namespace recmeter::avro
