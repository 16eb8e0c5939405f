/** What the page shows, ready to be shown: numbers, amounts and times are texts for people. */
export interface PageState {
  readonly chain: ChainState;
  /** The newest first. */
  readonly blocks: readonly BlockRow[];
  /** The newest first. */
  readonly transactions: readonly TransactionRow[];
  readonly validators: readonly ValidatorRow[];
  readonly stakes: readonly StakeRow[];
  /** What is due, the next first. */
  readonly due: readonly DueRow[];
  /** The newest first. */
  readonly proposals: readonly ProposalRow[];
  readonly accounts: readonly AccountRow[];
  /** Accounts that are not in the list. */
  readonly moreAccounts: number;
}

export interface ChainState {
  readonly height: string;
  /** Of the newest block. */
  readonly time: string;
  /** Transactions that wait for a block. */
  readonly waiting: string;
  readonly paused: boolean;
  /** How blocks come. */
  readonly pace: string;
  /** What is due next; empty: nothing. */
  readonly next: string;
}

export interface BlockRow {
  readonly height: string;
  readonly hash: string;
  readonly time: string;
  readonly transactions: number;
  readonly gas: string;
}

/** Which stack a transaction came by. */
export type Stack = "evm" | "framework";

export interface TransactionRow {
  /** As the framework's side calls it. */
  readonly hash: string;
  readonly stack: Stack;
  readonly title: string;
  readonly from: string;
  readonly height: string;
  readonly succeeded: boolean;
}

/** A name, and what stands for it. */
export type Field = readonly [name: string, text: string];

/** A call, a message or an event. */
export interface Part {
  readonly title: string;
  readonly fields: readonly Field[];
}

/** A transaction as one stack shows it. */
export interface StackView {
  /** What is to be known of it here; may be empty. */
  readonly note: string;
  readonly facts: readonly Field[];
  /** Calls or messages. */
  readonly acts: readonly Part[];
  readonly events: readonly Part[];
}

export interface TransactionDetail extends TransactionRow {
  /** Why it failed; empty: it did not. */
  readonly failure: string;
  readonly facts: readonly Field[];
  readonly evm: StackView;
  readonly framework: StackView;
}

export interface ValidatorRow {
  readonly operator: string;
  readonly moniker: string;
  readonly stake: string;
  /** Of all that is bonded, in percent. */
  readonly share: string;
  /** The same for a bar, 0 to 1000. */
  readonly part: number;
  readonly commission: string;
  readonly status: string;
  readonly mood: "good" | "warm" | "bad";
  readonly jailed: boolean;
}

export interface StakeRow {
  readonly id: string;
  readonly delegator: string;
  readonly validator: string;
  readonly amount: string;
  readonly rewards: string;
}

export interface DueRow {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly amount: string;
  /** When, by the chain's clock. */
  readonly at: string;
  /** How far off that is. */
  readonly left: string;
  /** Places on the time line, 0 to 1000: of its beginning, its end, and the chain's time. */
  readonly begins: number;
  readonly ends: number;
  readonly now: number;
}

export interface TallyPart {
  readonly option: string;
  readonly amount: string;
  /** Of all votes, in percent. */
  readonly share: string;
  /** The same for a bar, 0 to 1000. */
  readonly part: number;
}

export interface ProposalRow {
  readonly id: string;
  readonly title: string;
  readonly proposer: string;
  readonly status: string;
  readonly mood: "good" | "warm" | "bad" | "quiet";
  /** When the vote, or the time for deposits, ends; empty: it has. */
  readonly ends: string;
  readonly isVoting: boolean;
  readonly messages: string;
  readonly deposit: string;
  readonly tally: readonly TallyPart[];
  /** Voter, and what they chose. */
  readonly votes: readonly Field[];
}

export interface AccountRow {
  readonly name: string;
  readonly address: string;
  /** `<prefix>1…` */
  readonly account: string;
  readonly native: string;
  readonly stable: string;
}
