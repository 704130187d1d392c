#include "recmeter/event/decoder.h"

#include <utility>

#include "event/json_decoder.h"

namespace recmeter {

std::unique_ptr<EventDecoder> make_decoder(DecoderOptions options) {
  switch (options.encoding) {
    case Encoding::json: break;
  }
  return std::make_unique<JsonDecoder>(std::move(options));
}

}  // namespace recmeter
