/** What the page's other scripts share. Texts go into the page as texts only, and nobody is asked but the server that served it. */
export const DOM_SCRIPT = `
export const at = (id) => document.getElementById(id);

export const make = (tag, props = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
};

/** Says something below a wallet's steps, also to screen readers. */
export const say = (side, text, mood = "") => {
  const place = at(side + "-status");
  place.textContent = text;
  place.className = ("status " + mood).trim();
};

const STATES = { done: "Done", failed: "Not done" };

/** Marks a step: "", "busy", "done" or "failed". */
export const mark = (id, state) => {
  const step = at(id);
  if (step === null) return;
  step.dataset.state = state;
  step.querySelector(".done-text").textContent = STATES[state] ?? "";
};

export const ask = async (path, body) => {
  const response = await fetch(path, body === undefined
    ? { headers: { accept: "application/json" } }
    : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || "The server answered with status " + response.status + ".");
  return answer;
};

/** What a person is told of an error; wallets say in codes that somebody refused. */
export const reason = (error) => {
  if (error && error.code === 4001) return "You rejected the request in the wallet.";
  if (error && error.code === -32002) return "The wallet is waiting for your answer. Open it to go on.";
  const text = error && error.message ? String(error.message) : String(error);
  return /reject|refus(?:ed|al) by|denied/i.test(text) ? "You rejected the request in the wallet." : text.slice(0, 300);
};

/** A value to be taken elsewhere, with the button for that. */
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

/** A link to another page; no address but one of the web becomes one. */
export const link = (url, text) =>
  /^https?:[/][/]/.test(url ?? "") ? make("a", { href: url, target: "_blank", rel: "noreferrer", textContent: text }) : undefined;

/** Fills a list of facts: label, then what stands for it. */
export const list = (place, entries) => {
  place.replaceChildren(...entries.flatMap(([label, ...parts]) => {
    const shown = parts.filter((part) => part !== undefined && part !== null && part !== "");
    return shown.length === 0 ? [] : [make("dt", { textContent: label }), make("dd", {}, ...shown)];
  }));
};
`;
