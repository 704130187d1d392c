import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const dist = process.env.RECMETER_WEB_DIST ?? join(dirname(fileURLToPath(import.meta.url)), "../../dist");
const read = (name) => readFileSync(join(dist, name), "utf8");
const hashOf = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const inner = (html, tag) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)[1];

test("the page is at most 100 kB gzipped", () => {
  const bytes = gzipSync(read("page.html"), { level: 6 }).length;
  console.log(`page.html: ${bytes} bytes gzipped`);
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
});

test("the policy lets in the page's own style and script and nothing else", () => {
  const html = read("page.html");
  const parts = read("page.csp")
    .split("; ")
    .map((part) => part.split(" "));
  const policy = Object.fromEntries(parts.map(([name, ...values]) => [name, values.join(" ")]));
  assert.equal(policy["default-src"], "'none'");
  assert.equal(policy["script-src"], hashOf(inner(html, "script")));
  assert.equal(policy["style-src"], hashOf(inner(html, "style")));
  assert.equal(policy["connect-src"], "'self'");
  assert.equal(policy["frame-ancestors"], "'none'");
  assert.doesNotMatch(read("page.csp"), /unsafe|\*|https?:/);
});

test("nothing is fetched from anywhere else, and no style or handler stands in an attribute", () => {
  for (const html of [read("page.html"), read("report_head.html") + read("report_tail.html")]) {
    const markup = html.replace(/<script>[\s\S]*?<\/script>/, "").replace(/<style>[\s\S]*?<\/style>/, "");
    assert.doesNotMatch(markup, /https?:|\sstyle=|\son\w+=|src=/);
    assert.doesNotMatch(inner(html, "style"), /url\(|@import/);
  }
});

test("a report carries its policy itself, and rows between its halves", () => {
  const html = `${read("report_head.html")}{"schema":"x"}${read("report_tail.html")}`;
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  assert.match(policy, /^default-src 'none'; /);
  assert.doesNotMatch(policy, /connect-src|frame-ancestors/);
  const [script] = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map((match) => match[1]);
  assert.ok(policy.includes(hashOf(script)));
  assert.match(html, /<script type="application\/json" id="rows">\n\{"schema":"x"\}<\/script>/);
});

test("who made the parts is said", () => {
  assert.match(read("page.html"), /uPlot[^]*Leon Sorokin[^]*WITHOUT WARRANTY OF ANY KIND/);
});
