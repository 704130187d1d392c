#include "app/attach/kept_generations.h"

#include <functional>
#include <utility>

namespace recmeter {

Result<Config> load_kept(const std::string& text, const ConfigContext& context) {
  auto loaded = load_config(text, "the state's configuration", context);
  if (!loaded) return failure(Errc::state_unusable, to_text(loaded.error().front()));
  std::erase_if(loaded->spec.windows, std::mem_fn(&WindowSpec::is_whole));
  return std::move(*loaded);
}

Result<KeptGenerations> kept_generations(const StateStore& store, const ConfigContext& context) {
  auto generations = generations_in(store);
  if (!generations) return tl::unexpected(std::move(generations).error());
  if (generations->empty()) return failure(Errc::state_unusable, "it does not say which configuration made it");
  KeptGenerations kept{.generations = std::move(*generations), .configs = {}};
  for (const Generation& generation : kept.generations) {
    auto config = load_kept(generation.config, context);
    if (!config) return tl::unexpected(std::move(config).error());
    kept.configs.push_back(std::move(*config));
  }
  return kept;
}

}  // namespace recmeter
