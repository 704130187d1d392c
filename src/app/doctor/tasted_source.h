// TastedSource: a source some of whose records are decoded a second time, by another reading of the field table: for what the
// first one leaves out, which is the types of ignored records and where feedback says that its item stood.
//
// Thread safety: as RecordSource; of one run with one thread.
#pragma once

#include <memory>

#include "doctor/facts.h"
#include "recmeter/event/decoder.h"
#include "recmeter/port/record_source.h"

namespace recmeter::doctor {

// `options`: the first reading's. `facts` outlives the source. With rules ([I3.20]) only ignored records are read again.
[[nodiscard]] std::unique_ptr<RecordSource> tasted(std::unique_ptr<RecordSource> source, const DecoderOptions& options,
                                                   Facts& facts);

}  // namespace recmeter::doctor
