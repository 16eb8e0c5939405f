import { isoTime } from "../support/time.js";
import type { DualChain } from "./chain.js";
import { validatorsAt, WHOLE_CONSENSUS_PARAMS } from "./node-rpc/blocks.js";
import { internalError } from "./node-rpc/error.js";
import { answerRest } from "./rest/index.js";

// The document consists of REST's answers, whose JSON is not typed.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** Page size: more accounts and validators than a network starts with. */
const MOST = 100_000;

/** The document writes prices without their fraction. */
const wholePart = (text: string) => text.split(".")[0] ?? "";

/**
 * Returns the genesis document: the initial state as the first block left it,
 * without contracts.
 *
 * @throws RpcFault on a fork, which starts from another chain's state
 */
export async function genesisDocument(chain: DualChain): Promise<object> {
  if (chain.fork !== undefined) {
    throw internalError(
      `a fork has no genesis: this one began with the state of block ${chain.fork.height} of another chain`,
    );
  }
  const height = chain.firstHeight;
  const books = chain.booksAt(height);
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await answerRest(chain, {
      method: "GET",
      path: `/cosmos/${path}`,
      height: String(height),
    });
    if (status !== 200) throw internalError(JSON.stringify(body));
    return body;
  };
  const all = async (path: string) =>
    await get(`${path}?pagination.limit=${MOST}`);
  const { accounts } = await all("auth/v1beta1/accounts");
  const addresses: readonly string[] = accounts.map(
    ({ address, base_account: base }: Json) => address ?? base.address,
  );
  const balances = await Promise.all(
    addresses.map(async (address) => ({
      address,
      coins: await books.bank.balances(address),
    })),
  );
  const { validators } = await all("staking/v1beta1/validators");
  const delegations = await Promise.all(
    validators.map(
      async ({ operator_address: operator }: Json) =>
        await all(`staking/v1beta1/validators/${operator}/delegations`),
    ),
  );
  const powers = await validatorsAt(chain, height);
  const { params: market } = await get("evm/feemarket/v1/params");
  const paramsOf = async (path: string) => (await get(path)).params;
  const first = await chain.blockAt(0n);
  return {
    genesis_time: isoTime(first?.time ?? 0n),
    chain_id: chain.chainId,
    initial_height: "1",
    consensus_params: WHOLE_CONSENSUS_PARAMS,
    app_hash: "",
    app_state: {
      auth: { params: await paramsOf("auth/v1beta1/params"), accounts },
      bank: {
        params: await paramsOf("bank/v1beta1/params"),
        balances: balances.filter(({ coins }) => coins.length > 0),
        supply: (await get("bank/v1beta1/supply")).supply,
        denom_metadata: (await get("bank/v1beta1/denoms_metadata")).metadatas,
        send_enabled: [],
      },
      consensus: null,
      distribution: {
        params: await paramsOf("distribution/v1beta1/params"),
        fee_pool: {
          community_pool: (await get("distribution/v1beta1/community_pool"))
            .pool,
        },
        delegator_withdraw_infos: [],
        previous_proposer: "",
        outstanding_rewards: [],
        validator_accumulated_commissions: [],
        validator_historical_rewards: [],
        validator_current_rewards: [],
        delegator_starting_infos: [],
        validator_slash_events: [],
      },
      evm: {
        accounts: [],
        params: await paramsOf("evm/vm/v1/params"),
        preinstalls: [],
      },
      feemarket: {
        params: {
          ...market,
          base_fee: wholePart(market.base_fee),
          min_gas_price: wholePart(market.min_gas_price),
        },
        block_gas: "0",
      },
      genutil: { gen_txs: [] },
      gov: {
        starting_proposal_id: "1",
        deposits: [],
        votes: [],
        proposals: [],
        deposit_params: null,
        voting_params: null,
        tally_params: null,
        params: await paramsOf("gov/v1/params/voting"),
        constitution: await books.governance.constitution(),
      },
      mint: {
        minter: {
          ...(await get("mint/v1beta1/inflation")),
          ...(await get("mint/v1beta1/annual_provisions")),
        },
        params: await paramsOf("mint/v1beta1/params"),
      },
      slashing: {
        params: await paramsOf("slashing/v1beta1/params"),
        signing_infos: [],
        missed_blocks: [],
      },
      staking: {
        params: await paramsOf("staking/v1beta1/params"),
        last_total_power: String(
          powers.reduce((sum, { power }) => sum + power, 0n),
        ),
        last_validator_powers: powers.map(({ operator, power }) => ({
          address: operator,
          power: String(power),
        })),
        validators,
        delegations: delegations.flatMap(({ delegation_responses: found }) =>
          found.map(({ delegation }: Json) => delegation),
        ),
        unbonding_delegations: [],
        redelegations: [],
        // Set because the validators do not come from genesis transactions.
        exported: true,
      },
      upgrade: {},
    },
  };
}
