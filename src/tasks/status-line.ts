import { styleText } from "node:util";

const EVERY_MS = 100;

type Terminal = Pick<
  NodeJS.WriteStream,
  "isTTY" | "columns" | "write" | "on" | "off"
>;

/**
 * One line that is always the last one on a terminal, replaced by its next
 * text; nothing where there is no terminal.
 */
export class StatusLine {
  readonly #terminal: Terminal;
  #text: string | undefined;
  /** Characters that stand there now. */
  #drawn = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Shows a text, though not more often than can be read; `undefined` takes it away. */
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
      // Nobody stays for the newest status.
      this.#timer.unref();
    }
  }

  /** Prints something above it. */
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

  // A terminal that became narrower has broken the line into several.
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
