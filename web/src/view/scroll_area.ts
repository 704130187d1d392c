import { element } from "./element.ts";

// Holds a thing that may be wider than the screen, such as a table: it scrolls sideways, also with the keyboard, and says so
// where it does.
export function scrollArea(name: string, ...content: readonly (Node | null)[]): HTMLElement {
  const hint = element("p", { class: "quiet scroll-hint" }, "There are more columns: scroll sideways.");
  hint.hidden = true;
  const inner = element("div", {}, ...content);
  const root = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, hint, inner);
  const observer = new ResizeObserver(() => {
    hint.hidden = root.scrollWidth <= root.clientWidth + 1;
  });
  observer.observe(root);
  observer.observe(inner);
  return root;
}
