import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Mock } from "../mock_server.mjs";
import { MockExperiment } from "../mock_experiment.mjs";
import { HOSTILE } from "../mock_world.mjs";
import { openPage, shows, startBrowser, takeShot, windowCount } from "./browser.mjs";

// RECMETER_WEB_SHOTS=DIR: pictures of the page for people to look at.
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const HOUR = 3_600_000;

let browser;
let mock;
let page;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
});
beforeEach(async () => {
  mock = await new Mock().listen();
});
afterEach(async () => {
  const complaints = page?.complaints ?? [];
  await page?.context().close();
  page = undefined;
  await mock.close();
  assert.deepEqual(complaints, []);
});

async function open(path = "/", options = {}) {
  page = await openPage(browser, `${mock.url}${path}`, options);
  if (!options.waitsNot) await shows(page);
  return page;
}
const shot = (name, options) => takeShot(page, name, options);
// The course shows the window that ends at `end`.
const reaches = (end) =>
  page.waitForFunction((wanted) => document.querySelector(".course .plot").dataset.newest === wanted, String(end));
const seriesAsked = () =>
  mock.asked.filter((path) => /series\?.*precision%4010/.test(path) && !path.includes("segment")).length;
const text = (selector) => page.locator(selector).first().innerText();
async function seriousFindings() {
  // Through the debugger, as scripts of the page itself are refused by its policy.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter((v) => ["serious", "critical"].includes(v.impact))
    .map(
      (v) =>
        `${v.id}: ${v.nodes
          .map((n) => `${n.target} ${n.any[0]?.message ?? ""}`)
          .slice(0, 3)
          .join(" | ")}`,
    );
}

test("series appear, and advance as event time does", async () => {
  await open();
  const before_ = await windowCount(page);
  assert.ok(before_ > 300, `${before_} windows`);
  const readout = await text(".course .readout");
  mock.pass(3);
  await page.waitForFunction((old) => document.querySelector(".course .readout").textContent !== old, readout);
  assert.match(await text(".course .readout"), /final$/);
  assert.equal(seriesAsked(), 1, "the stream brings what is new, no series is asked for twice");
});

test("a segment that comes up while the page is open is there without a reload", async () => {
  await open();
  const segments = () => page.locator(".places tbody tr").count();
  const before_ = await segments();
  mock.world.segments = [...mock.world.segments, { keys: ["country"], values: [{ country: "SE" }] }];
  mock.pass(1);
  await page.waitForFunction((old) => document.querySelectorAll(".places tbody tr").length === old + 1, before_);
  assert.match(await text(".places tbody"), /country=SE/);
  const asked = mock.asked.filter((path) => path.includes("/api/v1/status")).length;
  mock.pass(2);
  await page.waitForTimeout(1500);
  assert.equal(mock.asked.filter((path) => path.includes("/api/v1/status")).length, asked, "what is known is not asked for");
});

test("the newest window of the chart is the newest of the evaluator, and values are those of the API", async () => {
  await open("/?metric=mrr&k=5&window=hour&range=12h");
  const { columns } = mock.world.series({ window: "hour", metric: "mrr@5", horizon: "30m", segment: {} });
  const last = columns.stage.lastIndexOf("final");
  assert.match(await text(".course .readout"), new RegExp(columns.value[last].toPrecision(4).replace(".", "\\.")));
});

test("a fall is seen, dated, and found in its segment", async () => {
  mock.world.worse.push({ from: mock.world.now - 2 * HOUR, variant: "B", factor: 0.7 });
  await open("/?segment=variant%3AB");
  await page.waitForFunction(() => /Yes, since 20 Nov 12:0/.test(document.querySelector(".card .word").textContent));
  await page.waitForFunction(() => /segments/.test(document.querySelectorAll(".card .word")[1].textContent));
  assert.match(await page.locator(".card").nth(1).innerText(), /In 3 of 7 segments/);
  assert.match(await page.locator(".card").nth(1).innerText(), /variant=B: −3\d%/);
  const worst = page.locator(".places tbody tr").nth(1);
  assert.match(await worst.innerText(), /variant=B[\s\S]*worse/);
});

test("a fall that has not lasted yet is a perhaps, and is named", async () => {
  mock.world.worse.push({ from: mock.world.now - 2 * HOUR, variant: "B", factor: 0.7 });
  await open("/?window=hour&range=1d");
  await page.waitForFunction(() => /In none for sure/.test(document.querySelectorAll(".card")[1].textContent));
  assert.match(await page.locator(".card").nth(1).innerText(), /Perhaps variant=B[^:]*: −\d\d%/);
});

test("nothing wrong is called as usual, and can be trusted", async () => {
  await open();
  await page.waitForFunction(() => document.querySelectorAll(".card .word")[2].textContent === "Yes");
  assert.match(await text(".card .word"), /as usual|Perhaps|Not for sure/);
});

test("what is not final is set apart, and compared at the same maturity only", async () => {
  await open("/?window=hour&range=12h");
  await page.waitForFunction(() =>
    /earlier windows when \d0% had matured/.test(document.querySelector(".legend").textContent),
  );
  assert.match(await text(".legend"), /not final/);
  assert.match(
    await page.locator(".card").first().innerText(),
    /Not final: .* when \d0% had matured; \d+ earlier windows (mostly )?had/,
  );
  assert.ok(mock.asked.some((path) => /matured=0\.\d/.test(path)));
  await shot("hour-unsettled");
});

test("windows without lists are a gap in the line", async () => {
  await open();
  const hole = mock.world.hole;
  const { columns } = mock.world.series({
    window: "minute",
    metric: "precision@10",
    horizon: "30m",
    segment: {},
    from: mock.world.watermark - 6 * HOUR,
  });
  const ends = columns.end.filter((end) => end > mock.world.now - 6 * HOUR);
  assert.ok(!columns.start.some((start) => start >= hole && start < hole + 5 * 60_000));
  await page.locator(".course .numbers summary").first().click();
  await page.locator(".course .numbers .scroll button").first().click();
  const rows = await page.locator(".course .numbers tbody").first().locator("tr").count();
  assert.ok(Math.abs(rows - ends.length) <= 2, `${rows} rows for ${ends.length} windows`);
});

test("variants are compared, with the interval of their difference", async () => {
  await open("/?window=hour&range=1d");
  await page.waitForFunction(() => /against A/.test(document.querySelector(".summary").textContent));
  assert.match(
    await text(".summary"),
    /^B \(variant=B\) is \+\d.*% relative \(\+\d.*% to \+\d.*%\) against A \(variant=A\), over \d+ final windows since .*: B is higher at this one look\. In the newest, .* it is \+\d.*one look/,
  );
  await page.getByLabel("B", { exact: true }).selectOption("variant:A,surface:home");
  await page.waitForFunction(() => /variant%3AA%2Csurface%3Ahome/.test(location.search));
  await page.waitForFunction(() =>
    document.querySelector(".comparison .plot").getAttribute("aria-label").includes("surface=home"),
  );
  assert.ok(mock.asked.some((path) => path.includes("/compare") && path.includes("a=variant%3AA%2Csurface%3Ahome")));
});

test("after the connection is cut nothing is missing", async () => {
  await open();
  const before_ = await windowCount(page);
  mock.cut({ refuses: true });
  await page.waitForFunction(() => document.body.dataset.connection === "lost");
  assert.match(await page.locator(".card").nth(2).innerText(), /Not now[\s\S]*No word from the evaluator since/);
  assert.equal(await windowCount(page), before_, "what was known stays");
  mock.pass(5);
  mock.refuses = false;
  await page.waitForFunction(() => document.body.dataset.connection === "live");
  await reaches(mock.world.now);
  assert.equal(seriesAsked(), 1, "what was missed came by the stream, from the last id on");
});

test("what the evaluator no longer has is fetched again", async () => {
  await open();
  mock.cut({ refuses: true });
  mock.pass(5);
  mock.forget();
  mock.refuses = false;
  await page.waitForFunction(() => document.body.dataset.connection === "live");
  await reaches(mock.world.now);
  assert.ok(seriesAsked() > 1);
});

test("rows lost on the way are fetched when the evaluator says so", async () => {
  await open();
  mock.pass(4, false);
  mock.gap();
  await reaches(mock.world.now);
});

test("everything chosen is in the address, and the way back works", async () => {
  await open();
  await page.getByLabel("Metric", { exact: true }).selectOption("recall");
  await page.getByLabel("Cutoff", { exact: true }).selectOption("5");
  await page.getByLabel("Window", { exact: true }).selectOption("hour");
  await page.getByLabel("Horizon", { exact: true }).selectOption("2h");
  await page.getByLabel("Segment", { exact: true }).selectOption("variant:A");
  await page.getByLabel("Time", { exact: true }).selectOption("1d");
  const url = new URL(page.url());
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    metric: "recall",
    k: "5",
    window: "hour",
    horizon: "2h",
    segment: "variant:A",
    range: "1d",
  });
  await page.waitForFunction(() => /recall@5 of variant=A/.test(document.querySelector("#course-title").textContent));
  await page.goBack();
  assert.equal(await page.getByLabel("Time", { exact: true }).inputValue(), "auto");
  await page.goto(url.href);
  await shows(page);
  assert.match(await text("#course-title"), /recall@5 of variant=A window hour, horizon 2h/);
});

test("dragging over a chart shows that time, which stays put while more comes", async () => {
  await open();
  const box = await page.locator(".course .u-over").first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => /from=\d+&to=\d+/.test(location.search));
  await page.waitForFunction(() => Number(document.querySelector(".course .plot")?.getAttribute("aria-valuemax")) < 110);
  const count = await windowCount(page);
  assert.ok(count > 70, `${count}`);
  assert.ok(await page.getByLabel("From", { exact: true }).isVisible());
  mock.pass(2);
  await page.waitForTimeout(600);
  assert.equal(await windowCount(page), count);
});

test("values of segments are text, whatever they say", async () => {
  await open(`/?segment=${encodeURIComponent(`variant:${HOSTILE.replace(/[\\,:]/g, "\\$&")}`)}`);
  assert.ok((await text("#course-title")).includes(HOSTILE));
  assert.equal(await page.locator("img").count(), 0);
  assert.notEqual(await page.title(), "owned");
  await page.waitForFunction((value) => document.querySelector(".places").textContent.includes(value), HOSTILE);
});

test("a definition is told on hover and on focus, stays under the pointer, and goes with Escape", async () => {
  await open();
  const term = page.locator("#course-title .term");
  await term.hover();
  assert.match(await text("#definition"), /Which share of the first k ranks[\s\S]*hits_k \/ k[\s\S]*\[0, 1\]/);
  await page.locator("#definition").hover();
  await page.waitForTimeout(400);
  assert.ok(await page.locator("#definition").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#definition").isHidden());
  await page.mouse.move(0, 0);
  await term.focus();
  assert.ok(await page.locator("#definition").isVisible());
});

test("with the keyboard alone: choose, walk through windows, open a table", async () => {
  await open();
  const reached = async (matches) => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(matches)) return;
    }
    assert.fail(`never reached ${matches}`);
  };
  await reached(() => document.activeElement.labels?.[0]?.textContent === "Metric");
  await page.keyboard.press("m"); // the browser's own list goes to what begins so
  await page.waitForFunction(() => /metric=mrr/.test(location.search));
  await page.waitForSelector(".course[aria-busy=false]");
  await reached(() => document.activeElement.matches(".course .plot"));
  const newest = await page.evaluate(() => document.activeElement.getAttribute("aria-valuetext"));
  await page.keyboard.press("ArrowLeft");
  const before_ = await page.evaluate(() => document.activeElement.getAttribute("aria-valuetext"));
  assert.notEqual(before_, newest);
  assert.match(before_, /20 Nov \d\d:\d\d–\d\d:\d\d UTC · 0\.1\d+ \(0\.1\d+ to 0\.1\d+\) · \d+ lists · final/);
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-valuenow")), "0");
  await reached(() => document.activeElement.matches(".course summary"));
  await page.keyboard.press("Enter");
  await page.locator(".course table").first().waitFor({ state: "visible" });
  await reached(() => document.activeElement.textContent === "variant=B");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /segment=variant%3AB/.test(location.search));
  await reached(() => document.activeElement.closest(".grid") && document.activeElement.textContent === "show above");
});

for (const [name, options, path] of [
  ["light", { colorScheme: "light" }, "/"],
  ["dark", { colorScheme: "dark" }, "/"],
  ["360", { width: 360, height: 740, colorScheme: "light" }, "/"],
  ["360-dark", { width: 360, height: 740, colorScheme: "light" }, "/?theme=dark"],
  ["1280-report", { colorScheme: "light" }, "/report"],
  ["360-report", { width: 360, height: 740, colorScheme: "light" }, "/report"],
  ["2560-league-dark", { width: 2560, height: 1440, colorScheme: "dark" }, "/report-lanes"],
  ["4k", { width: 3840, height: 2160, colorScheme: "dark" }, "/"],
  ["wall", { width: 1920, height: 1080, colorScheme: "dark" }, "/?wall=1&window=hour&range=1d"],
]) {
  test(`${name}: nothing overflows, and axe finds nothing serious`, async () => {
    mock.world.worse.push({ from: mock.world.now - 2 * HOUR, variant: "B", factor: 0.7 });
    await open(path, options);
    await page.evaluate(() => {
      for (const table of document.querySelectorAll("details.numbers")) table.open = true;
    });
    // Tables are made in a task of their own after their details are open.
    await page.waitForFunction(() =>
      [...document.querySelectorAll("details.numbers")].every((table) => table.querySelector("tbody")),
    );
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    assert.ok(scroll <= client, `${scroll} wide in ${client}`);
    assert.deepEqual(await seriousFindings(), []);
    await page.evaluate(() => {
      for (const table of document.querySelectorAll("details.numbers")) table.open = false;
    });
    await page.waitForTimeout(300);
    await shot(name);
    await shot(`${name}-whole`, { fullPage: true });
  });
}

test("an experiment has its verdict first, and its distance over all looks", async () => {
  mock.world.experiment = new MockExperiment();
  for (const [name, options] of [
    ["experiment", { colorScheme: "light", height: 1100 }],
    ["experiment-360-dark", { width: 360, height: 1400, colorScheme: "dark" }],
  ]) {
    await open("/report", options);
    await page.waitForSelector(".experiment:not([hidden]) .plot canvas");
    assert.match(await text(".experiment h2"), /^Experiment ranker-7: hold$/);
    assert.match(await text(".experiment .summary"), /at this pace at least 9d more/);
    assert.match(await text(".experiment .readout"), /20 Nov 14:00 UTC · \+2\.\d%/);
    assert.match(await page.locator(".experiment tbody").last().innerText(), /A\s+19,992\s+50%\s+50%/);
    assert.deepEqual(await seriousFindings(), []);
    await shot(name);
    if (name === "experiment") await page.context().close();
  }
});

test("a running evaluator shows its experiment as a report does", async () => {
  mock.world.experiment = new MockExperiment();
  await open("/", {});
  await page.waitForSelector(".experiment:not([hidden]) .plot canvas");
  assert.match(await text(".experiment h2"), /^Experiment ranker-7: hold$/);
  assert.match(await text(".experiment .readout"), /\+2\.\d%/);
  // A look that comes while the page is open: what it says is shown, the verdict too.
  assert.match(await text(".experiment .quiet"), /^Look 168,/);
  Object.assign(mock.world.experiment, { looks: 169, verdict: "ship", reason: "better" });
  mock.emit("experiment", mock.world.experiment.all().at(-1));
  await page.locator(".experiment .quiet", { hasText: /^Look 169,/ }).waitFor();
  assert.match(await text(".experiment h2"), /^Experiment ranker-7: ship$/);
  // Who compares its arms is led to what may be looked at as often as one likes.
  const offer = page.locator(".comparison p", { has: page.locator("a[href='#experiment']") });
  assert.equal(await offer.innerText(), "Experiment ranker-7 may be looked at as often as you like.");
  await page.getByLabel("B", { exact: true }).selectOption("variant:A,surface:home");
  await offer.waitFor({ state: "hidden" });
  await page.context().close();
});

test("what was decided stays the title when the last look says something else", async () => {
  const decided = { end: Date.UTC(2026, 10, 18, 14), verdict: "ship", reason: "better:precision@10" };
  mock.world.experiment = new MockExperiment({ verdict: "stop", reason: "time_up", decided });
  for (const path of ["/report", "/"]) {
    await open(path, { colorScheme: "light", height: 1100 });
    await page.waitForSelector(".experiment:not([hidden]) .plot canvas");
    assert.match(await text(".experiment h2"), /^Experiment ranker-7: ship$/);
    assert.match(
      await text(".experiment .summary"),
      /^Ship B since the look of 18 Nov 14:00.* alone says: Stop B: the time is over/,
    );
    assert.equal(await page.locator("#experiment").getAttribute("data-verdict"), "ship");
    if (path === "/report") await shot("experiment-decided");
    await page.context().close();
  }
});

test("without an experiment nothing of one is there", async () => {
  await open();
  assert.equal(await page.locator(".experiment").isVisible(), false);
});

test("dark is as the machine has it, unless the reader says otherwise, and the charts go along", async () => {
  await open("/", { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(await ground(), "rgb(14, 18, 23)");
  await page.getByLabel("Colours", { exact: true }).selectOption("light");
  assert.equal(await ground(), "rgb(244, 245, 247)");
  await page.reload();
  await shows(page);
  assert.equal(await ground(), "rgb(244, 245, 247)", "remembered");
  await page.getByLabel("Colours", { exact: true }).selectOption("auto");
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(await ground(), "rgb(244, 245, 247)");
});

test("the wall display has no controls, and Escape leaves it", async () => {
  await open();
  await page.getByRole("button", { name: "Wall display" }).click();
  assert.match(page.url(), /wall=1/);
  assert.ok(await page.locator("#controls").isHidden());
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#controls").isVisible());
  assert.doesNotMatch(page.url(), /wall/);
});

test("an evaluator that wants a token is asked with one", async () => {
  await mock.close();
  mock = await new Mock({ token: "s3cret" }).listen();
  await open("/", { waitsNot: true });
  await page.getByLabel("Token", { exact: true }).fill("s3cret");
  await page.keyboard.press("Enter");
  await shows(page);
  mock.pass(1);
  await page.waitForFunction(() => document.body.dataset.connection === "live");
  assert.ok(!page.url().includes("s3cret"));
});

test("an evaluator that is not there yet is waited for", async () => {
  mock.refuses = true;
  const served = mock.answer;
  mock.serve = function (request, response) {
    if (new URL(request.url, this.url).pathname === "/") return served.call(this, new URL("/", this.url), request, response);
    return Mock.prototype.serve.call(this, request, response);
  };
  await open("/", { waitsNot: true });
  await page.waitForFunction(() => /503 the evaluator is starting/.test(document.querySelector("#fault").textContent));
  mock.refuses = false;
  await shows(page);
  assert.ok(await page.locator("#fault").isHidden());
});

for (const form of ["/report", "/report-packed"]) {
  test(`${form}: a report shows two segments side by side and asks nothing of anybody`, async () => {
    await open(form);
    const asked = mock.asked.length;
    assert.equal(await text("#evaluator"), "w.jsonl");
    await page.waitForFunction(() =>
      /Rows do not say how sure/.test(document.querySelector(".comparison .summary").textContent),
    );
    await page.getByLabel("A", { exact: true }).selectOption("variant:A");
    await page.getByLabel("B", { exact: true }).selectOption("variant:B");
    await page.waitForSelector(".plot[aria-label*='variant=A and variant=B'] canvas");
    assert.ok(
      await page.locator(".comparison .chart").nth(1).isHidden(),
      "the difference has no interval, so it is not drawn",
    );
    await page.getByLabel("Metric", { exact: true }).selectOption("gini");
    await page.waitForFunction(() => /gini@10/.test(document.querySelector("#course-title").textContent));
    assert.ok((await page.locator(".places").innerText()).includes(HOSTILE));
    assert.equal(mock.asked.length, asked);
  });
}

test("the page says why the metric shown changed last, unless that may be chance, and anew with each window", async () => {
  mock.world.explained = ["minute"];
  mock.world.words = "fell by 4 % against a day before: it is variant=<b> (-3 %); fewer clicks.";
  await open();
  const card = page.locator(".answer .card").last();
  await page.waitForFunction(() => /fell by 4 %/.test(document.querySelector(".answer").textContent));
  assert.match(
    await card.innerText(),
    /^What changed last, and why\?\n+precision@10 fell by 4 % against a day before\n+It is variant=<b> \(-3 %\)\.\n+Fewer clicks\./,
  );
  assert.ok(mock.asked.includes("/api/v1/why?metric=precision%4010&window=minute"));
  mock.world.words = "rose by 1 % against a day before, which may be chance.";
  mock.pass(1);
  await page.waitForFunction(() => !/fell by 4 %/.test(document.querySelector(".answer").innerText));
  mock.world.words = "rose by 9 % against a day before: everywhere alike.";
  await page.getByLabel("Metric", { exact: true }).selectOption("mrr");
  await page.waitForFunction(() => /mrr@10 rose by 9 %/.test(document.querySelector(".answer").innerText));
});

test("a page of an evaluator that keeps nothing for it does not ask why", async () => {
  await open();
  assert.ok(!mock.asked.some((path) => path.startsWith("/api/v1/why")));
  assert.ok(await page.locator(".answer .card").last().isHidden());
});

test("a report answers first: how good, is one better, can it be trusted; and has nothing of what runs", async () => {
  await open("/report");
  await page.waitForFunction(() => /^0\.\d+$/.test(document.querySelector(".card:not([hidden]) .word").textContent));
  const cards = await page.locator(".card:visible").allInnerTexts();
  assert.match(cards[0], /^How good\? precision@10 of all lists\n+0\.\d+\n+95 % interval: 0\.\d+ to 0\.\d+\./);
  assert.match(cards[1], /^Is .+ better than A\?\n+Not known\n+[\s\S]*--lists/);
  assert.match(
    cards[2],
    /^Can it be trusted\?\n+No fault in the counts\n+<0\.1% of the events are invalid; recmeter doctor LOG/,
  );
  assert.match(
    cards.at(-1),
    /^What changed last, and why\?\n+precision@10 fell by 4 % against the window before\n+Fewer lists\.\n+No single cause: surface=<b>, -3 %\./,
  );
  assert.ok(await page.locator("#connection").isHidden());
  assert.doesNotMatch(await text("#strip"), /connection|lag|\/s/);
  assert.equal(await page.title(), "w.jsonl · recmeter");
});

test("a report without segments and run report is of the whole log, and has nothing that it does not know", async () => {
  await open("/report-bare");
  await page.waitForFunction(() => /^0\.\d+$/.test(document.querySelector(".card:not([hidden]) .word").textContent));
  const cards = await page.locator(".card:visible").allInnerTexts();
  const lists = await page.evaluate(
    () => /([\d,]+) lists/.exec(document.querySelector(".card:not([hidden])").textContent)[1],
  );
  assert.ok(Number(lists.replaceAll(",", "")) > 100_000, `${lists}: of all minutes, not of the last`);
  assert.match(
    cards[1],
    /^Can it be trusted\?\n+Not known\n+Rows .* run replay with --report FILE, then report with the same/,
  );
  assert.ok(await page.locator(".places").isHidden());
  assert.ok(await page.locator(".comparison").isHidden());
  assert.doesNotMatch(await text("main"), /held back|too early|evaluator has no segments|connection/);
});

test("a report made with lists compares as the terminal does", async () => {
  await open("/report-compared?b=variant%3AB");
  const words = "B against A: precision@10 0.002 (0.000362 to 0.00364), better at this one look, p 0.019.";
  await page.locator(".card:visible", { hasText: words }).waitFor();
  assert.match(
    await page.locator(".card:visible").nth(1).innerText(),
    /^Is B better than A\?\n+Yes: better at this one look\n/,
  );
  assert.ok((await text(".comparison .summary")).startsWith(`${words} Over all lists since 20 Nov`));
  assert.ok(await page.locator(".comparison .chart").nth(1).isHidden(), "rows have no course of the difference");
});

test("the comparison of a report without lists opens with the whole log", async () => {
  await open("/report?b=variant%3AB");
  await page.waitForFunction(() =>
    /^Over the whole log: A 0\./.test(document.querySelector(".comparison .summary").textContent),
  );
  const said = /A (\d\.\d+), B (\d\.\d+)/.exec(await text(".comparison .summary"));
  const card = await page.locator(".card:visible").nth(1).innerText();
  assert.ok(card.includes(`B ${said[2]}, A ${said[1]}`), `${card} and ${said[0]}`);
});

// Boxes of what can be seen, by selector.
const boxes = async (selector) => {
  const found = await page.locator(selector).all();
  return Promise.all(found.map((one) => one.boundingBox()));
};

test("no card of a report stands alone below the others", async () => {
  for (const width of [1300, 1000, 800]) {
    await open("/report", { width, height: 900 });
    await page.locator(".card:visible").nth(3).waitFor();
    const tops = (await boxes(".card:visible")).map(({ y }) => Math.round(y));
    const last = tops.filter((y) => y === Math.max(...tops)).length;
    assert.ok(last > 1 || tops.length === 1, `${width}: ${tops}`);
    await page.context().close();
  }
});

test("a wide screen has two columns without a hole, and a narrow one says what scrolls", async () => {
  await open("/report", { width: 2560, height: 1440 });
  const [course] = await boxes(".course");
  const [places] = await boxes(".places");
  const [comparison] = await boxes(".comparison");
  assert.ok(places.x > course.x + course.width, "beside it");
  assert.ok(comparison.x === places.x && comparison.y - (places.y + places.height) < 40, "below the segments, at once");
  await page.context().close();
  await open("/report", { width: 360, height: 740 });
  const value = page.locator(".places tbody tr").first().locator("td").first();
  const box = await value.boundingBox();
  assert.ok(box.x + box.width < 360, "the value is to be seen");
  assert.match(await text(".places thead"), /segment\s+newest final value/);
  const hint = page.locator(".places .scroll-hint");
  assert.equal(
    await hint.isVisible(),
    await page.locator(".places .scroll").evaluate((area) => area.scrollWidth > area.clientWidth + 1),
  );
  const table = page.locator(".course .numbers").first();
  await table.locator("summary").click();
  await table.locator("tbody").waitFor();
  await table.locator(".scroll-hint", { hasText: "scroll sideways" }).waitFor({ state: "visible" });
});

test("a report draws every chart, also those below the screen, for whoever prints it", async () => {
  await open("/report", { height: 300 });
  await page.waitForFunction(() => {
    const charts = [...document.querySelectorAll(".metrics .chart")];
    return charts.length > 4 && charts.every((chart) => chart.querySelector("canvas"));
  });
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 700, height: 900 });
  const wide = await page.evaluate(
    () => [...document.querySelectorAll(".chart canvas")].filter((c) => c.getBoundingClientRect().right > innerWidth).length,
  );
  assert.equal(wide, 0);
});

test("a report of recommenders has their league first", async () => {
  await open("/report-lanes");
  await page.waitForFunction(() =>
    /^Not decided: .+ or /.test(document.querySelector(".card:not([hidden]) .word").textContent),
  );
  const cards = await page.locator(".card:visible").allInnerTexts();
  assert.match(cards[0], /^Which recommender is best\? precision@10/);
  assert.match(cards[1], /^Can it be trusted\?/, "and no card of one of them");
  const league = await page.locator("[aria-label='League table'] tbody tr").allInnerTexts();
  assert.ok(league.length > 2);
  const values = league.map((row) => Number(/\t(\d\.\d+) /.exec(row)[1]));
  assert.deepEqual(
    values,
    [...values].sort((x, y) => y - x),
  );
});

test("curves that came with a report are drawn, with their numbers", async () => {
  await open("/report-lanes");
  await page.waitForSelector(".curves svg polyline");
  assert.deepEqual(await page.locator(".curves h3").allInnerTexts(), [
    "ROC: relevant items found for those shown in vain",
    "Precision and recall, as lists grow",
    "Learning: recall by events known of the user",
    "Calibration: how often it was right where it was so sure",
  ]);
  assert.equal(await page.locator(".curves polyline").count(), 8, "of two recommenders each");
  assert.equal(await page.locator(".curves figure").first().locator("polyline").count(), 2);
  await page.locator(".curves summary").first().click();
  assert.match(await page.locator(".curves table").first().innerText(), /recommender=A\s+0\.3333|recommender=A/);
  await open("/");
  assert.ok(await page.locator(".curves").isHidden());
});

test("an experiment of a report is a card at the top", async () => {
  mock.world.experiment = new MockExperiment();
  await open("/report");
  await page.waitForFunction(() =>
    /^(Ship|Hold|Stop)/.test(document.querySelectorAll(".card:not([hidden]) .word")[1]?.textContent),
  );
  assert.match(await page.locator(".card:visible").nth(1).innerText(), /^Experiment /);
  assert.ok(!(await page.locator(".card:visible").allInnerTexts()).some((card) => /^Is .+ better/.test(card)));
});

test("a report opened as a file works as well", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recmeter-report-"));
  try {
    writeFileSync(join(folder, "report.html"), mock.report(["packed"]));
    page = await openPage(browser, `file://${join(folder, "report.html")}`);
    await shows(page);
    await page.getByLabel("Segment", { exact: true }).selectOption("variant:B");
    await page.waitForFunction(() => /variant=B/.test(document.querySelector("#course-title").textContent));
    assert.match(await text(".course .readout"), /final$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a day of minutes and ten segments: the first chart within a second, at most 2 MB in all", async () => {
  await mock.close();
  const values = Array.from({ length: 10 }, (_, i) => ({ variant: `v${i}` }));
  mock = await new Mock({ segments: [{ keys: ["variant"], values }] }).listen();
  const paint = async () => {
    await page.goto(`${mock.url}/?range=1d`);
    await shows(page);
    return page.evaluate(() => ({
      first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
      chart: performance.getEntriesByName("recmeter-first-chart")[0]?.startTime,
    }));
  };
  await open("/?range=1d");
  const times = [await paint(), await paint(), await paint()].sort((a, b) => a.chart - b.chart);
  console.log(`first paint ${Math.round(times[1].first)} ms, first chart ${Math.round(times[1].chart)} ms`);
  assert.ok(times[1].first < 1000, `${times[1].first} ms`);
  assert.ok(times[1].chart < 1000, `${times[1].chart} ms`);
  let bytes = 0;
  for (const segment of [{}, ...values]) {
    bytes += JSON.stringify(mock.world.series({ window: "minute", metric: "precision@10", horizon: "30m", segment })).length;
  }
  console.log(`eleven series of 1,440 windows: ${bytes} bytes`);
  assert.ok(bytes <= 2_000_000, `${bytes}`);
});
