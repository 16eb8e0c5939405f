import type { EndpointName } from "../../chain/index.js";
import { type Check, type Finding, skipped } from "./check.js";
import { connectionFault, placeOf } from "./host.js";
import type { Subject } from "./subject.js";

/** A check with its outcome. */
export interface Examined {
  readonly check: Check;
  readonly finding: Finding;
  /** Whether it is red because its endpoint did not answer. */
  readonly unanswered: boolean;
  readonly ms: number;
}

/**
 * Separates causes from consequences, so that each cause is one red line:
 * checks that need an endpoint that does not answer are skipped, and so are
 * further endpoints on a host that cannot be connected to.
 */
export class Consequences {
  readonly #subject: Subject;
  readonly #examined: readonly Promise<Examined>[];
  readonly #faults = new Map<EndpointName, Promise<string | undefined>>();

  /** @param examined in the order in which they are printed */
  constructor(subject: Subject, examined: readonly Promise<Examined>[]) {
    this.#subject = subject;
    this.#examined = examined;
  }

  /** The same outcome, but skipped if it follows from a cause on another line. */
  async apart(one: Examined): Promise<Examined> {
    const { check, finding } = one;
    if (finding.status !== "red") {
      return one;
    }
    const speakers = (await Promise.all(this.#examined)).filter(
      (other) =>
        other.check.id !== check.id &&
        other.check.speaksFor !== undefined &&
        other.unanswered,
    );
    const cause = speakers.find(
      ({ check: { speaksFor } }) =>
        speaksFor !== undefined && check.needs.includes(speaksFor),
    );
    if (cause !== undefined) {
      const { id, title } = cause.check;
      return {
        ...one,
        finding: skipped(`${title} does not answer: see that check`, id),
      };
    }
    return one.unanswered ? await this.#apartFromHost(one, speakers) : one;
  }

  async #apartFromHost(
    one: Examined,
    speakers: readonly Examined[],
  ): Promise<Examined> {
    const { speaksFor } = one.check;
    if (speaksFor === undefined || speakers.length === 0) {
      return one;
    }
    const fault = await this.#faultOf(speaksFor);
    if (fault === undefined) {
      return one;
    }
    const examined = await Promise.all(this.#examined);
    for (const { check } of examined.slice(0, examined.indexOf(one))) {
      if (
        check.speaksFor !== undefined &&
        speakers.some((speaker) => speaker.check === check) &&
        (await this.#faultOf(check.speaksFor)) === fault
      ) {
        return {
          ...one,
          finding: skipped(
            `its host cannot be reached either: see ${check.title}`,
            check.id,
          ),
        };
      }
    }
    return one;
  }

  /** Why no connection can be made to an endpoint's host; tried once per endpoint. */
  async #faultOf(name: EndpointName): Promise<string | undefined> {
    let fault = this.#faults.get(name);
    if (fault === undefined) {
      const address = this.#subject.network.endpoints[name];
      const place = address === undefined ? undefined : placeOf(address);
      fault =
        place === undefined
          ? Promise.resolve(undefined)
          : connectionFault(place);
      this.#faults.set(name, fault);
    }
    return await fault;
  }
}
