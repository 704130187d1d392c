// The module recmeter._core: bindings of evaluate.h, and nothing else. What users call is in recmeter/__init__.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <future>

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

nb::dict evaluate(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                  std::size_t threads) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), threads);
  const auto done = unlocked([&](const std::atomic<bool>& stop) { return python::evaluate(asked, [&] { return !stop; }); });
  nb::list invalid;
  for (const InvalidRecord& record : done.invalid) {
    nb::dict one;
    one["input"] = record.partition;
    const auto row = asked.frames.empty() ? std::nullopt : arrow::row_number(record.sample.record);
    one["place"] = row ? "row " + std::to_string(*row) : "line " + std::to_string(record.sample.line);
    one["fault"] = fault_text(record.sample);
    invalid.append(one);
  }
  nb::dict out;
  out["rows"] = nb::bytes(done.rows.data(), done.rows.size());
  out["report"] = done.report;
  out["warnings"] = done.warnings;
  out["exceeds_limits"] = done.exceeds_limits;
  out["invalid"] = invalid;
  return out;
}

nb::bytes prequential(std::string config, const nb::list& frames, std::vector<std::string> files, std::string sort,
                      std::size_t threads) {
  const python::Asked asked = asked_of(std::move(config), frames, std::move(files), std::move(sort), threads);
  const auto rows = unlocked([&](const std::atomic<bool>& stop) { return python::prequential(asked, stop); });
  return nb::bytes(rows.data(), rows.size());
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
  module.def("prequential", &prequential);
  module.def("diagnose", &diagnose);
  module.def("propose", &propose);
  module.def("metric_question", &metric_question);
}
