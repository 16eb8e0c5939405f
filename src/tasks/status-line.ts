import { styleText } from "node:util";

const EVERY_MS = 100;

type Terminal = Pick<
  NodeJS.WriteStream,
  "isTTY" | "columns" | "write" | "on" | "off"
>;

/**
 * A status that is always the last line of a terminal, replaced by the next
 * one. Does nothing without a terminal.
 */
export class StatusLine {
  readonly #terminal: Terminal;
  #text: string | undefined;
  /** How many characters are drawn now. */
  #drawn = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows a text, but not more often than can be read; `undefined` removes it. */
  show(text: string | undefined): void {
    if (this.#terminal.isTTY !== true) {
      return;
    }
    if (text === undefined) {
      this.#terminal.off("resize", this.#redraw);
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#clear();
      this.#text = undefined;
      this.#last = 0;
      return;
    }
    if (this.#text === undefined) {
      this.#terminal.on("resize", this.#redraw);
    }
    this.#text = text;
    const wait = this.#last + EVERY_MS - Date.now();
    if (wait <= 0) {
      this.#redraw();
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(this.#redraw, wait);
      // The process does not stay alive for it.
      this.#timer.unref();
    }
  }

  /** Prints something above the status. */
  above(print: () => void): void {
    this.#clear();
    print();
    this.#draw();
  }

  readonly #redraw = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = Date.now();
    this.#clear();
    this.#draw();
  };

  #draw(): void {
    if (this.#text === undefined) {
      return;
    }
    const width = Math.max(20, this.#columns - 1);
    const text = `${this.#text.slice(0, width - 1)}…`;
    this.#drawn = text.length;
    this.#terminal.write(styleText("dim", text, { validateStream: false }));
  }

  // A terminal that became narrower has wrapped the line.
  #clear(): void {
    if (this.#drawn === 0) {
      return;
    }
    const above = Math.ceil(this.#drawn / this.#columns) - 1;
    this.#drawn = 0;
    this.#terminal.write(`\r${above > 0 ? `\u001b[${above}A` : ""}\u001b[0J`);
  }

  get #columns(): number {
    return this.#terminal.columns || 80;
  }
}
