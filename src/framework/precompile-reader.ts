import type { Abi } from "abitype";

import {
  PRECOMPILES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../precompiles/index.js";
import { revertReason } from "../precompiles/revert-reason.js";
import { type RpcProvider, rpcErrorOf } from "../rpc/provider.js";
import { fromQuantity } from "../rpc/quantities.js";
import {
  abiCodec,
  type AbiCodec,
  type ViewAnswer,
  type ViewArgs,
  type ViewName,
} from "./abi.js";
import { malformed, refusal } from "./errors.js";

type AbiOf<name extends PrecompileName> = (typeof PRECOMPILES)[name]["abi"];

export interface PrecompileReaderOptions {
  readonly provider: RpcProvider;
  readonly addresses: PrecompileAddresses;
  /** ABIs that replace this package's own. */
  readonly abis?: Partial<Readonly<Record<PrecompileName, Abi>>>;
  readonly network: string;
}

/** Calls views of the precompiles over the EVM's JSON-RPC. */
export class PrecompileReader {
  readonly #options: PrecompileReaderOptions;
  readonly #codecs = new Map<PrecompileName, Promise<unknown>>();

  constructor(options: PrecompileReaderOptions) {
    this.#options = options;
  }

  /**
   * @param height the block at whose end the state is read
   * @throws FrameworkError for a revert, with its reason
   */
  async read<name extends PrecompileName, view extends ViewName<AbiOf<name>>>(
    precompile: name,
    view: view,
    args: ViewArgs<AbiOf<name>, view>,
    height?: bigint,
  ): Promise<ViewAnswer<AbiOf<name>, view>> {
    const { provider, network } = this.#options;
    const codec = await this.#codec(precompile);
    const to = this.#options.addresses[precompile];
    const what = `the ${precompile} precompile`;
    let data: unknown;
    try {
      // Without a gas limit: here an eth_call needs more than the estimate.
      data = await provider.request({
        method: "eth_call",
        params: [{ to, data: codec.encodeCall(view, args) }, blockTag(height)],
      });
    } catch (error) {
      const answer = rpcErrorOf(error);
      if (answer === undefined) {
        throw error;
      }
      throw refusal(
        what,
        { text: revertReason(answer.data) ?? answer.message },
        { network, address: to, cause: error },
      );
    }
    if (data === "0x") {
      throw malformed(what, `answered ${view} with nothing`, {
        network,
        address: to,
        fix: "Check that the precompile is active at this address.",
      });
    }
    try {
      return codec.decodeAnswer(view, String(data));
    } catch (cause) {
      throw malformed(
        what,
        `answered ${view} with something that does not fit its ABI`,
        {
          network,
          address: to,
          cause,
        },
      );
    }
  }

  /** The native balance, in base units. */
  async balance(address: string, height?: bigint): Promise<bigint> {
    const { provider, network } = this.#options;
    const answer = await provider.request({
      method: "eth_getBalance",
      params: [address, blockTag(height)],
    });
    if (typeof answer !== "string" || !/^0x[0-9a-fA-F]+$/.test(answer)) {
      throw malformed(
        "the EVM endpoint",
        "answered eth_getBalance without a number",
        {
          network,
        },
      );
    }
    return BigInt(answer);
  }

  /** Whether a height is above the newest block. */
  async isBeyondHead(height: bigint): Promise<boolean> {
    const head = await this.#options.provider.request({
      method: "eth_blockNumber",
      params: [],
    });
    return height > fromQuantity(head, "the newest block's number");
  }

  async #codec<name extends PrecompileName>(
    name: name,
  ): Promise<AbiCodec<AbiOf<name>>> {
    let codec = this.#codecs.get(name);
    if (codec === undefined) {
      codec = abiCodec<Abi>(
        this.#options.abis?.[name] ?? PRECOMPILES[name].abi,
      );
      this.#codecs.set(name, codec);
    }
    return (await codec) as AbiCodec<AbiOf<name>>;
  }
}

const blockTag = (height: bigint | undefined) =>
  height === undefined ? "latest" : `0x${height.toString(16)}`;
