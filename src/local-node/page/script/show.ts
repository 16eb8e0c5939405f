/** Updates the page's parts: only what differs is touched, so that nothing flickers or loses the focus. */
export const SHOW_SCRIPT = `
import { TEXTS } from "./texts.js";
import { make } from "./elements.js";

export const text = (name, values = {}) =>
  TEXTS[name].replace(/[{]([a-z]+)[}]/gi, (_, key) => String(values[key] ?? ""));

export const put = (element, words) => {
  if (element.textContent !== words) element.textContent = words;
};

export const attribute = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};

/** Sets a length through a CSS variable; 0 to 1000 is 0 to 100 %. */
export const length = (element, name, permille) => {
  const value = permille / 10 + "%";
  if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
};

/**
 * Keeps a list's rows up to date, each in its own element as long as it exists.
 *
 * @param parts creates a row's element, and returns it with a function that updates it
 */
export const rows = (place, keyOf, parts) => {
  const known = new Map();
  return (items) => {
    const keys = new Set(items.map(keyOf));
    for (const [key, row] of known) {
      if (!keys.has(key)) {
        row.element.remove();
        known.delete(key);
      }
    }
    items.forEach((item, i) => {
      const key = keyOf(item);
      let row = known.get(key);
      if (row === undefined) {
        row = parts(item);
        known.set(key, row);
      }
      row.update(item);
      if (place.children[i] !== row.element) place.insertBefore(row.element, place.children[i] ?? null);
    });
  };
};

/** A fixed number of rows, which show the first items. */
export const slots = (place, count, parts) => {
  const made = Array.from({ length: count }, () => {
    const row = parts();
    place.append(row.element);
    return row;
  });
  return (items) => made.forEach((row, i) => {
    const item = items[i];
    row.element.classList.toggle("vacant", item === undefined);
    row.update(item);
  });
};

/** A table cell with its column's name, which is shown where rows become cards. */
export const cell = (label, ...children) => {
  const element = make("td", {}, ...children);
  element.setAttribute("role", "cell");
  element.dataset.label = label;
  return element;
};

export const row = (...cells) => {
  const element = make("tr", {}, ...cells);
  element.setAttribute("role", "row");
  return element;
};

export const span = (className = "") => make("span", { className });
`;
