/**
 * The page's state, ready to be shown: numbers, amounts and times are texts for
 * people.
 */
export interface PageState {
  readonly chain: ChainState;
  /** Newest first. */
  readonly blocks: readonly BlockRow[];
  /** Newest first. */
  readonly transactions: readonly TransactionRow[];
  readonly validators: readonly ValidatorRow[];
  readonly stakes: readonly StakeRow[];
  /** What is due, earliest first. */
  readonly due: readonly DueRow[];
  /** Newest first. */
  readonly proposals: readonly ProposalRow[];
  readonly accounts: readonly AccountRow[];
  /** Number of accounts that are not in the list. */
  readonly moreAccounts: number;
}

/** The state of the chain's clock and blocks. */
export interface ChainState {
  readonly height: string;
  /** Time of the newest block. */
  readonly time: string;
  /** Number of pending transactions on both stacks. */
  readonly waiting: string;
  readonly paused: boolean;
  /** How blocks are mined: per transaction, or at an interval. */
  readonly pace: string;
  /** Time until something is due; empty when nothing is. */
  readonly next: string;
}

/** A block in the list. */
export interface BlockRow {
  readonly height: string;
  readonly hash: string;
  readonly time: string;
  readonly transactions: number;
  readonly gas: string;
}

/** The stack that a transaction was sent to. */
export type Stack = "evm" | "framework";

/** A transaction in the list. */
export interface TransactionRow {
  /** The framework's hash. */
  readonly hash: string;
  readonly stack: Stack;
  readonly title: string;
  readonly from: string;
  readonly height: string;
  readonly succeeded: boolean;
}

/** A name with its value. */
export type Field = readonly [name: string, text: string];

/** A call, a message or an event. */
export interface Part {
  readonly title: string;
  readonly fields: readonly Field[];
}

/** A transaction, as one stack shows it. */
export interface StackView {
  /** A remark on this view; may be empty. */
  readonly note: string;
  readonly facts: readonly Field[];
  /** The call, or the messages. */
  readonly acts: readonly Part[];
  readonly events: readonly Part[];
}

/** A transaction with all details. */
export interface TransactionDetail extends TransactionRow {
  /** Why it failed; empty when it succeeded. */
  readonly failure: string;
  readonly facts: readonly Field[];
  readonly evm: StackView;
  readonly framework: StackView;
}

/** A validator in the list. */
export interface ValidatorRow {
  readonly operator: string;
  readonly moniker: string;
  readonly stake: string;
  /** Share of the bonded tokens in percent. */
  readonly share: string;
  /** The share for a bar, 0 to 1000. */
  readonly part: number;
  readonly commission: string;
  readonly status: string;
  readonly mood: "good" | "warm" | "bad";
  readonly jailed: boolean;
}

/** A delegation in the list. */
export interface StakeRow {
  readonly id: string;
  readonly delegator: string;
  readonly validator: string;
  readonly amount: string;
  readonly rewards: string;
}

/** Something due on the time line. */
export interface DueRow {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly amount: string;
  /** When it is due, by the chain's clock. */
  readonly at: string;
  /** Time until then. */
  readonly left: string;
  /**
   * Positions on the time line, 0 to 1000: of its beginning, its end, and the
   * chain's time.
   */
  readonly begins: number;
  readonly ends: number;
  readonly now: number;
}

/** One option's part of a tally. */
export interface TallyPart {
  readonly option: string;
  readonly amount: string;
  /** Share of the votes in percent. */
  readonly share: string;
  /** The share for a bar, 0 to 1000. */
  readonly part: number;
}

/** A proposal in the list. */
export interface ProposalRow {
  readonly id: string;
  readonly title: string;
  readonly proposer: string;
  readonly status: string;
  readonly mood: "good" | "warm" | "bad" | "quiet";
  /** Time until the voting or deposit period ends; empty when it has ended. */
  readonly ends: string;
  readonly isVoting: boolean;
  readonly messages: string;
  readonly deposit: string;
  readonly tally: readonly TallyPart[];
  /** Voters with their choices. */
  readonly votes: readonly Field[];
}

/** An account in the list. */
export interface AccountRow {
  readonly name: string;
  readonly address: string;
  /** The same address in bech32: `<prefix>1…`. */
  readonly account: string;
  readonly native: string;
  readonly stable: string;
}
