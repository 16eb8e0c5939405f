import type { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";

/** All texts of the page; functions fill in amounts and names. */

/** Names of accounts. */
export const NAMES = {
  account: (index: number) => `Account #${index}`,
  other: "Another account",
  faucet: "Faucet",
  system: "The chain",
  modules: {
    bondedPool: "Bonded pool",
    notBondedPool: "Unbonding pool",
    distribution: "Distribution module",
    governance: "Governance module",
    feeCollector: "Fee collector",
  } satisfies Record<keyof typeof MODULE_ACCOUNTS, string>,
} as const;

/** How blocks are mined. */
export const PACE = {
  automine: "per transaction",
  every: (seconds: number) => `every ${seconds} s`,
} as const;

/** Statuses of validators. */
export const STATUS = {
  bonded: "Bonded",
  unbonding: "Unbonding",
  unbonded: "Unbonded",
  jailed: "Jailed",
} as const;

/** What comes due. */
export const DUE = {
  unbonding: "Unbonding",
  redelegation: "Redelegation",
  vote: "Vote",
  deposit: "Deposit period",
  itself: (name: string) => `${name} (own stake)`,
  from: (delegator: string, validator: string) =>
    `${delegator} from ${validator}`,
  over: (delegator: string, from: string, to: string) =>
    `${delegator} from ${from} to ${to}`,
  proposal: (id: bigint, title: string) => `Proposal ${id}: ${title}`,
} as const;

/** By status number. */
export const PROPOSAL_STATUS: Readonly<Record<number, string>> = {
  1: "Deposit period",
  2: "Voting",
  3: "Passed",
  4: "Rejected",
  5: "Failed",
};

/** Votes and their results. */
export const VOTES = {
  yes: "Yes",
  no: "No",
  veto: "No with veto",
  abstain: "Abstain",
  /** By option number. */
  options: ["", "Yes", "Abstain", "No", "No with veto"] as readonly string[],
  untitled: "Untitled",
  noMessages: "No messages",
  endsIn: (span: string) => `ends in ${span}`,
} as const;

/** Titles in the details of transactions. */
export const TITLES = {
  creation: "Contract creation",
  creationOf: (name: string) => `Deploy ${name}`,
  send: (amount: string) => `Send ${amount}`,
  unknownEvent: "unknown event",
  unreadable: "Unreadable transaction",
  andMore: (first: string, more: number) => `${first} and ${more} more`,
  data: "data",
  reverted: "The EVM reverted it.",
  notOnEvm:
    "A framework transaction. The EVM only has its effects: the account’s nonce counts it, and contracts see the new state.",
  asMessage: "An EVM transaction, shown here as a message.",
  hash: "Hash",
  block: "Block",
  from: "From",
  to: "To",
  contract: "Contract",
  value: "Value",
  nonce: "Nonce",
  gas: "Gas",
  gasOf: (used: string, limit: string) => `${used} of ${limit}`,
  fee: "Fee",
  none: "none",
} as const;

/** Reports of the buttons' actions. */
export const DONE = {
  mined: (height: string) => `Mined block ${height}.`,
  paused: "Paused: no block is mined until you mine one or resume.",
  resumed: "Resumed: blocks are mined automatically again.",
  advanced: (span: string, time: string) =>
    `Advanced by ${span}, to ${time} (UTC).`,
  nothingDue: "Nothing is due: nothing unbonds, and no vote is open.",
  voteEnded: (id: string, time: string) =>
    `Proposal ${id}: the vote ended at ${time} (UTC).`,
  slashed: (name: string, percent: string, jailed: boolean) =>
    `Slashed ${name} by ${percent} %${jailed ? ", and jailed it" : ""}.`,
  unjailed: (name: string) => `Unjailed ${name}.`,
  granted: (amounts: string, to: string) => `Granted ${amounts} to ${to}.`,
} as const;

/** Reasons of refusals. */
export const REFUSED = {
  method: "only GET and POST are answered here",
  foreign: "only this page itself may do that",
  token: "this page is from an earlier run of the network: reload it",
  json: "the body must be JSON",
  unknownAct: "there is no such action",
  field: (name: string) => `"${name}" is missing or wrong`,
  notPausable:
    "each transaction mines its own block here: there is nothing to pause",
  noTransaction: "there is no such transaction",
} as const;

/** Texts of the HTML. */
export const PAGE = {
  title: "Local network",
  skip: "Skip to the transactions",
  nav: "Sections",
  chainIds: (evm: number, framework: string) =>
    `Chain ID ${evm} · ${framework}`,
  noScript: "This page needs JavaScript. The endpoints below work without it.",
  control: "Control",
  height: "Height",
  time: "Time (UTC)",
  pace: "Blocks",
  waiting: "Waiting",
  next: "Next due",
  mine: "Mine a block",
  pause: "Pause",
  resume: "Resume",
  day: "Advance a day",
  maturity: "Advance to the next maturity",
  blocks: "Blocks",
  transactions: "Transactions",
  chosen: "The selected transaction",
  choose: "Select a transaction to see it on both stacks.",
  noTransactions: "No transactions yet. Send one to any endpoint below.",
  evm: "EVM",
  framework: "Framework",
  validators: "Validators",
  validator: "Validator",
  stake: "Stake",
  commission: "Commission",
  status: "Status",
  action: "Action",
  slash: "Slash",
  unjail: "Unjail",
  delegations: "Delegations and rewards",
  delegator: "Delegator",
  amount: "Amount",
  rewards: "Rewards",
  noDelegations: "Nobody has delegated.",
  timeLine: "Timeline",
  nothingDue: "Nothing unbonds, and no vote is open.",
  proposals: "Proposals",
  noProposals: "No proposals yet.",
  accounts: "Accounts",
  account: "Account",
  addresses: "Addresses",
  grant: "Grant",
  grantTo: "Grant to another address",
  grantHint: (prefix: string) => `0x… or ${prefix}1…`,
  endpoints: "Endpoints",
  shell: "Run in a shell",
  message: "Send on the socket",
  slashTitle: "Slash a validator",
  fraction: "Part of its stake, in percent",
  jail: "Jail it too",
  cancel: "Cancel",
} as const;

/** Texts that the page's script puts together; it fills in `{…}`. */
export const SCRIPT_TEXTS = {
  alive: "Block {height}",
  paused: "Paused at block {height}",
  down: "The network does not answer",
  connecting: "Connecting …",
  downNews:
    "The network does not answer. The page connects again when it is back.",
  backNews: "The network answers again.",
  newTransactions: "New in block {height}: {title}, {outcome}.",
  manyTransactions: "{count} new transactions.",
  succeeded: "succeeded",
  failed: "failed",
  held: "{count} new",
  transactionsIn: "{count} tx",
  oneIn: "1 tx",
  noneIn: "empty",
  due: "in {left}",
  none: "nothing",
  pause: PAGE.pause,
  resume: PAGE.resume,
  events: "Events ({count})",
  noEvents: "No events",
  evm: PAGE.evm,
  framework: PAGE.framework,
  slash: PAGE.slash,
  slashName: "Slash {name}",
  unjail: PAGE.unjail,
  unjailName: "Unjail {name}",
  grant: PAGE.grant,
  grantName: "Grant tokens to {name}",
  more: "and {count} more",
  votes: "Votes ({count})",
  voteEnd: "Advance to the end of the vote",
  voteEndName: "Advance to the end of the vote on proposal {id}",
  proposedBy: "by {proposer} · {messages} · deposit {deposit} {symbol}",
  at: "{at} UTC",
  from: "from",
  inBlock: "block {height}",
  working: "Working …",
  lost: "The network did not answer.",
  share: "{share} of what is bonded",
} as const;
