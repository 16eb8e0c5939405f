import { parseAddress } from "../../address/index.js";
import { MODULE_ACCOUNTS } from "../../precompiles/index.js";
import { revertReason } from "../../precompiles/revert-reason.js";
import { taskCommand } from "../../support/major.js";
import { cleanText } from "../../support/text.js";
import type { NetworkDescription } from "../../config/network-description.js";
import type { Explanation } from "../shared/sending.js";
import { coinMoney } from "./values.js";
import { tokens } from "../shared/money.js";

interface Refusal {
  readonly text: RegExp;
  readonly explain: (
    found: readonly string[],
    network: NetworkDescription,
  ) => Explanation;
}

const command = (
  task: string,
  { name }: NetworkDescription,
  ...args: readonly string[]
) => taskCommand(task, name, ...args);

/** An explanation that is the same in every case. */
const plain =
  (reason: string, fix?: string): Refusal["explain"] =>
  () =>
    fix === undefined ? { reason } : { reason, fix };

/** Refusals of the chain's modules that a user can do something about. The first match counts. */
const REFUSALS: readonly Refusal[] = [
  {
    text: /validator already exist for this pubkey/,
    explain: plain(
      "another validator has this consensus key",
      "Give the key of the node that will validate.",
    ),
  },
  {
    text: /commission cannot be changed more than once in 24h/,
    explain: plain(
      "the commission was set less than a day ago",
      "Wait until 24 hours have passed.",
    ),
  },
  {
    text: /commission cannot be changed more than max change rate/,
    explain: plain(
      "the commission would change by more than the validator allows in a day",
      "Change it in smaller steps, one a day.",
    ),
  },
  {
    text: /commission cannot be more than the max rate/,
    explain: plain(
      "the commission is above the maximum that the validator was created with",
      "Give a lower one.",
    ),
  },
  {
    text: /commission cannot be less than (?:the )?min(?:imum)? rate/,
    explain: plain(
      "the commission is below the chain's minimum",
      "Give a higher --commission.",
    ),
  },
  {
    text: /redelegation destination validator not found/,
    explain: (_, network) => ({
      reason: "there is no such validator to redelegate to",
      fix: `See ${command("staking validators", network)}.`,
    }),
  },
  {
    text: /validator does not exist/,
    explain: (_, network) => ({
      reason: "there is no such validator",
      fix: `See ${command("staking validators", network)}.`,
    }),
  },
  {
    text: /no delegation for \(address, validator\) tuple/,
    explain: (_, network) => ({
      reason: "the account has delegated nothing to this validator",
      fix: `See ${command("staking delegations", network)}.`,
    }),
  },
  {
    text: /(\d+)(\S*) is smaller than (\d+)\S*: insufficient funds/,
    explain: ([, has = "0", denom = "", needs = "0"], network) => {
      const shown = (amount: string) =>
        tokens(
          coinMoney(
            {
              denom: denom === "" ? network.facts.baseDenom : denom,
              amount: BigInt(amount),
            },
            network.facts,
          ),
        );
      return {
        reason: `the account can spend ${shown(has)}, but this needs ${shown(needs)}`,
        fix: "What is delegated or unbonding cannot be spent.",
      };
    },
  },
  {
    text: /invalid shares amount/,
    explain: plain(
      "it is more than the account has delegated there",
      'Give less, or "all".',
    ),
  },
  {
    text: /too few tokens to redelegate/,
    explain: plain("the amount is too small to be redelegated"),
  },
  {
    text: /invalid (?:delegation )?amount: invalid request/,
    explain: plain("the amount is 0", "Give an amount above 0."),
  },
  {
    text: /too many (unbonding delegation|redelegation) entries/,
    explain: ([, kind = ""], network) => ({
      reason: `there are already as many ${kind.replace(" delegation", "")} entries as the chain allows, usually 7`,
      fix: `Wait until the first one ends: ${command("staking unbonding", network)} shows when.`,
    }),
  },
  {
    text: /cannot redelegate to the same validator/,
    explain: plain("both validators are the same"),
  },
  {
    text: /redelegation to this validator already in progress/,
    explain: (_, network) => ({
      reason:
        "these tokens were redelegated to the validator, and cannot be redelegated again before that redelegation has ended",
      fix: `${command("staking unbonding", network)} shows when it ends.`,
    }),
  },
  {
    text: /cannot delegate to validators with invalid \(zero\) ex-rate/,
    explain: plain(
      "the validator has lost all its tokens and accepts no delegations",
      "Choose another one.",
    ),
  },
  {
    text: /unbonding delegation(?: entry)?(?: with delegator .*)?(?: is)? not found/,
    explain: (_, network) => ({
      reason: "the account has nothing unbonding there from that block",
      fix: `${command("staking unbonding", network)} shows the entries.`,
    }),
  },
  {
    text: /amount is greater than the unbonding delegation entry balance/,
    explain: plain("it is more than the entry has", 'Give less, or "all".'),
  },
  {
    text: /unbonding delegation is already processed/,
    explain: plain("the entry has ended: its tokens are being paid out"),
  },
  {
    text: /validator for this address is currently jailed/,
    explain: plain(
      "the validator is jailed",
      "Wait until it is unjailed, or until the entry ends.",
    ),
  },
  {
    text: /parameter exceeds the maximum number of validators \((\d+)\)/,
    explain: ([, most]) => ({
      reason: `the chain lets an account claim from at most ${most} validators at once`,
      fix: `Give --max ${most}, and withdraw from the others one by one.`,
    }),
  },
  {
    text: /no validator commission to withdraw/,
    explain: plain("no commission is due to the validator"),
  },
  {
    text: /is not allowed to receive (?:external )?funds/,
    explain: plain(
      "the chain pays no funds to that address: it belongs to a module or a precompile",
      "Choose an account of your own.",
    ),
  },
  {
    text: /(?:^|\D)(\d+): inactive proposal/,
    explain: ([, id], network) => ({
      reason: `proposal ${id} does not exist, or is not in the period for this`,
      fix: `See ${command("gov show", network, String(id))}.`,
    }),
  },
  {
    text: /collections: not found: key '\(?\\?"?(\d+)|proposal (\d+) doesn't exist/,
    explain: ([, key, id], network) => ({
      reason: `there is no proposal ${key ?? id}`,
      fix: `See ${command("gov list", network)}.`,
    }),
  },
  {
    text: /total weight (?:lower than|overflow) 1/,
    explain: plain("the weights of the options do not add up to 1"),
  },
  {
    text: /: invalid proposer/,
    explain: plain("only the account that submitted a proposal can cancel it"),
  },
  {
    text: /proposal should be in the deposit or voting period/,
    explain: plain("voting on the proposal is over"),
  },
  {
    text: /need at least one of the following: (\d+)(\S+?)[,:].*minimum deposit is too small/,
    explain: ([, amount = "0", denom = ""], { facts }) => ({
      reason: `the deposit is too small: the chain takes ${tokens(coinMoney({ denom, amount: BigInt(amount) }, facts))} or more at a time`,
      fix: "Give a larger deposit.",
    }),
  },
  {
    text: /gov accepts only the following denom\(s\): \[?([^\]]*)\]?: invalid deposit denom/,
    explain: ([, denoms = ""]) => ({
      reason: `deposits are accepted only in ${cleanText(denoms, 100)}`,
      fix: "Set dualstack.baseDenom to that denomination.",
    }),
  },
  {
    text: /expected gov account as only signer/,
    explain: (_, { facts }) => {
      const { account } = parseAddress(MODULE_ACCOUNTS.governance, {
        prefix: facts.bech32Prefix,
      });
      return {
        reason:
          "a message of the proposal is signed by someone other than governance",
        fix: `The signer of every message (authority, from_address, …) must be ${account}.`,
      };
    },
  },
  {
    text: /invalid proposal (?:JSON|json)[^:]*:? ?(.*)/,
    explain: ([, why = ""]) => ({
      reason: `the chain cannot read the proposal: ${cleanText(why, 200)}`,
    }),
  },
  {
    text: /^(?:.*: )?message (\d+): (.*)/,
    explain: ([, index, why = ""]) => ({
      reason: `the chain cannot read message ${index} of the proposal (the first is 0): ${cleanText(why, 200)}`,
    }),
  },
  {
    text: /no messages proposed/,
    explain: plain("the proposal has neither messages nor metadata"),
  },
  {
    text: /metadata too long/,
    explain: plain(
      "the metadata is longer than the chain allows, usually 255 characters",
    ),
  },
  {
    text: /no method with id/,
    explain: plain(
      "the precompile of this chain does not have that method",
      "The chain runs another release of it; see dualstack.precompiles.",
    ),
  },
];

/** Longer texts do not come from the chain. */
const MAX_TEXT = 2_000;

// Hardhat's own network and real nodes wrap the reason in different words.
const AROUND =
  /^.*?(?:reverted with reason string '(.*)'|execution reverted:? ?(.*))$/s;

/** A module's refusal in plain words, with a fix if one is known. */
export function explainRefusal(
  network: NetworkDescription,
  { data, text }: { readonly data: string | undefined; readonly text: string },
): Explanation | undefined {
  const told = text.slice(0, MAX_TEXT);
  const around = AROUND.exec(told);
  const reason =
    revertReason(data)?.slice(0, MAX_TEXT) ??
    around?.[1] ??
    around?.[2] ??
    told;
  for (const { text: pattern, explain } of REFUSALS) {
    const found = pattern.exec(reason);
    if (found !== null) {
      return explain(found, network);
    }
  }
  return reason === told || reason === ""
    ? undefined
    : { reason: cleanText(reason) };
}
