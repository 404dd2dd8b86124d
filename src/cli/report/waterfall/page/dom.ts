/** Attributes of an element; `undefined` leaves one out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with attributes and children; a text among them stays text, whatever it contains. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** The element of the page with this id. @throws Error where there is none */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}`);
  return found;
}

/** Calls `work` once before the next frame, however often it is asked for. */
export function onFrame(work: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}
