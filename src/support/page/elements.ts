/**
 * A browser module that the pages share. Texts are only ever inserted as text,
 * and only the page's own server is asked.
 */
export const ELEMENTS_SCRIPT = `
export const at = (id) => document.getElementById(id);

export const make = (tag, props = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
};

export const ask = async (path, body, headers = {}) => {
  const response = await fetch(path, body === undefined
    ? { headers: { accept: "application/json" } }
    : { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || "The server answered with status " + response.status + ".");
  return answer;
};

/** A value, with a button that copies it. */
export const copyable = (text, what) => {
  const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
  button.setAttribute("aria-label", "Copy " + what);
  const code = make("code", { textContent: text });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      button.setAttribute("aria-label", "Copied " + what);
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
      button.setAttribute("aria-label", "Selected " + what);
    }
    setTimeout(() => {
      button.textContent = "Copy";
      button.setAttribute("aria-label", "Copy " + what);
    }, 2000);
  });
  return [code, button];
};
`;
