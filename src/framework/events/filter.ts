import type { Abi, ExtractAbiEventNames } from "abitype";

import { parseAddress } from "../../address/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { type AbiCodec, abiCodec, type DecodedEvent } from "../abi.js";
import type { RawFilter } from "./backfill.js";
import type { Log } from "./wire.js";

/** A topic, a list of which any may match, or null for any topic. */
export type TopicFilter = string | readonly string[] | null;

export interface LogFilter<
  abi extends Abi = Abi,
  name extends ExtractAbiEventNames<abi> = ExtractAbiEventNames<abi>,
> {
  /** One contract or several, in any form of address; default: all. */
  readonly address?: string | readonly string[];
  /** Decodes the logs; logs of other events are not decoded. */
  readonly abi?: abi;
  /** Only this event of the ABI. */
  readonly eventName?: name;
  /** Values of the event's indexed parameters; a list means any of them. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Topics as they are, instead of `eventName` and `args`. */
  readonly topics?: readonly TopicFilter[];
  /** Starts with the logs from this block on; default: new blocks only. */
  readonly fromBlock?: bigint;
}

/** A log, decoded if the ABI has its event. */
export type DecodedLog<
  abi extends Abi,
  name extends string = ExtractAbiEventNames<abi>,
> = Log &
  (
    | DecodedEvent<abi, name>
    | { readonly eventName: undefined; readonly args: undefined }
  );

/**
 * Checks a filter and converts it for the node, which accepts malformed
 * addresses and topics but then finds nothing.
 *
 * @throws DualstackError naming what is wrong
 */
export async function readFilter<const abi extends Abi>(
  filter: LogFilter<abi>,
  prefix: string,
): Promise<{
  readonly raw: RawFilter;
  readonly codec: AbiCodec<abi> | undefined;
}> {
  const { address, abi, eventName, args, topics } = filter;
  const addresses =
    address === undefined
      ? undefined
      : [address]
          .flat()
          .map((text) => parseAddress(text, { prefix, what: "contract" }).hex);
  if (addresses?.length === 0) {
    throw wrong("the list of addresses is empty");
  }
  const codec = abi === undefined ? undefined : await abiCodec(abi);
  if (topics !== undefined && (eventName !== undefined || args !== undefined)) {
    throw wrong("give either topics, or an event and its arguments");
  }
  if (eventName === undefined && args !== undefined) {
    throw wrong("arguments need the event that they belong to");
  }
  let wanted: readonly TopicFilter[] | undefined = topics?.map(checkedTopic);
  if (topics !== undefined && topics.length > 4) {
    throw wrong("a log has at most 4 topics");
  }
  if (eventName !== undefined) {
    if (codec === undefined) {
      throw wrong("an event's name needs its ABI");
    }
    try {
      wanted = codec.encodeTopics(eventName, args);
    } catch (cause) {
      throw wrong(
        cleanText(cause instanceof Error ? cause.message : cause, 160),
        cause,
      );
    }
  }
  return {
    codec,
    raw: {
      ...(addresses === undefined
        ? {}
        : { address: addresses.length === 1 ? addresses[0] : addresses }),
      ...(wanted === undefined ? {} : { topics: wanted }),
    },
  };
}

function checkedTopic(topic: TopicFilter): TopicFilter {
  for (const one of topic === null ? [] : [topic].flat()) {
    if (!/^0x[0-9a-fA-F]{64}$/.test(one)) {
      throw wrong(
        `the topic "${cleanText(one, 80)}" is not 0x and 64 hexadecimal digits`,
      );
    }
  }
  return topic;
}

const wrong = (what: string, cause?: unknown) =>
  new DualstackError(`the filter for logs cannot be used: ${what}`, { cause });
