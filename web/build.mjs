// Builds dist/: the page and the report as single HTML files, and the policy that lets in their own style and script and
// nothing else. `node build.mjs [--out DIR]`; any Node from 18 on. The same sources and lock give the same bytes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const flag = process.argv.indexOf("--out");
const out = resolve(flag > 0 ? process.argv[flag + 1] : join(here, "dist"));
const read = (path) => readFileSync(join(here, path), "utf8");

// Browsers of 2022 and later.
const TARGET = ["chrome100", "firefox100", "safari15.4"];

async function script() {
  const made = await build({
    entryPoints: [join(here, "src/main.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    target: TARGET,
    write: false,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    absWorkingDir: here,
    loader: { ".css": "empty" },
  });
  const licence = `/*! uPlot, ${read("node_modules/uplot/LICENSE").replace(/\*\//g, "")} */\n`;
  // Inside <script> nothing may look like its end; `<\/script` says the same to JavaScript.
  return (licence + made.outputFiles[0].text)
    .replace(/<\/(script)/gi, "<\\/$1")
    .replace(/<!--/g, "<\\!--")
    .trim();
}

// The dark colours are written once and stand twice: for those who chose them and for those whose machine did.
function withAutomaticDark(css) {
  const [, dark] = /\/\* dark \*\/\s*\[data-theme="dark"\]\s*\{([^}]*)\}\s*\/\* end of dark \*\//.exec(css);
  return `${css}\n@media (prefers-color-scheme: dark) { [data-theme="auto"] {${dark}} }\n`;
}

async function style() {
  const css = read("node_modules/uplot/dist/uPlot.min.css") + withAutomaticDark(read("src/style.css"));
  return (await transform(css, { loader: "css", minify: true, target: TARGET })).code.trim();
}

const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const js = await script();
const css = await style();
const own = [
  "default-src 'none'",
  `script-src ${hash(js)}`,
  `style-src ${hash(css)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];
// frame-ancestors counts in a header only; the report has none, and nothing to connect to.
const pagePolicy = [...own, "connect-src 'self'", "frame-ancestors 'none'"].join("; ");
const reportPolicy = own.join("; ");

const shell = read("src/page.html")
  .replace("<!-- style -->", () => css)
  .replace("<!-- script -->", () => js);
const MARK = "<!-- rows -->";
const page = shell.replace("<!-- policy -->\n", "").replace(`${MARK}\n`, "");
const report = shell.replace(
  "<!-- policy -->",
  () => `<meta http-equiv="Content-Security-Policy" content="${reportPolicy}">`,
);
const [head, tail] = report.split(MARK);

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "page.html"), page);
writeFileSync(join(out, "page.csp"), pagePolicy);
writeFileSync(join(out, "report_head.html"), `${head}<script type="application/json" id="rows">\n`);
writeFileSync(join(out, "report_tail.html"), `</script>${tail}`);
