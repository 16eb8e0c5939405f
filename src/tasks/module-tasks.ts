import {
  JSON_FLAG,
  SENDING_OPTIONS,
  type TaskArgument,
  type TaskEntry,
  type TaskOption,
} from "./entry.js";

/** The tasks about staking, rewards and governance. Read whenever Hardhat starts. */

export const MODULE_GROUPS: readonly Pick<TaskEntry, "path" | "description">[] =
  [
    { path: ["staking"], description: "Validators and delegations" },
    {
      path: ["rewards"],
      description: "Rewards of delegations, commission of validators",
    },
    { path: ["gov"], description: "Proposals and votes" },
    {
      path: ["local"],
      description:
        "Control a local chain, such as the one of a running hardhat node",
    },
  ];

const AMOUNT = {
  name: "amount",
  description:
    'Whole tokens ("1.5"), or base units with the denomination ("1500anative")',
} as const satisfies TaskArgument;
const AMOUNT_OR_ALL = {
  ...AMOUNT,
  description: `${AMOUNT.description}, or "all"`,
} as const satisfies TaskArgument;
const VALIDATOR = {
  name: "validator",
  description: "The validator's operator as 0x… or bech32, or its moniker",
} as const satisfies TaskArgument;
const ACCOUNT = {
  name: "address",
  description:
    "An account as 0x… or bech32; default: the network's first account",
  optional: true,
} as const satisfies TaskArgument;
const MIN_SELF_DELEGATION = {
  name: "minSelfDelegation",
  description: "The operator's minimum self-delegation",
} as const satisfies TaskArgument;
/** What a validator says of itself, beside its moniker. */
const DESCRIPTION_OPTIONS = [
  { name: "identity", description: "Its identity, such as a Keybase key" },
  { name: "website", description: "Its website" },
  { name: "securityContact", description: "A contact for security reports" },
  { name: "details", description: "Further details" },
] as const satisfies readonly TaskOption[];
const PROPOSAL = {
  name: "proposal",
  description: "The proposal's number",
} as const satisfies TaskArgument;

/** One of the actions in a file. */
const from =
  <Actions, Name extends keyof Actions>(
    load: () => Promise<Actions>,
    name: Name,
  ) =>
  async () => ({ default: (await load())[name] });

const staking = () => import("./actions/staking.js");
const rewards = () => import("./actions/rewards.js");
const local = () => import("./actions/local.js");
const governance = () => import("./actions/governance.js");

export const MODULE_TASKS = [
  {
    path: ["staking", "validators"],
    description: "List the validators",
    options: [
      {
        name: "status",
        description:
          "Only those with this status: bonded, unbonding or unbonded",
      },
      JSON_FLAG,
    ],
    load: from(staking, "validators"),
  },
  {
    path: ["staking", "validator"],
    description: "Show a validator",
    arguments: [VALIDATOR],
    options: [JSON_FLAG],
    load: from(staking, "validator"),
  },
  {
    path: ["staking", "delegations"],
    description: "Show an account's delegations and their rewards",
    arguments: [ACCOUNT],
    options: [JSON_FLAG],
    load: from(staking, "delegations"),
  },
  {
    path: ["staking", "unbonding"],
    description: "Show what an account has unbonding",
    arguments: [ACCOUNT],
    options: [JSON_FLAG],
    load: from(staking, "unbonding"),
  },
  {
    path: ["staking", "delegate"],
    description: "Delegate tokens to a validator",
    arguments: [VALIDATOR, AMOUNT],
    options: SENDING_OPTIONS,
    load: from(staking, "delegateTokens"),
  },
  {
    path: ["staking", "undelegate"],
    description: "Take tokens back from a validator",
    arguments: [VALIDATOR, AMOUNT_OR_ALL],
    options: SENDING_OPTIONS,
    load: from(staking, "undelegateTokens"),
  },
  {
    path: ["staking", "redelegate"],
    description: "Move a delegation to another validator",
    arguments: [
      {
        name: "validator",
        description: "The validator to move from: its operator, or its moniker",
      },
      {
        name: "to",
        description: "The validator to move to: its operator, or its moniker",
      },
      AMOUNT_OR_ALL,
    ],
    options: SENDING_OPTIONS,
    load: from(staking, "redelegateTokens"),
  },
  {
    path: ["staking", "cancel"],
    description: "Cancel an unbonding, and delegate its tokens again",
    arguments: [
      VALIDATOR,
      AMOUNT_OR_ALL,
      {
        name: "creationHeight",
        description:
          "The block in which the entry was created; not needed if there is only one",
        optional: true,
      },
    ],
    options: SENDING_OPTIONS,
    load: from(staking, "cancel"),
  },
  {
    path: ["staking", "create"],
    description: "Create a validator, with the account as its operator",
    arguments: [
      { name: "moniker", description: "The name that people know it by" },
      {
        name: "pubkey",
        description:
          'The consensus key as "comet show-validator" prints it, or its base64',
      },
      AMOUNT,
    ],
    options: [
      {
        name: "commission",
        description:
          'Its share of the rewards, as "5%" or "0.05"; default: 10%',
      },
      {
        name: "maxCommission",
        description:
          "The highest that the commission can ever be; default: 20%",
      },
      {
        name: "maxCommissionChange",
        description:
          "The most that the commission can change in a day; default: 1%",
      },
      {
        ...MIN_SELF_DELEGATION,
        description: `${MIN_SELF_DELEGATION.description}; default: one base unit`,
      },
      ...DESCRIPTION_OPTIONS,
      ...SENDING_OPTIONS,
    ],
    load: from(staking, "create"),
  },
  {
    path: ["staking", "edit"],
    description: "Change the validator that the account operates",
    options: [
      { name: "moniker", description: "A new name" },
      {
        name: "commission",
        description: 'A new commission, as "5%" or "0.05"; possible once a day',
      },
      {
        ...MIN_SELF_DELEGATION,
        description: `${MIN_SELF_DELEGATION.description}; it can only rise`,
      },
      ...DESCRIPTION_OPTIONS,
      ...SENDING_OPTIONS,
    ],
    load: from(staking, "edit"),
  },
  {
    path: ["rewards", "show"],
    description: "Show the rewards that are due to an account",
    arguments: [ACCOUNT],
    options: [JSON_FLAG],
    load: from(rewards, "show"),
  },
  {
    path: ["rewards", "withdraw"],
    description: "Withdraw the rewards of one validator",
    arguments: [VALIDATOR],
    options: SENDING_OPTIONS,
    load: from(rewards, "withdraw"),
  },
  {
    path: ["rewards", "claim"],
    description: "Claim the rewards of all validators at once",
    options: [
      {
        name: "max",
        description: "The most validators to claim from; default: all",
      },
      ...SENDING_OPTIONS,
    ],
    load: from(rewards, "claim"),
  },
  {
    path: ["rewards", "commission"],
    description: "Withdraw the commission of the account's own validator",
    options: SENDING_OPTIONS,
    load: from(rewards, "commission"),
  },
  {
    path: ["rewards", "withdraw-address"],
    description: "Show where rewards are paid to",
    arguments: [ACCOUNT],
    options: [JSON_FLAG],
    load: from(rewards, "withdrawAddress"),
  },
  {
    path: ["rewards", "withdraw-address", "set"],
    description: "Have rewards paid to another account",
    arguments: [
      { name: "address", description: "The account as 0x… or bech32" },
    ],
    options: SENDING_OPTIONS,
    load: from(rewards, "setAddress"),
  },
  {
    path: ["gov", "list"],
    description: "List the proposals",
    options: [
      {
        name: "status",
        description:
          "Only those with this status: deposit, voting, passed, rejected or failed",
      },
      JSON_FLAG,
    ],
    load: from(governance, "list"),
  },
  {
    path: ["gov", "show"],
    description: "Show a proposal, its deposit and its votes",
    arguments: [PROPOSAL],
    options: [JSON_FLAG],
    load: from(governance, "show"),
  },
  {
    path: ["gov", "params"],
    description: "Show the governance parameters",
    options: [JSON_FLAG],
    load: from(governance, "params"),
  },
  {
    path: ["gov", "submit"],
    description: "Submit a proposal",
    arguments: [
      {
        name: "file",
        description: "A JSON file with messages, metadata, title and summary",
      },
    ],
    options: [
      {
        name: "deposit",
        description: `${AMOUNT.description}; default: the file's`,
      },
      ...SENDING_OPTIONS,
    ],
    load: from(governance, "submit"),
  },
  {
    path: ["gov", "deposit"],
    description: "Add to the deposit of a proposal",
    arguments: [PROPOSAL, AMOUNT],
    options: SENDING_OPTIONS,
    load: from(governance, "deposit"),
  },
  {
    path: ["gov", "vote"],
    description: "Vote on a proposal",
    arguments: [
      PROPOSAL,
      {
        name: "option",
        description:
          'yes, no, abstain or no_with_veto, or weights such as "yes=0.6,no=0.4"',
      },
    ],
    options: SENDING_OPTIONS,
    load: from(governance, "castVote"),
  },
  {
    path: ["gov", "cancel"],
    description: "Cancel a proposal that the account submitted",
    arguments: [PROPOSAL],
    options: SENDING_OPTIONS,
    load: from(governance, "cancel"),
  },
  {
    path: ["local", "state"],
    description: "Show the chain's state, its time and what is due next",
    options: [JSON_FLAG],
    load: from(local, "state"),
  },
  {
    path: ["local", "advance"],
    description: "Mine a block at a later time",
    arguments: [
      {
        name: "by",
        description:
          'A period such as "10d", "1d12h" or "90s", or an ISO 8601 time',
      },
    ],
    options: [JSON_FLAG],
    load: from(local, "advance"),
  },
  {
    path: ["local", "next"],
    description: "Go to what is due next: a maturity or the end of a vote",
    options: [JSON_FLAG],
    load: from(local, "next"),
  },
  {
    path: ["local", "vote-end"],
    description: "Go to the end of a vote",
    arguments: [PROPOSAL],
    options: [JSON_FLAG],
    load: from(local, "voteEnd"),
  },
  {
    path: ["local", "slash"],
    description: "Slash a validator, and jail it",
    arguments: [VALIDATOR],
    options: [
      {
        name: "fraction",
        description:
          'The fraction of its stake, such as "0.05" or "5%"; default: the one for missed blocks',
      },
      {
        name: "noJail",
        description: "Do not jail it",
        type: "flag",
      },
      JSON_FLAG,
    ],
    load: from(local, "slash"),
  },
  {
    path: ["local", "jail"],
    description: "Jail a validator",
    arguments: [VALIDATOR],
    options: [JSON_FLAG],
    load: from(local, "jail"),
  },
  {
    path: ["local", "unjail"],
    description: "Unjail a validator",
    arguments: [VALIDATOR],
    options: [JSON_FLAG],
    load: from(local, "unjail"),
  },
  {
    path: ["local", "reward-rate"],
    description: "Set the yearly rewards on bonded stake",
    arguments: [{ name: "rate", description: '"0.1" or "10%"; 0 for none' }],
    options: [JSON_FLAG],
    load: from(local, "rewardRate"),
  },
  {
    path: ["local", "deposit-rewards"],
    description: "Give rewards to a validator and its delegators",
    arguments: [VALIDATOR, AMOUNT],
    options: [JSON_FLAG],
    load: from(local, "depositRewards"),
  },
  {
    path: ["local", "add-validator"],
    description: "Add a validator; no account pays its stake",
    arguments: [
      { name: "operator", description: "Its operator as 0x… or bech32" },
    ],
    options: [
      { name: "moniker", description: "Its name" },
      { name: "stake", description: AMOUNT.description },
      JSON_FLAG,
    ],
    load: from(local, "addValidator"),
  },
  {
    path: ["local", "snapshot"],
    description: "Take a snapshot of the chain's state",
    options: [JSON_FLAG],
    load: from(local, "snapshot"),
  },
  {
    path: ["local", "restore"],
    description: "Go back to a snapshot",
    arguments: [
      {
        name: "snapshot",
        description: "The ID that snapshot printed, such as 0x1",
      },
    ],
    options: [JSON_FLAG],
    load: from(local, "restore"),
  },
] as const satisfies readonly TaskEntry[];
