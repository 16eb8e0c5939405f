// Looks through a run in advance: whose stake, rewards and votes does it touch?

import type { Interface, TransactionDescription } from "ethers";

import { PRECOMPILES } from "../../precompiles/catalog.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import type { Frame } from "../foresight/trace.js";

/** What a request meets of the modules' books. Addresses in lower case; operators as the caller wrote them. */
export interface Meetings {
  readonly accounts: Set<string>;
  /** Account and operator of lists of unbonding entries, as `account operator`. */
  readonly unbonding: Map<string, { account: string; operator: string }>;
  /** Accounts whose redelegations are met. */
  readonly moving: Set<string>;
  /** Validators, all of whose leaving redelegations are met. */
  readonly leaving: Set<string>;
  /** Validators that are met for their own delegation. */
  readonly operators: Set<string>;
  /** Whether proposals are met. */
  governance: boolean;
  /** Those that are met by their numbers. */
  readonly proposals: Set<bigint>;
  /** Whether all are. */
  allProposals: boolean;
  /** Those whose votes are counted. */
  readonly counted: Set<bigint>;
  /** A call that makes a proposal: its number must be known. */
  submits:
    | { readonly from: string; readonly to: string; readonly data: string }
    | undefined;
  /** A call by which something begins to unbond: how long that takes must be known. */
  unbonds:
    | { readonly from: string; readonly to: string; readonly data: string }
    | undefined;
  /** Validators whose commission changes. */
  readonly edited: Set<string>;
}

export const noMeetings = (): Meetings => ({
  accounts: new Set(),
  unbonding: new Map(),
  moving: new Set(),
  leaving: new Set(),
  operators: new Set(),
  governance: false,
  proposals: new Set(),
  allProposals: false,
  counted: new Set(),
  submits: undefined,
  unbonds: undefined,
  edited: new Set(),
});

/** Views that every fork has the answers of. */
const PARAMETERS = new Set(["getParams", "getConstitution"]);

type Module = "staking" | "distribution" | "governance";

/** Views answer the same whoever asks. */
function meetCaller(
  met: Meetings,
  { fragment }: TransactionDescription,
  caller: string,
): void {
  if (!fragment.constant) met.accounts.add(caller.toLowerCase());
}

/** What a call of the governance module needs: whose stake counts is found out when votes are counted. */
function meetProposals(
  met: Meetings,
  call: TransactionDescription,
  { from, to, input, error }: Frame,
): void {
  const { name, args } = call;
  if (PARAMETERS.has(name)) return;
  met.governance = true;
  // Who votes counts with what it has at the end.
  meetCaller(met, call, from);
  if (name === "getProposals") met.allProposals = true;
  else if (name === "submitProposal") {
    // One that is refused gets no number.
    if (error === undefined)
      met.submits ??= { from, to: to ?? "", data: input };
  } else {
    const id = BigInt(String(args.proposalId));
    met.proposals.add(id);
    if (name === "getTallyResult") met.counted.add(id);
  }
}

/** Finds out from calldata what calls of the modules need. */
export class MeetingFinder {
  readonly #modules: ReadonlyMap<string, Module>;
  readonly #interfaces: ReadonlyMap<Module, Interface>;

  private constructor(
    modules: ReadonlyMap<string, Module>,
    interfaces: ReadonlyMap<Module, Interface>,
  ) {
    this.#modules = modules;
    this.#interfaces = interfaces;
  }

  static async create(addresses: PrecompileAddresses): Promise<MeetingFinder> {
    const { Interface } = await import("ethers");
    const names = ["staking", "distribution", "governance"] as const;
    return new MeetingFinder(
      new Map(names.map((name) => [addresses[name].toLowerCase(), name])),
      new Map(
        names.map((name) => [name, new Interface(PRECOMPILES[name].abi)]),
      ),
    );
  }

  /** What the frames of a request meet, but for the contracts `born` in it; those that failed included: they may fail because it is not there yet. */
  find(root: Frame, born: ReadonlySet<string>): Meetings {
    return this.findAll([{ root, born }]);
  }

  /** The same for several requests together. */
  findAll(
    runs: readonly {
      readonly root: Frame;
      readonly born: ReadonlySet<string>;
    }[],
  ): Meetings {
    const met = noMeetings();
    const visit = (frame: Frame) => {
      const module = this.#modules.get(frame.to ?? "");
      if (module !== undefined) this.#meet(met, module, frame);
      frame.calls?.forEach(visit);
    };
    for (const { root } of runs) visit(root);
    // The chain has nothing of contracts that these requests themselves create.
    for (const { born } of runs) {
      for (const account of born) met.accounts.delete(account);
    }
    return met;
  }

  #meet(met: Meetings, module: Module, frame: Frame): void {
    const { input, from, to, error } = frame;
    // What is refused does not begin to unbond.
    const begins =
      error === undefined ? { from, to: to ?? "", data: input } : undefined;
    const call = this.#parse(module, input);
    // What the modules ask each other is of the same accounts.
    if (call === undefined) return;
    if (module === "governance") {
      meetProposals(met, call, frame);
      return;
    }
    const text = (name: string) => String(call.args[name] ?? "");
    for (const { name, type } of call.fragment.inputs) {
      if (type !== "address") continue;
      const account = text(name).toLowerCase();
      if (!/^0x0*$/.test(account)) met.accounts.add(account);
    }
    meetCaller(met, call, from);
    const account = text("delegatorAddress").toLowerCase();
    const source = text("validatorSrcAddress") || text("srcValidatorAddress");
    const operator = text("validatorAddress");
    switch (call.name) {
      case "undelegate":
        met.unbonds ??= begins;
        met.unbonding.set(`${account} ${operator}`, { account, operator });
        break;
      case "cancelUnbondingDelegation":
      case "unbondingDelegation":
        met.unbonding.set(`${account} ${operator}`, { account, operator });
        break;
      case "redelegate":
        met.unbonds ??= begins;
        met.moving.add(account);
        break;
      case "redelegation":
        met.moving.add(account);
        break;
      case "redelegations":
        if (/^0x0*$/.test(account)) met.leaving.add(source);
        else met.moving.add(account);
        break;
      case "editValidator":
        if (call.args.commissionRate !== -1n) met.edited.add(operator);
        break;
      case "validatorDistributionInfo":
      case "withdrawValidatorCommission":
        met.operators.add(operator);
        break;
    }
  }

  #parse(module: Module, input: string) {
    try {
      const call = this.#interfaces
        .get(module)
        ?.parseTransaction({ data: input });
      if (call == null) return undefined;
      // Arguments that cannot be read are found out here.
      call.args.toArray(true);
      return call;
    } catch {
      // The module refuses it.
      return undefined;
    }
  }
}
