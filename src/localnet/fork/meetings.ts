// Finds in the trace of a request whose stake, rewards and votes it touches.

import type { Interface, TransactionDescription } from "ethers";

import { PRECOMPILES } from "../../precompiles/catalog.js";
import type {
  PrecompileAddresses,
  PrecompileName,
} from "../../precompiles/addresses.js";
import type { Frame } from "../foresight/trace.js";

/**
 * What a request meets of the modules' books. Addresses are in lower case,
 * operators as the caller wrote them.
 */
export interface Meetings {
  /** Accounts whose delegations and rewards are met. */
  readonly accounts: Set<string>;
  /** Delegator and operator of unbonding entries, by `account operator`. */
  readonly unbonding: Map<string, { account: string; operator: string }>;
  /** Accounts whose redelegations are met. */
  readonly moving: Set<string>;
  /** Validators from which all redelegations are met. */
  readonly leaving: Set<string>;
  /** Validators whose self-delegation is met. */
  readonly operators: Set<string>;
  /** Whether any proposals are met. */
  governance: boolean;
  /** Proposals that are met by ID. */
  readonly proposals: Set<bigint>;
  /** Whether all proposals are met. */
  allProposals: boolean;
  /** Proposals whose votes are counted. */
  readonly counted: Set<bigint>;
  /** A call that submits a proposal, so that the next ID must be known. */
  submits:
    | { readonly from: string; readonly to: string; readonly data: string }
    | undefined;
  /**
   * A call that starts an unbonding, so that the unbonding time must be known.
   */
  unbonds:
    | { readonly from: string; readonly to: string; readonly data: string }
    | undefined;
  /** Validators whose commission changes. */
  readonly edited: Set<string>;
  /** Called modules that not every chain has. */
  readonly optional: Set<OptionalModule>;
}

/** A module that not every chain has a precompile of. */
export type OptionalModule = "slashing" | "bank";

/** Returns meetings with nothing in them. */
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
  optional: new Set(),
});

/** Views whose answers every fork has from the start. */
const PARAMETERS = new Set(["getParams", "getConstitution"]);

type Module = "staking" | "distribution" | "governance" | OptionalModule;

/**
 * Adds the caller of a transaction; a view's answer does not depend on its
 * caller.
 */
function meetCaller(
  met: Meetings,
  { fragment }: TransactionDescription,
  caller: string,
): void {
  if (!fragment.constant) met.accounts.add(caller.toLowerCase());
}

/**
 * Adds what a call of the governance module meets. The stake of voters is
 * needed only when votes are counted.
 */
function meetProposals(
  met: Meetings,
  call: TransactionDescription,
  { from, to, input, error }: Frame,
): void {
  const { name, args } = call;
  if (PARAMETERS.has(name)) return;
  met.governance = true;
  // A vote counts with the stake that the voter has when the vote ends.
  meetCaller(met, call, from);
  if (name === "getProposals") met.allProposals = true;
  else if (name === "submitProposal") {
    // A refused proposal gets no ID.
    if (error === undefined)
      met.submits ??= { from, to: to ?? "", data: input };
  } else {
    const id = BigInt(String(args.proposalId));
    met.proposals.add(id);
    if (name === "getTallyResult") met.counted.add(id);
  }
}

/** Finds from calldata what calls of the modules meet. */
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

  /** @param active the emulated precompiles */
  static async create(
    addresses: PrecompileAddresses,
    active: readonly PrecompileName[],
  ): Promise<MeetingFinder> {
    const { Interface } = await import("ethers");
    const names = active.filter((name) => name !== "bech32");
    return new MeetingFinder(
      new Map(names.map((name) => [addresses[name].toLowerCase(), name])),
      new Map(
        names.map((name) => [name, new Interface(PRECOMPILES[name].abi)]),
      ),
    );
  }

  /**
   * Returns what a request's frames meet, including failed ones, which may fail
   * only because the books lack something.
   *
   * @param born contracts that the request creates, of which the chain has
   * nothing
   */
  find(root: Frame, born: ReadonlySet<string>): Meetings {
    return this.findAll([{ root, born }]);
  }

  /** Returns what several requests meet together; see {@link find}. */
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
    // The chain has nothing of contracts that the requests create.
    for (const { born } of runs) {
      for (const account of born) met.accounts.delete(account);
    }
    return met;
  }

  #meet(met: Meetings, module: Module, frame: Frame): void {
    const { input, from, to, error } = frame;
    if (module === "slashing" || module === "bank") met.optional.add(module);
    // A refused call starts no unbonding.
    const begins =
      error === undefined ? { from, to: to ?? "", data: input } : undefined;
    const call = this.#parse(module, input);
    // Other calls are between modules, and concern the same accounts.
    if (call === undefined) return;
    if (module === "governance") {
      meetProposals(met, call, frame);
      return;
    }
    // Other addresses that these are asked for are no accounts.
    if (module === "slashing" && call.name !== "unjail") return;
    if (module === "bank" && call.name !== "balances") return;
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
      // ethers decodes lazily: this throws for malformed arguments.
      call.args.toArray(true);
      return call;
    } catch {
      // The module refuses the call.
      return undefined;
    }
  }
}
