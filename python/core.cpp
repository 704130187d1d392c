// The module recmeter._core: bindings of evaluate.h and answers.h, and nothing else. What users call is in
// recmeter/__init__.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <future>

#include "answers.h"
#include "config/metric_names.h"
#include "evaluate.h"

namespace nb = nanobind;

namespace {

using namespace recmeter;

// Of the package; they exist once the module is imported from it.
[[noreturn]] void raise(const python::Fault& fault) {
  if (PyErr_Occurred() != nullptr) throw nb::python_error();  // a signal handler's own, such as KeyboardInterrupt
  const char* const name = fault.kind == python::Fault::Kind::configuration ? "ConfigError" : "InputError";
  const nb::object type = nb::module_::import_("recmeter._errors").attr(name);
  PyErr_SetString(type.ptr(), fault.text.c_str());
  throw nb::python_error();
}

// Calls without the interpreter's lock, on a thread of its own: this one looks for signals, so that a Ctrl-C ends the run and
// is not lost in a table's own Python.
template <class Call>
auto unlocked(const Call& call) {
  constexpr std::chrono::milliseconds look_every{20};
  std::atomic<bool> is_interrupted = false;
  auto result = [&] {
    const nb::gil_scoped_release release;
    auto running = std::async(std::launch::async, [&] { return call(is_interrupted); });
    while (running.wait_for(look_every) != std::future_status::ready) {
      if (is_interrupted) continue;
      const nb::gil_scoped_acquire lock;
      is_interrupted = PyErr_CheckSignals() != 0;
    }
    return running.get();
  }();
  if (!result) raise(result.error());
  return std::move(*result);
}

// `frames`: (what gives a capsule of __arrow_c_stream__, name, entry of inputs, whether it can be read again).
python::Asked asked_of(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                       std::size_t threads) {
  python::Asked asked{
      .config = std::move(config), .frames = {}, .files = std::move(files), .sort = std::move(sort), .threads = threads};
  for (const nb::handle one : frames) {
    const auto frame = nb::cast<nb::tuple>(one);
    const nb::object capsule = frame[0]();
    auto* const stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (stream == nullptr) throw nb::python_error();
    const bool keeps = nb::cast<bool>(frame[3]) || asked.sort == "always";
    auto rows = arrow::ArrowFrame::import(*stream, nb::cast<std::string>(frame[1]), keeps);
    if (!rows) raise({python::Fault::Kind::input, rows.error().context});
    asked.frames.push_back({std::move(*rows), nb::cast<std::size_t>(frame[2]), nb::cast<bool>(frame[3])});
  }
  return asked;
}

nb::bytes bytes_of(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

std::string text_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

// The first record for each reason, with where it stands in a table or a file.
nb::list invalid_of(const std::vector<InvalidRecord>& records, bool is_of_tables) {
  nb::list out;
  for (const InvalidRecord& record : records) {
    nb::dict one;
    one["input"] = record.partition;
    const auto row = is_of_tables ? arrow::row_number(record.sample.record) : std::nullopt;
    one["place"] = row ? "row " + std::to_string(*row) : "line " + std::to_string(record.sample.line);
    one["fault"] = fault_text(record.sample);
    out.append(one);
  }
  return out;
}

nb::dict dict_of(const python::Summary& summary) {
  nb::list blocks;
  for (const TableCells::Block& block : summary.cells.blocks) blocks.append(nb::make_tuple(block.title, block.rows));
  nb::dict out;
  out["rows"] = bytes_of(summary.rows);
  out["text"] = summary.text;
  out["header"] = summary.cells.header;
  out["blocks"] = blocks;
  out["notes"] = summary.cells.notes;
  out["below"] = summary.below;
  return out;
}

nb::dict evaluate(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                  std::size_t threads, std::string lists, std::string experiments) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), threads);
  const python::Files written{.lists = std::move(lists), .experiments = std::move(experiments)};
  const auto done =
      unlocked([&](const std::atomic<bool>& stop) { return python::evaluate(asked, written, [&] { return !stop; }); });
  nb::dict out;
  out["rows"] = bytes_of(done.rows);
  out["summary"] = dict_of(done.summary);
  out["report"] = done.report;
  out["warnings"] = done.warnings;
  out["has_experiments"] = done.has_experiments;
  out["exceeds_limits"] = done.exceeds_limits;
  out["invalid"] = invalid_of(done.invalid, !asked.frames.empty());
  return out;
}

nb::dict summarise(const std::string& rows) {
  return dict_of(unlocked([&](const std::atomic<bool>& /*stop*/) { return python::summarise(rows); }));
}

void add_exceeded(nb::dict& out, const python::Exceeded& exceeded, bool is_of_tables) {
  out["limits"] = exceeded.limits;
  out["invalid"] = invalid_of(exceeded.invalid, is_of_tables);
}

nb::dict dict_of(const python::Compared& compared, bool is_of_tables) {
  nb::list words, decisions, shown;
  for (const python::ComparedPair& pair : compared.pairs) {
    words.append(pair.words);
    decisions.append(pair.decision);
    shown.append(pair.is_shown);
  }
  nb::dict out;
  out["lines"] = bytes_of(compared.lines);
  out["words"] = words;
  out["decisions"] = decisions;
  out["shown"] = shown;
  out["text"] = compared.text;
  out["sentences"] = compared.sentences;
  out["cells"] = compared.cells;
  out["notes"] = compared.notes;
  add_exceeded(out, compared.exceeded, is_of_tables);
  return out;
}

nb::dict compare(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                 std::size_t threads, const std::string& by, const std::string& control) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), threads);
  const auto done = unlocked([&](const std::atomic<bool>& stop) { return python::compare(asked, by, control, stop); });
  return dict_of(done, !asked.frames.empty());
}

nb::dict compare_files(const std::vector<std::string>& paths, const std::string& by, const std::string& control) {
  return dict_of(unlocked([&](const std::atomic<bool>& stop) { return python::compare_files(paths, by, control, stop); }),
                 false);
}

bool begins_with_list(const std::string& path) {
  const std::atomic<bool> stop = false;
  return python::begins_with_list(path, stop);
}

// `asked`: window, at, against, key, a, b and by; each may be missing.
python::WhyQuestion question_of(const std::string& metric, const nb::dict& asked, std::size_t top) {
  const auto text = [&](const char* name) {
    return asked.contains(name) ? nb::cast<std::string>(asked[name]) : std::string();
  };
  return {.metric = metric,
          .window = text("window"),
          .at = text("at"),
          .against = text("against"),
          .key = text("key"),
          .a = text("a"),
          .b = text("b"),
          .by = text("by"),
          .top = top};
}

nb::dict dict_of(const python::WhyAnswer& answer, bool is_of_tables) {
  nb::dict out;
  out["json"] = answer.json;
  out["text"] = answer.text;
  add_exceeded(out, answer.exceeded, is_of_tables);
  return out;
}

nb::dict why_of_rows(const std::string& rows, const std::string& metric, const nb::dict& asked, std::size_t top) {
  const python::WhyQuestion question = question_of(metric, asked, top);
  return dict_of(unlocked([&](const std::atomic<bool>& /*stop*/) { return python::why_of_rows(rows, question); }), false);
}

nb::dict why_of_log(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                    std::size_t threads, const std::string& metric, const nb::dict& of, std::size_t top) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), threads);
  const python::WhyQuestion question = question_of(metric, of, top);
  const auto done = unlocked([&](const std::atomic<bool>& stop) { return python::why_of_log(asked, question, stop); });
  return dict_of(done, !asked.frames.empty());
}

nb::dict explain_list(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                      const std::string& list_id, const std::string& user_id) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), 1);
  const auto done =
      unlocked([&](const std::atomic<bool>& stop) { return python::explain_list(asked, list_id, user_id, stop); });
  nb::dict out;
  out["lines"] = bytes_of(done.lines);
  out["text"] = done.text;
  out["invalid"] = done.invalid;
  return out;
}

std::vector<std::string> report(std::string rows, std::string output, std::string run, std::string lists,
                                std::string experiments, std::string curves, std::string learning_curves) {
  const ReportFiles files{.rows = std::move(rows),
                          .output = std::move(output),
                          .report = std::move(run),
                          .lists = std::move(lists),
                          .experiments = std::move(experiments),
                          .curves = std::move(curves),
                          .learning_curves = std::move(learning_curves)};
  return unlocked([&](const std::atomic<bool>& stop) { return python::report(files, stop); });
}

nb::bytes prequential(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                      std::size_t threads) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), threads);
  const auto rows = unlocked([&](const std::atomic<bool>& stop) { return python::prequential(asked, stop); });
  return bytes_of(rows);
}

std::string diagnose(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), 1);
  return unlocked([&](const std::atomic<bool>& stop) { return python::diagnose(asked, [&] { return !stop; }); });
}

std::string propose(const std::vector<std::string>& files) {
  return unlocked([&](const std::atomic<bool>& /*stop*/) { return python::propose(files); });
}

// The nearest key of rows; "" where none is near. [I3.50]
std::string metric_question(const std::string& written, const std::vector<std::string>& keys) {
  return config::metric_question(written, std::vector<std::string_view>(keys.begin(), keys.end()));
}

}  // namespace

NB_MODULE(_core, module) {
  module.def("evaluate", &evaluate);
  module.def("summarise", [](const nb::bytes& rows) { return summarise(text_of(rows)); });
  module.def("compare", &compare);
  module.def("compare_files", &compare_files);
  module.def("begins_with_list", &begins_with_list);
  module.def("why_of_rows", [](const nb::bytes& rows, const std::string& metric, const nb::dict& asked, std::size_t top) {
    return why_of_rows(text_of(rows), metric, asked, top);
  });
  module.def("why_of_log", &why_of_log);
  module.def("explain", &explain_list);
  module.def("report", &report);
  module.def("prequential", &prequential);
  module.def("diagnose", &diagnose);
  module.def("propose", &propose);
  module.def("metric_question", &metric_question);
}
