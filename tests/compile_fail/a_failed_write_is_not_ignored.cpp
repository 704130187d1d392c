// What a port answers is looked at: a row that could not be written must not pass for one that was.
#include "recmeter/port/row_sink.h"

namespace recmeter {

bool use(RowSink& sink, const Row& row) {
#ifdef MUST_NOT_COMPILE
  sink.write(row);
  return true;
#else
  return sink.write(row).has_value();
#endif
}

}  // namespace recmeter
