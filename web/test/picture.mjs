// A picture of a page: `node test/picture.mjs PAGE.html PICTURE.png`. scripts/picture calls it.
import { resolve } from "node:path";
import { openPage, startBrowser } from "./browser/browser.mjs";

const [from, to] = process.argv.slice(2);
if (!from || !to) {
  console.error("usage: node test/picture.mjs PAGE.html PICTURE.png");
  process.exit(2);
}
const browser = await startBrowser();
try {
  const page = await openPage(browser, `file://${resolve(from)}`, { height: 800, colorScheme: "light" });
  await page.waitForSelector(".experiment canvas");
  await page.waitForSelector(".course[aria-busy=false] canvas");
  await page.waitForTimeout(500); // charts are drawn in the frame after
  const experiment = await page.locator(".experiment").boundingBox();
  const height = Math.ceil(experiment.y + experiment.height + 12);
  await page.setViewportSize({ width: 1280, height });
  await page.waitForTimeout(500);
  await page.screenshot({ path: to });
  if (page.complaints.length > 0) throw new Error(page.complaints.join("\n"));
} finally {
  await browser.close();
}
