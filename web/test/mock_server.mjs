// The API of web/API.md over a made-up world, on loopback, for tests of the page and for its makers:
//
//   npm run mock            builds the page and serves it at http://127.0.0.1:8099/; a minute of event time passes every 2 s
//
// Beside the API it listens to what tests ask of it in the program (class Mock); nothing of that can be reached by HTTP.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { HORIZONS, METRICS, World, WINDOWS } from "./mock_world.mjs";

const dist = process.env.RECMETER_WEB_DIST ?? join(dirname(fileURLToPath(import.meta.url)), "../dist");
const file = (name) => readFileSync(join(dist, name), "utf8");
const RING = 4000;

class Problem extends Error {
  constructor(status, title, detail) {
    super(detail);
    Object.assign(this, { status, title, detail });
  }
}
const bad = (detail) => new Problem(400, "Bad Request", detail);

function segmentOf(text) {
  const segment = {};
  if (text === "") return segment;
  for (const pair of text.match(/(?:\\.|[^\\,])+/gs) ?? []) {
    const [key, value, rest] = pair.match(/(?:\\.|[^\\:])+/gs) ?? [];
    if (value === undefined || rest !== undefined) throw bad(`segment: '${pair}' is not key:value`);
    segment[key.replace(/\\(.)/gs, "$1")] = value.replace(/\\(.)/gs, "$1");
  }
  return segment;
}

// As strict as the evaluator: what is unknown is refused, so that the page cannot rely on what is not there.
function parameters(query, sides) {
  const allowed = new Set(["window", "metric", "horizon", "from", "to", ...sides]);
  for (const name of query.keys()) if (!allowed.has(name)) throw bad(`unknown parameter ${name}`);
  const one = (name, known) => {
    const value = query.get(name);
    if (!known.includes(value)) throw bad(`${name}: there is no '${value}'`);
    return value;
  };
  const number = (name) => {
    if (!query.has(name)) return undefined;
    if (!/^\d+(\.\d+)?$/.test(query.get(name))) throw bad(`${name}: not a number`);
    return Number(query.get(name));
  };
  return {
    window: one(
      "window",
      WINDOWS.map((w) => w.name),
    ),
    metric: one("metric", METRICS),
    horizon: one("horizon", Object.keys(HORIZONS)),
    from: number("from"),
    to: number("to"),
    matured: sides.includes("matured") ? number("matured") : undefined,
  };
}

function columnsOfLooks(looks, metric, arm) {
  const of = (look) => look.metrics.find((one) => one.metric === metric).comparisons.find((one) => one.arm === arm).relative;
  const column = (value) => looks.map((look) => value(of(look), look));
  return {
    experiment: looks[0].experiment,
    metric,
    arm,
    columns: {
      end: column((_, look) => look.end),
      lists: column((_, look) => look.arms[1].lists),
      difference: column((one) => one.value),
      ci_low: column((one) => one.ci[0]),
      ci_high: column((one) => one.ci[1]),
      cs_low: column((one) => one.cs[0]),
      cs_high: column((one) => one.cs[1]),
    },
  };
}

export class Mock {
  constructor(options = {}) {
    this.world = new World(options);
    this.token = options.token ?? null;
    this.ring = [];
    this.lastId = 0;
    this.clients = new Set();
    this.refuses = false;
    this.asked = []; // paths with queries, in order
    this.server = createServer((request, response) => this.serve(request, response));
  }

  listen(port = 0) {
    return new Promise((resolve) =>
      this.server.listen(port, "127.0.0.1", () => {
        this.url = `http://127.0.0.1:${this.server.address().port}`;
        resolve(this);
      }),
    );
  }

  async close() {
    for (const client of this.clients) client.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  // Minutes pass. `told` false: their rows are lost on the way, as when a client was too slow.
  pass(minutes, told = true) {
    for (let i = 0; i < minutes; i++) {
      for (const row of this.world.pass()) if (told) this.emit("row", row);
    }
    this.emit("status", this.world.status());
  }

  emit(type, data) {
    const event = { id: ++this.lastId, text: `id: ${this.lastId}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n` };
    this.ring.push(event);
    if (this.ring.length > RING) this.ring.shift();
    for (const client of this.clients) client.write(event.text);
  }

  // Connections of the stream break off; with `refuses` new ones are turned away until it is false again.
  cut({ refuses = false } = {}) {
    this.refuses = refuses;
    for (const client of this.clients) client.destroy();
    this.clients.clear();
  }

  forget() {
    this.ring = [];
  } // what was lost cannot be had again
  gap() {
    this.emit("gap", {});
  }

  serve(request, response) {
    const url = new URL(request.url, this.url);
    this.asked.push(request.url);
    try {
      if (this.refuses) throw new Problem(503, "Service Unavailable", "the evaluator is starting");
      this.answer(url, request, response);
    } catch (error) {
      const { status = 500, title = "Internal Server Error", detail = String(error) } = error;
      const problem = JSON.stringify({ type: "about:blank", title, status, detail });
      response.writeHead(status, { "content-type": "application/problem+json" }).end(problem);
    }
  }

  answer(url, request, response) {
    const html = (text, policy) =>
      response
        .writeHead(200, {
          "content-type": "text/html; charset=utf-8",
          "cache-control": "no-store",
          ...(policy ? { "content-security-policy": policy } : {}),
        })
        .end(text);
    if (url.pathname === "/") return html(file("page.html"), file("page.csp"));
    if (url.pathname.startsWith("/report")) return html(this.report(url.pathname.split("-").slice(1)));
    if (this.token !== null && request.headers.authorization !== `Bearer ${this.token}`) {
      throw new Problem(401, "Unauthorized", "a token is needed");
    }
    const json = (value) => {
      const packed = gzipSync(JSON.stringify(value), { level: 1 });
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
    };
    const { world } = this;
    switch (url.pathname) {
      case "/api/v1/status":
        return json(world.status());
      case "/api/v1/definitions":
        return json(world.definitions());
      case "/api/v1/series":
        return json(
          world.series({
            ...parameters(url.searchParams, ["segment", "matured"]),
            segment: segmentOf(url.searchParams.get("segment") ?? ""),
          }),
        );
      case "/api/v1/compare":
        return json(
          world.compare({
            ...parameters(url.searchParams, ["a", "b"]),
            a: segmentOf(url.searchParams.get("a") ?? ""),
            b: segmentOf(url.searchParams.get("b") ?? ""),
          }),
        );
      case "/api/v1/why":
        if (world.explained.length === 0) throw new Problem(404, "Not Found", "this run keeps nothing to say it by");
        return json({
          schema: "recmeter.why/1",
          metric: url.searchParams.get("metric"),
          words: `${url.searchParams.get("metric")} ${world.words}`,
          may_be_chance: world.words.includes("may be chance"),
        });
      case "/api/v1/experiments":
        return json({ experiments: world.experiment ? [world.experiment.all().at(-1)] : [] });
      case "/api/v1/stream":
        return this.stream(request, response);
      default:
        if (world.experiment && url.pathname === `/api/v1/experiments/${world.experiment.name}`) {
          return json(columnsOfLooks(world.experiment.all(), url.searchParams.get("metric"), url.searchParams.get("arm")));
        }
        throw new Problem(404, "Not Found", `there is no ${url.pathname}`);
    }
  }

  stream(request, response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    const last = Number(request.headers["last-event-id"] ?? NaN);
    const missed = this.ring.filter((event) => event.id > last);
    response.write("retry: 1000\n\n");
    if (last === this.lastId || missed[0]?.id === last + 1) {
      for (const event of missed) response.write(event.text);
    } else {
      if (!Number.isNaN(last)) response.write("event: gap\ndata: {}\n\n");
      response.write(`id: ${this.lastId}\nevent: snapshot\ndata: ${JSON.stringify({ status: this.world.status() })}\n\n`);
    }
    this.clients.add(response);
    const heart = setInterval(() => response.write(": still here\n\n"), 15_000);
    response.on("close", () => {
      clearInterval(heart);
      this.clients.delete(response);
    });
  }

  // A report of the newest three hours of minutes, and of all of them. `forms`: packed; lanes, of recommenders in place of
  // segments; compared, with what the lists of the log say; bare, without segments and the report of the run.
  report(forms = []) {
    const { world } = this;
    const [hasLanes, isBare] = ["lanes", "bare"].map((form) => forms.includes(form));
    const starts = world.starts("minute", world.now - 3 * 3_600_000);
    const shown = isBare ? [{}] : world.allSegments();
    const minutes = starts.flatMap((start) => shown.map((segment) => world.row("minute", start, "30m", segment)));
    const all = minutes.slice(0, shown.length).map((row) => {
      const of = minutes.filter(({ segment }) => JSON.stringify(segment) === JSON.stringify(row.segment));
      return { ...row, window: "all", end: world.now, lists: of.reduce((sum, { lists }) => sum + lists, 0) };
    });
    const isOfOne = ({ segment }) => Object.keys(segment).join() === "variant";
    const asLane = (row) => ({ ...row, segment: { recommender: row.segment.variant } });
    const rows = hasLanes ? [...minutes, ...all].filter(isOfOne).map(asLane) : [...minutes, ...all];
    const note = { schema: "recmeter.page/1", title: "w.jsonl", version: "0.1.0", ...world.definitions() };
    const { evaluator, waiting, ready, reasons, ...accounting } = { ...world.status(), complete: true };
    accounting.partitions = accounting.partitions.map(({ lag_records, lag_seconds, ...partition }) => partition);
    const looks = world.experiment?.all() ?? [];
    const segments = hasLanes ? [{ recommender: "A" }, { recommender: "B" }] : [{}];
    const curves = segments.flatMap((segment) =>
      [0, 1, 5, null].map((k, i) => ({
        schema: "recmeter.curve/1",
        ...{ window: "all", horizon: "30m", segment, k },
        ...{ recall: i / 3, fpr: (i / 3) ** 3, precision: i === 0 ? null : 0.3 / i },
      })),
    );
    const learning = ["top", "knn"].flatMap((recommender, i) =>
      ["1", "2-5", "6+"].flatMap((bucket, at) =>
        [
          { by: "user_events", recall: 0.1 * (at + 1) + 0.02 * i },
          { by: "confidence", mean_confidence: 0.2 * (at + 1), relevant_share: 0.15 * (at + 1) },
        ].map((point) => ({
          schema: "recmeter.learning_curve/1",
          ...{ recommender, horizon: "30m", k: 10, bucket, recall: null, mean_confidence: null, relevant_share: null },
          ...point,
        })),
      ),
    );
    const [first, last] = [starts[0], world.now];
    const compared = [
      ["A", "B", -0.002, [-0.00364, -0.000362], "worse"],
      ["B", "A", 0.002, [0.000362, 0.00364], "better"],
    ].map(([a, b, difference, ci, word]) => ({
      schema: "recmeter.comparison/1",
      ...{ horizon: "30m", metric: "precision@10", a: { variant: a }, b: { variant: b }, start: first, end: last },
      ...{ a_lists: 40, b_lists: 60, difference, ci, relative: null, relative_ci: null, p: 0.0189 },
      words: `${a} against ${b}: precision@10 ${difference} (${ci.join(" to ")}), ${word} at this one look`,
    }));
    const words = "precision@10 fell by 4 % against the window before: fewer lists; no single cause: surface=<b>, -3 %.";
    const why = hasLanes ? [] : [{ schema: "recmeter.why/1", metric: "precision@10", words }];
    const more = [
      ...(isBare ? [] : [accounting]),
      ...(hasLanes ? learning : []),
      ...(forms.includes("compared") ? compared : []),
    ];
    const text = [note, ...more, ...rows, ...why, ...looks, ...curves].map((line) => JSON.stringify(line)).join("\n");
    const carried = forms.includes("packed") ? gzipSync(text).toString("base64") : text.replaceAll("<", "\\u003c");
    return file("report_head.html") + carried + file("report_tail.html");
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mock = await new Mock().listen(Number(process.env.PORT ?? 8099));
  console.log(`the page over made-up numbers: ${mock.url}/  and a report: ${mock.url}/report`);
  setInterval(() => mock.pass(1), 2000);
  mock.world.worse.push({ from: mock.world.now - 3 * 3_600_000, variant: "B", factor: 0.85 });
}
