// Chromium of the system, one for each file of tests. No request leaves loopback, and what the page complains about fails the
// test that made it complain.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

export async function startBrowser() {
  return chromium.launch({
    executablePath: process.env.RECMETER_CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"],
  });
}

export async function openPage(browser, url, { width = 1280, height = 900, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    ...options,
  });
  const page = await context.newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // That the evaluator is away is what some tests are about; all else that is written here is a fault.
    if (message.type() === "error" && !/ERR_|Failed to load resource/.test(message.text()))
      page.complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(http:\/\/127\.0\.0\.1|file:|data:|blob:)/.test(request.url())) page.complaints.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

// The main chart is there and its newest window has been read out.
export async function shows(page) {
  await page.waitForSelector(".course[aria-busy=false] canvas");
  await page.waitForFunction(() =>
    /final|provisional|cut off/.test(document.querySelector(".course .readout")?.textContent ?? ""),
  );
}

export const windowCount = (page) => page.locator(".course .plot").first().getAttribute("aria-valuemax").then(Number);

// A picture in the folder that RECMETER_WEB_SHOTS names; without it none is taken.
export async function takeShot(page, name, options = {}) {
  const shots = process.env.RECMETER_WEB_SHOTS;
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  if (options.fullPage) {
    for (const chart of await page.locator("#sections .chart").all())
      if (await chart.isVisible()) await chart.scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    await page.evaluate(() => scrollTo(0, 0));
  }
  await page.screenshot({ path: join(shots, `${name}.png`), ...options });
}
