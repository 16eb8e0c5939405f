/** What a command needs from a terminal; each major of Hardhat supplies one. */
export interface Ui {
  /** Whether the result is wanted as JSON instead of text. */
  readonly json: boolean;
  /** One line of the result. */
  line(text: string): void;
  /** A remark that is not part of the result; never mixed into `--json`. */
  note(text: string): void;
  /**
   * Shows what is being waited for until the next call; `undefined` clears it.
   * Silent in a pipe.
   */
  progress(text: string | undefined): void;
  /** The columns of a line on a terminal; `undefined` in a pipe. */
  columns?(): number | undefined;
  /** Colours a text; absent if colours are not wanted. */
  paint?(colour: "green" | "red" | "yellow" | "dim", text: string): string;
  /** Asks before something that cannot be undone; `undefined` if nobody can answer. */
  confirm(question: string): Promise<boolean | undefined>;
}
