// The page of a running demo in a browser, by way of a proxy that can cut the connection: live_page_test.mjs PROGRAM
// RECMETER_WEB_SHOTS=DIR: pictures for people to look at. What needs no evaluator is tested in web/test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../web");
process.env.RECMETER_CHROMIUM ??= "/usr/bin/chromium";
for (const needed of [
  process.env.RECMETER_CHROMIUM,
  join(web, "node_modules/playwright-core"),
  join(web, "node_modules/axe-core"),
]) {
  if (existsSync(needed)) continue;
  console.error(`skipped: there is no ${needed}; scripts/bootstrap --test and a build of preset dev install it`);
  process.exit(77);
}
const { openPage, shows, startBrowser, takeShot, windowCount } = await import(join(web, "test/browser/browser.mjs"));
const axe = readFileSync(createRequire(join(web, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
const PORT = 8080; // recmeter demo has no option for it; alone.sh
const STEP = 2_000; // its windows

// Passes bytes on, until it is cut.
class Proxy {
  sockets = new Set();
  refuses = false;
  async listen() {
    this.server = createServer((client) => {
      if (this.refuses) return client.destroy();
      const demo = connect(PORT, "127.0.0.1");
      for (const [from, to] of [
        [client, demo],
        [demo, client],
      ]) {
        this.sockets.add(from);
        from.on("error", () => to.destroy());
        from.on("close", () => (this.sockets.delete(from), to.destroy()));
        from.pipe(to);
      }
    });
    await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }
  cut() {
    this.refuses = true;
    for (const socket of this.sockets) socket.destroy();
  }
  close() {
    this.cut();
    this.server.close();
  }
}

const scratch = mkdtempSync(join(tmpdir(), "recmeter-live-page-"));
let said = "";
let demo;
let browser;
let proxy;
let page;

const get = async (path) => (await fetch(`${proxy.url}${path}`)).json();
const series = (segment = "") =>
  get(
    `/api/v1/series?window=2s&horizon=5s&metric=${encodeURIComponent("precision@10")}${segment && `&segment=${segment}`}`,
  );
async function until(what, isSo, seconds = 90) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    assert.equal(demo.exitCode, null, `recmeter demo ended by itself: ${said}`);
    const so = await isSo().catch(() => false);
    if (so) return so;
    await new Promise((done) => setTimeout(done, 200));
  }
  assert.fail(`not so after ${seconds} s: ${what}; ${said}`);
}
const finals = async () => (await series()).columns.stage.filter((stage) => stage === "final").length;

before(async () => {
  proxy = await new Proxy().listen();
  demo = spawn(resolve(process.argv[2]), ["demo", "--seconds", "900", "--rate", "200"], {
    cwd: scratch,
    env: { ...process.env, TMPDIR: scratch },
    stdio: ["ignore", "ignore", "pipe"],
  });
  demo.stderr.on("data", (bytes) => (said = (said + bytes).slice(-4000)));
  browser = await startBrowser();
  await until("three final windows", async () => (await finals()) >= 3);
});
after(async () => {
  await browser?.close();
  proxy?.close();
  if (demo?.exitCode === null) {
    demo.kill("SIGTERM");
    await new Promise((done) => demo.once("exit", done));
  }
  rmSync(scratch, { recursive: true, force: true });
});
afterEach(async () => {
  const complaints = page?.complaints ?? [];
  await page?.context().close();
  page = undefined;
  assert.deepEqual(complaints, []);
});

async function open(path = "/", options = {}) {
  page = await openPage(browser, `${proxy.url}${path}`, options);
  await shows(page);
  return page;
}
const shot = (name, options) => takeShot(page, name, options);
const text = (selector) => page.locator(selector).first().innerText();
const newest = () => page.evaluate(() => Number(document.querySelector(".course .plot").dataset.newest));
const passes = (end) =>
  page.waitForFunction((old) => Number(document.querySelector(".course .plot").dataset.newest) > old, end, {
    timeout: 60_000,
  });
async function seriousFindings() {
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
// What the table under the main chart has, as text of its first column.
async function tableOfCourse() {
  const numbers = page.locator(".course .numbers").first();
  if (!(await numbers.evaluate((element) => element.open))) await numbers.locator("summary").click();
  // The table is made in a task of its own after the details are open.
  await numbers.locator("tbody tr").first().waitFor();
  const all = numbers.locator("button");
  if ((await all.count()) > 0 && (await all.first().isVisible())) await all.first().click();
  return numbers.locator("tbody tr").allInnerTexts();
}

test("series appear, with the values of the API, and advance", async () => {
  await open();
  const before_ = { newest: await newest(), count: await windowCount(page) };
  assert.ok(before_.count >= 3, `${before_.count} windows`);
  await passes(before_.newest);
  assert.ok((await newest()) >= before_.newest + STEP);
  await page.waitForFunction(
    (old) => Number(document.querySelector(".course .plot").getAttribute("aria-valuemax")) > old,
    before_.count,
  );
  const { columns } = await series();
  const shown = await text(".course .readout");
  const known = columns.value.filter((value) => value !== null).map((value) => value.toPrecision(4));
  assert.ok(
    known.some((value) => shown.includes(value)),
    `${shown} has none of ${known}`,
  );
  await shot("live-1280", { fullPage: true });
});

test("variants are compared, with the interval of their difference", async () => {
  await until("enough final windows to compare", async () => (await finals()) >= 6);
  await open();
  const compared = /^B \(variant=B\) is [+−][\d.]+% relative \([+−][\d.]+% to [+−][\d.]+%\) against A \(variant=A\), over \d+ final windows since /;
  await page.waitForFunction(() => /against A/.test(document.querySelector(".comparison .summary")?.textContent ?? ""), null, {
    timeout: 60_000,
  });
  assert.match(await text(".comparison .summary"), compared);
  await open("/?segment=variant%3AB");
  assert.match(await text("#course-title"), /variant=B/);
});

test("after the connection is cut nothing is missing", async () => {
  await open();
  const cut = await newest();
  proxy.cut();
  await page.waitForFunction(() => document.body.dataset.connection === "lost", null, { timeout: 60_000 });
  assert.ok((await windowCount(page)) >= 3, "what was known stays");
  await shot("live-cut");
  await new Promise((done) => setTimeout(done, 3 * STEP));
  proxy.refuses = false;
  await page.waitForFunction(() => document.body.dataset.connection === "live", null, { timeout: 60_000 });
  await passes(cut + STEP);
  const rows = await tableOfCourse();
  const { columns } = await series();
  const missing = columns.start
    .filter((start) => start > cut - 3 * STEP && start + STEP <= cut + 2 * STEP)
    .filter((start) => {
      const clock = `${new Date(start).toISOString().slice(11, 19)}–`;
      return !rows.some((row) => row.includes(clock));
    });
  assert.deepEqual(missing, [], `of the time away, in ${rows.slice(0, 12).join(" / ")}`);
});

for (const [name, options] of [
  ["360-light", { width: 360, height: 740, colorScheme: "light" }],
  ["360-dark", { width: 360, height: 740, colorScheme: "dark" }],
  ["1280-dark", { colorScheme: "dark" }],
  ["1280-light", { colorScheme: "light" }],
]) {
  test(`${name}: nothing overflows, and axe finds nothing serious`, async () => {
    await open("/", options);
    await page.waitForTimeout(1500);
    const { scroll, client, ground } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
      ground: getComputedStyle(document.documentElement).backgroundColor,
    }));
    assert.ok(scroll <= client, `${scroll} wide in ${client}`);
    assert.equal(Number(ground.match(/\d+/)[0]) < 100, options.colorScheme === "dark", ground);
    assert.deepEqual(await seriousFindings(), []);
    await shot(`live-${name}`);
    await shot(`live-${name}-whole`, { fullPage: true });
  });
}

test("by keyboard alone a metric is chosen and a window is read", async () => {
  await open();
  const reach = async (matches, what) => {
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(matches)) return;
    }
    assert.fail(`Tab does not come to ${what}`);
  };
  await reach(() => document.activeElement?.labels?.[0]?.innerText?.startsWith("Metric"), "the metric");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none", "where the focus is can be seen");
  await page.keyboard.press("m");
  await page.waitForFunction(() => /metric=mrr/.test(location.search));
  await page.waitForFunction(() => /mrr/.test(document.querySelector("#course-title").textContent));
  await shows(page);
  await reach(() => document.activeElement?.matches(".course .plot"), "the chart");
  const before_ = await text(".course .readout");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((old) => document.querySelector(".course .readout").innerText !== old, before_);
});
