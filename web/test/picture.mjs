// A picture of a page from its top to the end of what SELECTOR names: `node test/picture.mjs URL PICTURE.png SELECTOR`. A page
// that runs is waited for until it can say whether it got worse. scripts/picture calls it.
import { openPage, startBrowser } from "./browser/browser.mjs";

const [url, to, last] = process.argv.slice(2);
if (!url || !to || !last) {
  console.error("usage: node test/picture.mjs URL PICTURE.png SELECTOR");
  process.exit(2);
}
const WAIT_MS = 15 * 60_000;
const browser = await startBrowser();
try {
  const page = await openPage(browser, url, { height: 800, colorScheme: "light" });
  await page.waitForSelector(".course[aria-busy=false] canvas");
  await page.waitForSelector(last);
  const isKnown = () => !/…|Too early/.test(document.querySelector(".card:not([hidden]) .word").textContent);
  await page.waitForFunction(isKnown, undefined, { timeout: WAIT_MS });
  await page.waitForTimeout(500); // charts are drawn in the frame after
  const box = await page.locator(last).boundingBox();
  await page.setViewportSize({ width: 1280, height: Math.ceil(box.y + box.height + 12) });
  await page.waitForTimeout(500);
  await page.screenshot({ path: to });
  if (page.complaints.length > 0) throw new Error(page.complaints.join("\n"));
} finally {
  await browser.close();
}
