// Reads the chain's proposals when a request meets governance.

import type { LiveReader } from "../../live-state/reader.js";
import type { Hex, LiveBase, LiveProposal } from "../../live-state/state.js";
import { isOpen } from "../../live-state/statuses.js";
import { UnreadError } from "../../live-state/unreadable.js";
import { DualstackError } from "../../support/errors.js";
import { once } from "../../support/once.js";
import type { ImportCall } from "./importer.js";
import type { Meetings } from "./meetings.js";

/** Which of the chain's proposals are in the books. */
export interface LoadedProposals {
  /** The block of the fork at which the open proposals were imported. */
  readonly since: bigint | undefined;
  /** IDs that were read, including those that the chain does not have. */
  readonly ids: ReadonlySet<bigint>;
  /** Whether all proposals were read. */
  readonly all: boolean;
  /** Whether the ID of the next proposal is known. */
  readonly last: boolean;
  /** IDs of the proposals whose voters' stake was read. */
  readonly counted: ReadonlySet<bigint>;
}

/** Nothing read yet. */
export const NO_PROPOSALS: LoadedProposals = {
  since: undefined,
  ids: new Set(),
  all: false,
  last: false,
  counted: new Set(),
};

/** What must be imported for a request that meets proposals. */
export interface ProposalsToWrite {
  readonly calls: readonly ImportCall[];
  /** Accounts whose votes are counted, so that their stake is needed. */
  readonly voters: ReadonlySet<Hex>;
  /** Accounts that get their deposits for these proposals back. */
  readonly depositors: ReadonlySet<Hex>;
  readonly loaded: LoadedProposals;
}

type Foreseen = (
  call: NonNullable<Meetings["submits"]>,
) => Promise<bigint | undefined>;

/**
 * Reads the chain's proposals for a fork's books: first the open ones, others
 * when a request meets them.
 */
export class LiveProposals {
  readonly #reader: LiveReader;
  readonly #onNotice: (text: string) => void;
  readonly #foreseen: Foreseen;
  /** Reads when the open proposals end, once; a failure is tried again. */
  readonly ends: () => ReturnType<LiveReader["proposalEnds"]>;
  readonly #read = new Map<bigint, LiveProposal>();
  #known: Awaited<ReturnType<LiveReader["proposalEnds"]>> = [];

  /**
   * @param foreseen returns what a call returned in the chain's next block, if
   * known
   */
  constructor(
    reader: LiveReader,
    onNotice: (text: string) => void,
    foreseen: Foreseen,
  ) {
    this.#reader = reader;
    this.#foreseen = foreseen;
    this.#onNotice = onNotice;
    this.ends = once(async () => (this.#known = await reader.proposalEnds()));
  }

  /**
   * Returns when an open proposal ends next whose voters' stake is not in the
   * books, in Unix seconds.
   */
  next({ counted }: LoadedProposals): bigint | undefined {
    return this.#known
      .filter(({ id }) => !counted.has(id))
      .reduce<
        bigint | undefined
      >((least, { time }) => (least === undefined || time < least ? time : least), undefined);
  }

  /** Returns the IDs of open proposals that end by a time, in Unix seconds. */
  endingUntil(time: bigint): bigint[] {
    return this.#known.flatMap((end) => (end.time <= time ? [end.id] : []));
  }

  /** Returns whether the books lack something that was met. */
  lacks(met: Meetings, loaded: LoadedProposals): boolean {
    return (
      met.governance &&
      (loaded.since === undefined ||
        (met.allProposals && !loaded.all) ||
        (met.submits !== undefined && !loaded.last) ||
        [...met.counted].some((id) => !loaded.counted.has(id)) ||
        (!loaded.all && [...met.proposals].some((id) => !loaded.ids.has(id))))
    );
  }

  /**
   * Reads the proposals that a request meets.
   *
   * @param head number of the fork's newest block
   * @throws UnreadError when something cannot be read
   */
  async load(
    met: Meetings,
    base: LiveBase,
    loaded: LoadedProposals,
    head: bigint,
  ): Promise<ProposalsToWrite> {
    const ids = new Set(loaded.ids);
    const counted = new Set(loaded.counted);
    const found: LiveProposal[] = [];
    const take = (id: bigint, proposal: LiveProposal | undefined) => {
      if (proposal !== undefined && !ids.has(id)) found.push(proposal);
      if (proposal !== undefined) this.#read.set(id, proposal);
      ids.add(id);
    };
    const all = loaded.all || met.allProposals;
    if (met.allProposals && !loaded.all) {
      for (const one of await this.#reader.proposals(base)) take(one.id, one);
    } else {
      const underWay =
        loaded.since === undefined
          ? (await this.ends()).map(({ id }) => id)
          : [];
      const wanted = [...underWay, ...(loaded.all ? [] : met.proposals)];
      const missing = [...new Set(wanted.filter((one) => !ids.has(one)))];
      const read = await Promise.all(
        missing.map(async (id) => await this.#reader.proposal(id, base)),
      );
      missing.forEach((id, index) => take(id, read[index]));
    }
    const voters = new Set<Hex>();
    const depositors = new Set(
      found.flatMap(({ deposits }) => deposits.map((one) => one.depositor)),
    );
    for (const id of met.counted) {
      if (counted.has(id)) continue;
      counted.add(id);
      for (const { voter } of this.#read.get(id)?.votes ?? []) {
        voters.add(voter);
      }
    }
    const last =
      met.submits === undefined || loaded.last
        ? undefined
        : await this.#lastProposal(met.submits);
    return {
      calls: [
        ...found.flatMap((one) => this.#importOf(one)),
        ...(last === undefined
          ? []
          : [
              {
                module: "governance" as const,
                method: "importLastProposal",
                args: [last],
              },
            ]),
      ],
      voters,
      depositors,
      loaded: {
        since: loaded.since ?? head,
        ids,
        all,
        last: loaded.last || last !== undefined,
        counted,
      },
    };
  }

  /**
   * Finds the ID of the last proposal. No view returns it, but the chain's
   * answer to a call that submits one tells the next.
   */
  async #lastProposal(call: NonNullable<Meetings["submits"]>): Promise<bigint> {
    const stored = await this.#reader.lastProposal();
    if (stored !== undefined) return stored;
    const foreseen = await this.#foreseen(call);
    if (foreseen !== undefined) return foreseen - 1n;
    try {
      return BigInt(String(await this.#reader.call(call))) - 1n;
    } catch (cause) {
      throw new UnreadError(
        "the number that the next proposal would have cannot be read from the precompiles' views",
        { fix: "Configure the network's node RPC (nodeRpcUrl).", cause },
      );
    }
  }

  #importOf(proposal: LiveProposal): ImportCall[] {
    const { id, types, json } = proposal;
    if (isOpen(proposal.status) && types.length > 0 && json === undefined) {
      this.#onNotice(
        `What proposal ${id} would do cannot be read from the forked chain: the fork stops where it passes. Configure the network's REST endpoint (restUrl).`,
      );
    }
    return [
      {
        module: "governance",
        method: "contentCode",
        args: [
          {
            ...proposal,
            json: json === undefined ? "0x" : hexOf(json),
          },
        ],
      },
      { module: "governance", method: "importProposal", args: [proposal] },
    ];
  }
}

const hexOf = (text: string) => `0x${Buffer.from(text).toString("hex")}`;

/**
 * Checks that the books have the open proposals at a past block of the fork.
 *
 * @throws DualstackError when the proposals were imported after that block
 */
export function requireProposalsAt(
  { since }: LoadedProposals,
  block: bigint,
): void {
  if (since !== undefined && since <= block) return;
  throw new DualstackError(
    `what the chain has of proposals was not read at block ${block} of the fork`,
    {
      fix: "Ask at the newest block, or call it once before the fork's first block.",
    },
  );
}
