// Runs the tests of one kind: `node test/run.mjs unit|browser`. Exit code 77: the browser is missing, which is said aloud.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const kind = process.argv[2];
if (kind !== "unit" && kind !== "browser") {
  console.error("usage: node test/run.mjs unit|browser");
  process.exit(2);
}

const browser = process.env.RECMETER_CHROMIUM ?? "/usr/bin/chromium";
if (kind === "browser" && !existsSync(browser)) {
  console.error(
    `skipped: there is no ${browser}; scripts/bootstrap --test installs it, or RECMETER_CHROMIUM says where it is`,
  );
  process.exit(77);
}

const scratch = mkdtempSync(join(tmpdir(), "recmeter-web-"));
let code = 1;
try {
  const { build } = await import("esbuild");
  const modules = join(scratch, "modules.mjs");
  await build({
    entryPoints: [join(here, "modules.ts")],
    bundle: true,
    format: "esm",
    outfile: modules,
    logLevel: "warning",
  });
  const folder = join(here, kind);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => join(folder, name));
  const env = { ...process.env, RECMETER_WEB_MODULES: modules, RECMETER_CHROMIUM: browser };
  code = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", env }).status ?? 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exit(code);
