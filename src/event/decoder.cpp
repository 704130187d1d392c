#include "recmeter/event/decoder.h"

#include <utility>

#include "event/json_decoder.h"
#include "event/shaped_decoder.h"

namespace recmeter {

std::unique_ptr<EventDecoder> make_decoder(DecoderOptions options) {
  if (options.fields.shape) return std::make_unique<ShapedDecoder>(std::move(options));
  return std::make_unique<JsonDecoder>(std::move(options));
}

}  // namespace recmeter
