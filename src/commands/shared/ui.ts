/** What a command needs of a terminal; each entry of the package supplies one. */
export interface Ui {
  /** Whether the figures are wanted as JSON instead of text. */
  readonly json: boolean;
  /** One line of the result. */
  line(text: string): void;
  /** Something worth knowing that is not the result; not mixed into `--json`. */
  note(text: string): void;
  /** What is being waited for; replaced by the next, cleared by `undefined`; silent in a pipe. */
  progress(text: string | undefined): void;
  /** Columns that a line of the result has on a terminal; `undefined` in a pipe. */
  columns?(): number | undefined;
  /** Colours a text of the result; absent where colours are not wanted. */
  paint?(colour: "green" | "red" | "yellow" | "dim", text: string): string;
  /** Asks before something that cannot be undone; `undefined` where nobody can answer. */
  confirm(question: string): Promise<boolean | undefined>;
}
