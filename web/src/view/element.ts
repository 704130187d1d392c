// Elements by name, attributes and children. Text is text: nothing here or elsewhere in the page reads markup from data
// (the policy of the page forbids it too, by Trusted Types).
export type Child = Node | string | null | undefined | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child): child is Node | string => Boolean(child)));
  return made;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

// Says a thing anew only where it is another, so that what a reader has selected or focused stays.
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
