#include "config/keys.h"

#include <fmt/format.h>

namespace recmeter::config {

namespace {

using File = PublishSpec::File;
using Http = PublishSpec::Http;
using HttpLimits = PublishSpec::HttpLimits;

constexpr auto free = KeyKind::free;
constexpr auto additive = KeyKind::additive;
constexpr auto meaning = KeyKind::meaning;

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = kib * kib;
constexpr DurationType any_duration{{Duration{0}, year}};
constexpr DurationType some_duration{{Duration{1}, year}};
constexpr NumberType rating{{-rating_max, rating_max}};
constexpr TextType path{path_bytes_max};
constexpr IntegerType connections{{1, 1'000'000}};
constexpr DurationType deadline{{Duration{100}, one_hour}};

constexpr std::string_view text = R"("$ref":"#/$defs/text")";
constexpr std::string_view texts = R"("type":"array","items":{"$ref":"#/$defs/text"})";
constexpr std::string_view text_or_texts =
    R"("anyOf":[{"$ref":"#/$defs/text"},{"type":"array","minItems":1,"items":{"$ref":"#/$defs/text"}}])";
constexpr std::string_view boolean = R"("anyOf":[{"type":"boolean"},{"$ref":"#/$defs/variable"}])";
constexpr std::string_view conditions = R"("$ref":"#/$defs/conditions")";
constexpr std::string_view tests =
    R"("type":"array","items":{"anyOf":[{"$ref":"#/$defs/text"},{"type":"object","required":["metric"],)"
    R"("additionalProperties":false,"properties":{"metric":{"$ref":"#/$defs/text"},"better":{"enum":["higher","lower"]},)"
    R"("mde":{"$ref":"#/$defs/change"},"margin":{"$ref":"#/$defs/change"}}}]})";
constexpr std::string_view duration = R"("$ref":"#/$defs/duration")";

}  // namespace

constexpr std::array<Key<Config>, 1> root_keys{
    key<&Config::threads>("threads", IntegerType{{0, 1024}}, free, "threads that evaluate; 0: one a core")};

constexpr std::array<Key<Limits>, 14> limits_keys{
    key<&Limits::list_items>("list_items", IntegerType{{1, 1'000'000}}, meaning, "a longer list is invalid"),
    key<&Limits::id_bytes>("id_bytes", IntegerType{{1, 65'536}}, meaning, "a record with a longer id is invalid"),
    key<&Limits::segment_bytes>("segment_bytes", IntegerType{{1, 65'536}}, meaning,
                                "a record with a longer segment key or value is invalid"),
    key<&Limits::message_bytes>("message_bytes", SizeType{{kib, 256 * mib}}, meaning, "a longer record is invalid"),
    key<&Limits::segment_values>("segment_values", IntegerType{{1, 1'000'000}}, additive,
                                 "values of a combination in a window; the rest is (other)"),
    key<&Limits::distinct_items>("distinct_items", IntegerType{{1, 1'000'000'000}}, additive,
                                 "distinct items that a row counts at most"),
    key<&Limits::compared_lists>("compared_lists", IntegerType{{2, 1'000'000}}, additive,
                                 "lists that personalisation compares; of more a sample"),
    key<&Limits::experiment_users>("experiment_users", IntegerType{{1, 10'000'000'000}}, free,
                                   "members of an experiment that are remembered; of more a sample"),
    key<&Limits::windows_per_list>("windows_per_list", IntegerType{{1, 100'000}}, free,  // each pane costs memory
                                   "windows of a kind that a list may lie in: size / slide"),
    key<&Limits::values_per_list>("values_per_list", IntegerType{{1, 1'000'000'000}}, free, "values a list may go into"),
    key<&Limits::values_per_day>("values_per_day", IntegerType{{1, 1'000'000'000'000}}, free,
                                 "values that a day of events may make"),
    by_hand<Limits>("tolerated_reasons", "", free, "reasons of invalid records that are by design"),
    key<&Limits::invalid_share>("invalid_share", NumberType{{0, 1}}, free, "a larger share of invalid records ends a replay"),
    key<&Limits::lost_share>("lost_share", NumberType{{0, 1}}, free,
                             "a larger share of late and future events ends a replay")};

constexpr std::array<Key<Config>, 4> time_keys{
    key<&Config::command_line, &InputSpec::allowed_lateness>("allowed_lateness", any_duration, meaning,
                                                             "how far an event may lie behind the newest one"),
    key<&Config::spec, &EvaluatorSpec::time, &TimeRule::max_future_skew>(
        "max_future_skew", any_duration, meaning, "how far an event may lie ahead of its broker's time"),
    key<&Config::spec, &EvaluatorSpec::time, &TimeRule::max_step>(
        "max_step", any_duration, free, "how far an event of a plain file may lie ahead of those before; 0s: any"),
    key<&Config::command_line, &InputSpec::idle_after>("idle_after", some_duration, free,
                                                       "after so long without records, others do not wait")};

constexpr std::array<Key<JoinRule>, 9> join_keys{
    key<&JoinRule::key, &JoinKey::by>("key", WordType{join_key_words}, meaning, "by what feedback finds its list"),
    key<&JoinRule::credit>("credit", WordType{credit_words}, meaning, "which of several lists is credited"),
    by_hand<JoinRule>("horizons", R"("type":"array","minItems":1,"maxItems":32,"items":{"$ref":"#/$defs/duration"})",
                      additive, "how long after a list feedback counts; the longest is a key of meaning"),
    by_hand<JoinRule>("actions", "", meaning, "what counts as relevant, and how much"),
    key<&JoinRule::skew>("skew", any_duration, meaning, "how far feedback may lie before its list"),
    key<&JoinRule::same_list>("same_list", some_duration, meaning, "for how long a list id means the same list"),
    key<&JoinRule::assemble>("assemble", any_duration, meaning, "for how long pieces of one list are gathered"),
    key<&JoinRule::whole_lists>("whole_lists", WordType{whole_lists_words}, meaning,
                                "what a further whole list of an id does: continue the list, or open its own"),
    by_hand<JoinRule>("not_users", texts, meaning, "ids that stand for no user")};

constexpr std::array<Key<Action>, 7> action_keys{
    key<&Action::gain>("gain", NumberType{{0, 1e6}}, meaning, "the grade of an item with this action"),
    key<&Action::horizon>("horizon", some_duration, meaning, "its own horizon, not above the longest"),
    by_hand<Action>(
        "from", R"("anyOf":[{"enum":["user_mean"]},{"$ref":"#/$defs/number"}])", meaning,
        "rating: the smallest value that is relevant; user_mean: those above the user's mean before; others count"),
    by_hand<Action>("after", text, meaning, "counts only on what had this action before"),
    by_hand<Action>("undoes", text, meaning, "takes back this action, as a return does a purchase; instead of `after`"),
    by_hand<Action>("once", R"("enum":["event_id"])", meaning,
                    "event_id: the same user, item and event id count once within the longest horizon"),
    by_hand<Action>("on", R"("enum":["item","list"])", meaning,
                    "list: done to a whole list, such as a thumb on an answer; its feedback names no item")};

constexpr std::array<Key<CsvForm>, 8> csv_keys{
    key<&CsvForm::delimiter>("delimiter", TextType{3}, meaning, "what stands between columns, or tab; recognised by default"),
    key<&CsvForm::quote>("quote", TextType{4}, meaning,
                         "what a cell stands in that holds a delimiter, or none; \" by default"),
    key<&CsvForm::escape>("escape", TextType{4}, meaning,
                          "what makes the next character literal, such as \\; by default none"),
    key<&CsvForm::comment>("comment", TextType{4}, meaning, "a line that begins with it is no row; by default none is"),
    key<&CsvForm::decimal>("decimal", TextType{4}, meaning, "the decimal mark of numbers, . or ,; by default ."),
    key<&CsvForm::skip>("skip", IntegerType{{0, 1000}}, meaning, "lines before the header that are not read"),
    key<&CsvForm::header>("header", BooleanType{}, meaning, "whether the first row names the columns"),
    by_hand<CsvForm>("columns", texts, meaning, "the names of the columns of rows without a header")};

constexpr std::array<Key<RegistrySpec>, 6> registry_keys{
    key<&RegistrySpec::url>("url", TextType{path_bytes_max}, free, "http or https, host and port of a schema registry"),
    key<&RegistrySpec::user>("user", TextType{256}, free, "the name it is asked under"),
    key<&RegistrySpec::password>("password", TextType{path_bytes_max}, free, "of that name; better a variable, ${PW}"),
    key<&RegistrySpec::ca>("ca", path, free, "whose certificates are trusted, a PEM file; by default the system says"),
    key<&RegistrySpec::certificate>("certificate", path, free, "of the client, for mutual TLS, a PEM file"),
    key<&RegistrySpec::key>("key", path, free, "of that certificate, a PEM file")};

constexpr std::array<Key<InputSpec>, 19> input_keys{
    by_hand<InputSpec>("topic", text_or_texts, meaning, "what is read"),
    by_hand<InputSpec>("file", text_or_texts, free, "what replay reads"),
    key<&InputSpec::format>("format", WordType{format_words}, meaning,
                            "auto: a file is recognised, a topic is jsonl; kcat: a dump of a topic by kcat -J"),
    by_hand<InputSpec>("shape", text, meaning, "a preset for logs of a known kind, which fills in what is not written"),
    key<&InputSpec::records>("records", TextType{1024}, meaning, "json: the path of the array of records in its document"),
    key<&InputSpec::schema>("schema", path, meaning, "avro, protobuf: a file with the schema of all messages"),
    key<&InputSpec::message>("message", TextType{1024}, meaning, "protobuf: the full name of their type"),
    by_hand<InputSpec>("root", text, meaning, "the path of the object in a record that paths begin at"),
    by_hand<InputSpec>("absent", texts, meaning, "texts that stand for no value"),
    by_hand<InputSpec>("text_numbers", boolean, meaning, "whether \"17\" is a number; in CSV it is"),
    by_hand<InputSpec>("fields", "", meaning, "where known fields stand, as dotted paths, or how they are made"),
    by_hand<InputSpec>("entries", conditions, meaning, "which entries of `items` count"),
    by_hand<InputSpec>("events", "", meaning, "what events a record is, by conditions; instead of `types`"),
    by_hand<InputSpec>("types", R"("type":"object","additionalProperties":{"$ref":"#/$defs/text"})", meaning,
                       "the log's words for `impression` and the actions"),
    by_hand<InputSpec>("unit", "", meaning, "the unit of times, or {pattern: ...} of texts"),
    by_hand<InputSpec>("zone", text, meaning, "the time zone of times without an offset"),
    key<&InputSpec::fields, &FieldTable::position_base>("position_base", IntegerType{{0, 1}}, meaning,
                                                        "the number of the first rank"),
    key<&InputSpec::allowed_lateness>("allowed_lateness", any_duration, meaning, "instead of time.allowed_lateness"),
    key<&InputSpec::idle_after>("idle_after", some_duration, free, "instead of time.idle_after")};

constexpr std::array<Key<WindowSpec>, 4> window_keys{
    by_hand<WindowSpec>("name", text, additive, "names the window in rows and queries"),
    by_hand<WindowSpec>("size", R"("anyOf":[{"enum":["all"]},{"$ref":"#/$defs/duration"}])", additive,
                        "how long it is; `all`: from the first list of a log to the last"),
    key<&WindowSpec::slide>("slide", some_duration, additive,
                            "one starts so often; a part of the size, which it is by default"),
    key<&WindowSpec::offset>("offset", any_duration, additive, "moves the starts; shorter than the slide")};

constexpr std::array<Key<PopularitySpec>, 3> popularity_keys{
    key<&PopularitySpec::period_ms>("period", DurationType{{Duration{1000}, year}}, additive,
                                    "trailing period over which users are counted"),
    key<&PopularitySpec::step_ms>("step", DurationType{{Duration{1000}, year}}, additive, "how often it moves on"),
    key<&PopularitySpec::top>("top", IntegerType{{1, 1'000'000'000}}, additive, "serendipity: the most popular items")};

constexpr std::array<Key<OffPolicySpec>, 5> off_policy_keys{
    key<&OffPolicySpec::propensities>("propensities", WordType{propensities_words}, meaning,
                                      "what they are: of an item at its rank, or given the ranks above"),
    key<&OffPolicySpec::reward>("reward", WordType{reward_words}, meaning,
                                "what an item brings: its grade, 1 where it is relevant, or what an action was worth"),
    key<&OffPolicySpec::logging>("logging", WordType{logging_words}, meaning,
                                 "how lists were drawn: each rank for itself, or all lists equally likely"),
    key<&OffPolicySpec::min_ess>("min_ess", NumberType{{0, 1e12}}, meaning,
                                 "an estimate of fewer effective lists or users is refused; 0: none is"),
    key<&OffPolicySpec::max_weight_share>("max_weight_share", NumberType{{0, 1}}, meaning,
                                          "one of which a single weight makes more is refused; 1: none is")};

constexpr std::array<Key<AttributionSpec>, 4> attribution_keys{
    by_hand<AttributionSpec>("windows", texts, additive, "whose rows a live run can say of why they changed"),
    key<&AttributionSpec::keep>("keep", DurationType{{one_minute, year}}, free, "for how long it can"),
    key<&AttributionSpec::ranks>("ranks", BooleanType{}, additive, "also by rank"),
    key<&AttributionSpec::item_group>("item_group", TextType{segment_key_bytes_max}, additive,
                                      "also by the values of this attribute of the catalogue")};

constexpr std::array<Key<RatingRule>, 7> ratings_keys{
    key<&RatingRule::min>("min", rating, meaning, "the smallest rating"),
    key<&RatingRule::max>("max", rating, meaning, "the largest rating"),
    by_hand<RatingRule>("extremes", R"("type":"array","minItems":2,"maxItems":2,"items":{"$ref":"#/$defs/number"})", meaning,
                        "mae_extremes: over ratings below the first or above the second"),
    key<&RatingRule::reversal>("reversal", NumberType{{0, 2e8}}, meaning, "reversals: by how much predictions are off"),
    key<&RatingRule::half_life>("half_life", NumberType{{0, 1e6}}, meaning,
                                "half_life_utility: the rank half of the users reach"),
    key<&RatingRule::default_vote>("default_vote", rating, meaning, "half_life_utility: the rating that is worth nothing"),
    key<&RatingRule::liked>("liked", rating, meaning, "error_rate, rated_auc: an item rated below it was wrong")};

constexpr std::array<Key<LaneSpec>, 5> lane_keys{
    by_hand<LaneSpec>("names", texts, meaning, "recommenders whose candidates are judged beside the logged lists"),
    key<&LaneSpec::logged>("logged", WordType{logged_words}, meaning,
                           "the logged lists are judged as usual, or by the rule of the others, to be compared with them"),
    key<&LaneSpec::credit>("credit", WordType{credit_words}, meaning, "which of several lists of a lane is credited"),
    key<&LaneSpec::pairs>("pairs", BooleanType{}, meaning, "only places where each lane has a list count"),
    key<&LaneSpec::unjudged>("unjudged", WordType{unjudged_words}, meaning,
                             "items the user was not shown count as not relevant, or are taken out first")};

constexpr std::array<Key<ExperimentSpec>, 15> experiment_keys{
    by_hand<ExperimentSpec>("name", text, free, "names the experiment in its rows"),
    by_hand<ExperimentSpec>("teams",
                            R"("type":["object","null"],"required":["a","b"],"additionalProperties":false,)"
                            R"("properties":{"a":{"$ref":"#/$defs/text"},"b":{"$ref":"#/$defs/text"}})",
                            free, "the two that draft each list, as `teams` of impressions names them; instead of `arms`"),
    by_hand<ExperimentSpec>("start", text, free, "lists count from here on; a multiple of `every`"),
    by_hand<ExperimentSpec>("duration", duration, free, "the last look is so long after the start; a multiple of `every`"),
    key<&ExperimentSpec::min_duration>("min_duration", any_duration, free,
                                       "before it nothing is shipped; by default 7d, and no more than `duration`"),
    key<&ExperimentSpec::every>("every", DurationType{{one_minute, year}}, free, "a look so often; a multiple of 1m"),
    by_hand<ExperimentSpec>("horizon", duration, free, "at which of join.horizons; needed where there are several"),
    key<&ExperimentSpec::assign>("assign", WordType{assign_words}, free, "what was randomised"),
    by_hand<ExperimentSpec>("allocation", R"("type":"array","items":{"$ref":"#/$defs/number"})", free,
                            "the planned share of each arm; equal by default"),
    by_hand<ExperimentSpec>("primary", tests, free, "what decides, each with mde, the change worth acting on"),
    by_hand<ExperimentSpec>("guardrails", tests, free,
                            "what must not get worse, by `margin`; the first primary's mde by default"),
    by_hand<ExperimentSpec>("secondary", tests, free, "what is looked at besides"),
    key<&ExperimentSpec::alpha>("alpha", NumberType{{1e-6, 0.5}}, free, "how often a verdict may be wrong"),
    key<&ExperimentSpec::fdr>("fdr", NumberType{{1e-6, 0.5}}, free, "the share of false ones among secondary discoveries"),
    key<&ExperimentSpec::mixed_share>("mixed_share", NumberType{{0, 1}}, free,
                                      "a larger share of users who saw two arms holds the verdict")};

constexpr std::array<Key<KafkaSpec>, 8> kafka_keys{
    by_hand<KafkaSpec>("brokers", text, free, "host:port, several joined by commas"),
    key<&KafkaSpec::group>("group", TextType{249}, free, "the consumer group that lag tools see"),
    by_hand<KafkaSpec>("start", text, free, "stored, earliest, latest, a time, or -3d"),
    key<&KafkaSpec::on_gap>("on_gap", WordType{gap_words}, free, "where to go on when the next offsets are gone"),
    key<&KafkaSpec::session>("session", DurationType{{Duration{1'000}, one_hour}}, free,
                             "how long a member that is gone keeps its place in the group"),
    key<&KafkaSpec::align>("align", some_duration, free, "how far one partition may run ahead of another"),
    key<&KafkaSpec::memory>("memory", SizeType{{mib, mib* mib}}, free, "prefetch of all partitions together"),
    by_hand<KafkaSpec>("properties", R"("type":"object","additionalProperties":{"$ref":"#/$defs/text"})", free,
                       "properties of librdkafka")};

constexpr std::array<Key<StateSpec>, 5> state_keys{
    key<&StateSpec::dir>("dir", path, free, "where the state lies"),
    key<&StateSpec::memory>("memory", SizeType{{16 * mib, 16 * mib* mib}}, free, "memory of lists and feedback"),
    key<&StateSpec::checkpoint_every>("checkpoint_every", DurationType{{Duration{10}, one_hour}}, free,
                                      "how often, at most, the state is written"),
    key<&StateSpec::durability>("durability", WordType{durability_words}, free, "what a checkpoint survives"),
    key<&StateSpec::keep_results>("keep_results", DurationType{{Duration{0}, duration_max}}, free,
                                  "for how long rows are kept for queries")};

constexpr std::array<Key<PublishSpec>, 1> publish_keys{
    key<&PublishSpec::every>("every", DurationType{{Duration{100}, one_day}}, free, "how often provisional rows are made")};
constexpr std::array<Key<File>, 3> publish_file_keys{
    key<&File::path>("path", path, free, "the file that rows go to"),
    key<&File::provisional>("provisional", BooleanType{}, free, "also provisional rows"),
    key<&File::rotate>("rotate", DurationType{{one_minute, year}}, free, "how often a file is begun")};

constexpr std::array<Key<Http>, 8> http_keys{
    by_hand<Http>("listen", text, free, "host:port, or off"),
    by_hand<Http>("probes", text, free, "where /livez and /readyz are asked for without token"),
    key<&Http::token_file>("token_file", path, free, "a file with the bearer token"),
    key<&Http::certificate>("certificate", path, free, "for TLS, a PEM file"),
    key<&Http::key>("key", path, free, "for TLS, a PEM file"),
    key<&Http::force>("force", BooleanType{}, free, "listen beyond loopback without token or TLS"),
    by_hand<Http>("hosts", texts, free, "names it answers to on loopback without a token"),
    by_hand<Http>("embed", texts, free, "origins whose pages may show this one in a frame")};

// Low enough that a small machine is safe, high enough that none is in the way; what is beyond is a mistake in writing.
constexpr std::array<Key<HttpLimits>, 14> http_limits_keys{
    key<&HttpLimits::connections_max>("connections_max", connections, free, "clients at once"),
    key<&HttpLimits::peer_connections_max>("peer_connections_max", connections, free, "clients of one address"),
    key<&HttpLimits::header_bytes_max>("header_bytes_max", SizeType{{kib, mib}}, free, "of a request's header"),
    key<&HttpLimits::fields_max>("fields_max", IntegerType{{8, 10'000}}, free, "fields of a header"),
    key<&HttpLimits::body_bytes_max>("body_bytes_max", SizeType{{kib, 64 * mib}}, free, "of a request's body"),
    key<&HttpLimits::pending_bytes_max>("pending_bytes_max", SizeType{{mib, 64 * kib* mib}}, free,
                                        "unsent to all clients together"),
    key<&HttpLimits::stream_bytes_max>("stream_bytes_max", SizeType{{16 * kib, 64 * mib}}, free,
                                       "unsent to one client of a stream"),
    key<&HttpLimits::header>("header", deadline, free, "time for a header"),
    key<&HttpLimits::body>("body", deadline, free, "time for a body"),
    key<&HttpLimits::idle>("idle", deadline, free, "time without a request"),
    key<&HttpLimits::write>("write", deadline, free, "time in which a client takes nothing"),
    key<&HttpLimits::linger>("linger", deadline, free, "time a client has to see an end coming"),
    key<&HttpLimits::heartbeat>("heartbeat", deadline, free, "how often a quiet stream is written to"),
    key<&HttpLimits::retry>("retry", deadline, free, "after what time a stream's client comes back")};

constexpr std::array<Key<PrequentialSpec>, 15> prequential_keys{
    key<&PrequentialSpec::at>("at", WordType{at_words}, free,
                              "when a list is wanted: where a user acts, where one was shown, or every so often"),
    key<&PrequentialSpec::every>("every", DurationType{{Duration{1000}, year}}, free, "of at: every, how often"),
    key<&PrequentialSpec::active>("active", some_duration, free,
                                  "of at: every, how lately a user must have acted to be asked for"),
    by_hand<PrequentialSpec>("targets", texts, free, "the actions that are to be foreseen; by default those with a gain"),
    by_hand<PrequentialSpec>("learn", texts, free, "the actions that recommenders learn from; by default the targets"),
    by_hand<PrequentialSpec>("context", texts, free,
                             "of at: impressions, what a request says of its list: list_id, and keys of its segments"),
    key<&PrequentialSpec::step>("step", any_duration, free, "how often a model learns; 0s: after each event"),
    key<&PrequentialSpec::delay>("delay", any_duration, free, "how long after an event it is known"),
    key<&PrequentialSpec::history>("history", WordType{history_words}, free,
                                   "whether a user's own history is known at once or with the step"),
    key<&PrequentialSpec::candidates>("candidates", WordType{candidate_words}, free, "which items a list may have"),
    key<&PrequentialSpec::recent>("recent", any_duration, free, "of candidates: recent, how recent"),
    key<&PrequentialSpec::exclude>("exclude", WordType{exclude_words}, free, "items that a list may not have"),
    key<&PrequentialSpec::length>("length", IntegerType{{1, 1000}}, free, "items of a list"),
    key<&PrequentialSpec::warmup>("warmup", IntegerType{{0, 1'000'000'000}}, free, "events learned before the first list"),
    key<&PrequentialSpec::seed>("seed", IntegerType{{0, 1'000'000'000}}, free, "of random orders")};

constexpr std::array<Key<PrequentialSpec>, 2> recommender_limits_keys{
    key<&PrequentialSpec::pairs_max>("recommender_pairs", IntegerType{{1, 10'000'000'000}}, free,
                                     "pairs of items that one recommender counts"),
    key<&PrequentialSpec::history_max>("recommender_history", IntegerType{{1, 1'000'000}}, free,
                                       "distinct items of a user that are known, the latest")};

constexpr std::array<Key<RecommenderSpec>, 24> recommender_keys{
    by_hand<RecommenderSpec>("name", text, free, "names the recommender in rows"),
    key<&RecommenderSpec::kind>("kind", WordType{recommender_words}, free, "what it does: recmeter recommenders"),
    key<&RecommenderSpec::period>("period", any_duration, free, "popularity: of the events that count; 0s: all"),
    key<&RecommenderSpec::half_life>("half_life", any_duration, free,
                                     "popularity, item_knn: of an event's weight; 0s: it stays"),
    key<&RecommenderSpec::count>("count", WordType{count_words}, free, "popularity: what is counted"),
    key<&RecommenderSpec::window>("window", any_duration, free, "covisit: how far apart two actions may be"),
    key<&RecommenderSpec::context>("context", TextType{segment_key_bytes_max}, free,
                                   "covisit, item_knn: a name in prequential.context; its value is the item to go by"),
    key<&RecommenderSpec::k>("k", IntegerType{{0, 100'000}}, free,
                             "item_knn: neighbours of an item; user_knn (default 20): of a user; 0: all"),
    key<&RecommenderSpec::factors>("factors", IntegerType{{1, 1000}}, free, "isgd: length of a vector"),
    key<&RecommenderSpec::learning_rate>("learning_rate", NumberType{{0, 1}}, free, "isgd: of a step"),
    key<&RecommenderSpec::regularization>("regularization", NumberType{{0, 1}}, free, "isgd: how vectors shrink"),
    key<&RecommenderSpec::iterations>("iterations", IntegerType{{1, 100}}, free, "isgd: steps for each event"),
    key<&RecommenderSpec::seed>("seed", IntegerType{{0, 1'000'000'000}}, free, "isgd: of the first vectors"),
    key<&RecommenderSpec::similarity>("similarity", WordType{similarity_words}, free, "user_knn: of two users' ratings"),
    key<&RecommenderSpec::significance>("significance", IntegerType{{0, 100'000}}, free,
                                        "user_knn: items rated by both for full weight; 0: any number"),
    key<&RecommenderSpec::threshold>("threshold", NumberType{{0, 1}}, free,
                                     "user_knn: neighbours are more similar than that"),
    key<&RecommenderSpec::normalize>(
        "normalize", WordType{normalize_words}, free,
        "user_knn: what of a neighbour's rating counts: all, what is above its mean, in deviations"),
    by_hand<RecommenderSpec>("command", texts, free, "process: the program that is the recommender, and its arguments"),
    key<&RecommenderSpec::connect>("connect", TextType{path_bytes_max}, free,
                                   "process: unix:PATH or tcp:127.0.0.1:PORT, where one listens"),
    key<&RecommenderSpec::batch>("batch", IntegerType{{1, 100'000}}, free, "process: requests, or events, of one message"),
    key<&RecommenderSpec::budget>("budget", any_duration, free,
                                  "process: time for an answer, which is empty beyond it; 0s: the limit"),
    key<&RecommenderSpec::limit>("limit", some_duration, free, "process: time beyond which it has failed"),
    key<&RecommenderSpec::on_failure>("on_failure", WordType{on_failure_words}, free,
                                      "process: the run ends, or its lists are empty from then on"),
    key<&RecommenderSpec::file>("file", path, free, "recorded: where its lists are")};

namespace {

// Read by hand altogether.
struct ByHand {
  std::string_view name, schema;
  KeyKind kind;
  std::string_view words;
};
constexpr std::array others{
    ByHand{"name", text, additive, "names the evaluator in rows and topics"},
    ByHand{"segments[].keys", texts, additive, "segment keys that are reported together"},
    ByHand{"segments[].keep", R"("type":"array")", additive, "values that always have a row"},
    ByHand{"catalog.size", R"("$ref":"#/$defs/integer")", additive, "how many items there are"},
    ByHand{"catalog.file", text, additive, "item ids, one a line, or JSON objects with item_id"},
    ByHand{"metrics.cutoffs",
           R"("type":"array","minItems":1,"maxItems":32,"items":{"anyOf":[{"$ref":"#/$defs/integer"},{"const":"R"}]})",
           additive, "each k of the metrics; R: the number of items relevant to the user"},
    ByHand{"metrics.names", "", additive, "the metrics, by name or with options"},
    ByHand{"metrics.gain", "", additive, "what a grade is worth"},
    ByHand{"metrics.ap_denominator", "", additive, "what average precision is divided by"},
    ByHand{"metrics.beta", R"("$ref":"#/$defs/number","default":2)", additive, "how much recall counts in fbeta"},
    ByHand{"metrics.confidence", R"("$ref":"#/$defs/number","default":0.95)", additive, "of intervals, between 0 and 1"},
    ByHand{"metrics.preset", text, additive, "definitions of that tool"},
    ByHand{"metrics.examination.first", R"("$ref":"#/$defs/number")", additive,
           "coec: the click rate at rank 1 of the lists compared with; above 0, at most 1"},
    ByHand{"metrics.examination.by_rank", R"("type":"array","minItems":1,"maxItems":1000,"items":{"$ref":"#/$defs/number"})",
           additive, "coec: click rates by rank over that at rank 1, which is 1"},
    ByHand{"experiments[].arms.key", text, free, "the segment key that says which arm a list is of"},
    ByHand{"experiments[].arms.values", texts, free, "its values that are arms, 2 to 10; other lists do not count"},
    ByHand{"experiments[].arms.control", text, free, "the arm the others are compared with"},
    ByHand{"experiments[].cuped.before", duration, free, "how long before the start lists explain users' differences"},
    ByHand{"dead_letter.topic", text, free, "where rejected records go"},
    ByHand{"dead_letter.file", text, free, "or a file"},
    ByHand{"dead_letter.fates", R"("type":"array","minItems":1,"items":{"enum":["invalid","future","late"]})", free,
           "which records are written"},
    ByHand{"publish.kafka.topic", text, free, "the topic that rows go to"},
    ByHand{"publish.experiments.file", text, free, "the file that rows of experiments go to"},
    ByHand{"publish.experiments.topic", text, free, "the topic that rows of experiments go to"}};

template <class Object, std::size_t N>
void add(std::vector<ConfigKey>& all, std::string_view section, const std::array<Key<Object>, N>& keys) {
  const Object usual{};
  for (const Key<Object>& key : keys) {
    const Scalar scalar = key.get == nullptr ? Scalar() : key.get(usual);
    const bool has_default = !std::holds_alternative<std::monostate>(scalar) && section != "windows[].";
    all.push_back({std::string(section) + std::string(key.name), key.type, has_default ? scalar_text(key.type, scalar) : "",
                   key.kind, key.words});
  }
}

}  // namespace

std::string scalar_text(const ValueType& type, const Scalar& scalar) {
  if (std::holds_alternative<std::monostate>(scalar)) return "not set";
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&scalar)) return fmt::format("{}", *number);
  if (const auto* string = std::get_if<std::string>(&scalar)) return *string;
  const auto value = std::get<std::int64_t>(scalar);
  if (std::holds_alternative<DurationType>(type)) return text_of(Duration{value});
  if (std::holds_alternative<SizeType>(type)) return text_of_size(static_cast<std::uint64_t>(value));
  if (const auto* word = std::get_if<WordType>(&type)) return std::string(word->words[static_cast<std::size_t>(value)]);
  return std::to_string(value);
}

}  // namespace recmeter::config

namespace recmeter {

std::vector<ConfigKey> config_keys() {
  std::vector<ConfigKey> all;
  config::add(all, "", config::root_keys);
  config::add(all, "inputs[].", config::input_keys);
  config::add(all, "inputs[].csv.", config::csv_keys);
  config::add(all, "inputs[].registry.", config::registry_keys);
  config::add(all, "join.", config::join_keys);
  config::add(all, "join.actions.*.", config::action_keys);
  config::add(all, "time.", config::time_keys);
  config::add(all, "windows[].", config::window_keys);
  for (const config::ByHand& key : config::others) {
    all.push_back({std::string(key.name), config::HandType{key.schema}, "", key.kind, key.words});
  }
  config::add(all, "metrics.popularity.", config::popularity_keys);
  config::add(all, "ratings.", config::ratings_keys);
  config::add(all, "off_policy.", config::off_policy_keys);
  config::add(all, "attribution.", config::attribution_keys);
  config::add(all, "limits.", config::limits_keys);
  config::add(all, "limits.", config::recommender_limits_keys);
  config::add(all, "prequential.", config::prequential_keys);
  config::add(all, "recommenders[].", config::recommender_keys);
  config::add(all, "lanes.", config::lane_keys);
  config::add(all, "experiments[].", config::experiment_keys);
  config::add(all, "kafka.", config::kafka_keys);
  config::add(all, "state.", config::state_keys);
  config::add(all, "publish.", config::publish_keys);
  config::add(all, "publish.file.", config::publish_file_keys);
  config::add(all, "publish.http.", config::http_keys);
  config::add(all, "publish.http.limits.", config::http_limits_keys);
  return all;
}

}  // namespace recmeter
