// Unusual arguments: asks the staking, distribution, governance and bech32 precompiles of a chain about a thousand questions,
// and notes every answer; compare-probes.mjs compares two such recordings. The chain must be fresh, with the accounts and the
// validator of world.mjs, and periods that are all the same.
//   node probes.mjs --rpc URL --out FILE [--mode chain|hardhat]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import {
  Interface,
  Transaction,
  getCreateAddress,
  hexlify,
  id as hashOf,
  keccak256,
  parseEther,
  toUtf8Bytes,
  toUtf8String,
} from "ethers";
import {
  IFACES,
  decodeLog,
  decodeReturn,
  decodeRevert,
  short,
} from "./abi.mjs";
import { RpcError, revertData } from "./record.mjs";
import { PUBKEYS, T, bech32, makeWorld } from "./world.mjs";

const CALL =
  "(address to, bytes data, bool revertFrame, uint256 gasLimit)[] calls";
const RESULT = "(bool[] oks, bytes[] rets, uint256 balance)";
const CALLER = new Interface([
  `function direct(${CALL}) payable returns ${RESULT}`,
  `function framed(${CALL}) payable returns ${RESULT}`,
  `function execute(${CALL}) payable`,
]);
const CALLER_BYTECODE =
  "0x6080604052348015600e575f5ffd5b5061097e8061001c5f395ff3fe608060405260043610610041575f3560e01c8063316b19bd1461004c57806345067dc6146100615780634cc619091461008c57806397bc746d1461009f575f5ffd5b3661004857005b5f5ffd5b61005f61005a366004610577565b6100cb565b005b61007461006f366004610577565b610124565b60405161008393929190610616565b60405180910390f35b61007461009a366004610577565b61022c565b3480156100aa575f5ffd5b506100be6100b93660046106c1565b6103f6565b60405161008391906106f8565b5f5b8181101561011f575f5f6101038585858181106100ec576100ec61070a565b90506020028101906100fe919061071e565b61046e565b9150915081610115576101158161056f565b50506001016100cd565b505050565b6060805f8367ffffffffffffffff8111156101415761014161073c565b60405190808252806020026020018201604052801561016a578160200160208202803683370190505b5092508367ffffffffffffffff8111156101865761018661073c565b6040519080825280602002602001820160405280156101b957816020015b60608152602001906001900390816101a45790505b5091505f5b84811015610221576101db8686838181106100ec576100ec61070a565b8583815181106101ed576101ed61070a565b602002602001018584815181106102065761020661070a565b602090810291909101019190915290151590526001016101be565b504790509250925092565b6060805f8367ffffffffffffffff8111156102495761024961073c565b604051908082528060200260200182016040528015610272578160200160208202803683370190505b5092508367ffffffffffffffff81111561028e5761028e61073c565b6040519080825280602002602001820160405280156102c157816020015b60608152602001906001900390816102ac5790505b5091505f5b8481101561022157306397bc746d8787848181106102e6576102e661070a565b90506020028101906102f8919061071e565b6040518263ffffffff1660e01b815260040161031491906107a2565b5f604051808303815f875af192505050801561035157506040513d5f823e601f3d908101601f1916820160405261034e9190810190610840565b60015b6103a8573d80801561037e576040519150601f19603f3d011682016040523d82523d5f602084013e610383565b606091505b50808483815181106103975761039761070a565b6020026020010181905250506103ee565b60018583815181106103bc576103bc61070a565b602002602001019015159081151581525050808483815181106103e1576103e161070a565b6020026020010181905250505b6001016102c6565b60605f5f6104038461046e565b9150915081610415576104158161056f565b61042560608501604086016108f3565b156104675760405162461bcd60e51b815260206004820152600e60248201526d199c985b59481c995d995c9d195960921b604482015260640160405180910390fd5b9392505050565b5f606082810135156104f557610487602084018461090c565b6001600160a01b031660608401356104a26020860186610925565b6040516104b092919061096f565b5f604051808303815f8787f1925050503d805f81146104ea576040519150601f19603f3d011682016040523d82523d5f602084013e6104ef565b606091505b50610566565b610502602084018461090c565b6001600160a01b03166105186020850185610925565b60405161052692919061096f565b5f604051808303815f865af19150503d805f811461055f576040519150601f19603f3d011682016040523d82523d5f602084013e610564565b606091505b505b91509150915091565b805160208201fd5b5f5f60208385031215610588575f5ffd5b823567ffffffffffffffff81111561059e575f5ffd5b8301601f810185136105ae575f5ffd5b803567ffffffffffffffff8111156105c4575f5ffd5b8560208260051b84010111156105d8575f5ffd5b6020919091019590945092505050565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b606080825284519082018190525f9060208601906080840190835b818110156106515783511515835260209384019390920191600101610631565b50508381036020850152809150855180825260208201925060208160051b830101602088015f5b838110156106aa57601f198584030186526106948383516105e8565b6020968701969093509190910190600101610678565b505080945050505050826040830152949350505050565b5f602082840312156106d1575f5ffd5b813567ffffffffffffffff8111156106e7575f5ffd5b820160808185031215610467575f5ffd5b602081525f61046760208301846105e8565b634e487b7160e01b5f52603260045260245ffd5b5f8235607e19833603018112610732575f5ffd5b9190910192915050565b634e487b7160e01b5f52604160045260245ffd5b80356001600160a01b0381168114610766575f5ffd5b919050565b81835281816020850137505f828201602090810191909152601f909101601f19169091010190565b80358015158114610766575f5ffd5b602081526001600160a01b036107b783610750565b1660208201525f6020830135601e198436030181126107d4575f5ffd5b830160208101903567ffffffffffffffff8111156107f0575f5ffd5b8036038213156107fe575f5ffd5b6080604085015261081360a08501828461076b565b91505061082260408501610793565b80151560608501525060609390930135608092909201919091525090565b5f60208284031215610850575f5ffd5b815167ffffffffffffffff811115610866575f5ffd5b8201601f81018413610876575f5ffd5b805167ffffffffffffffff8111156108905761089061073c565b604051601f8201601f19908116603f0116810167ffffffffffffffff811182821017156108bf576108bf61073c565b6040528181528282016020018610156108d6575f5ffd5b8160208401602083015e5f91810160200191909152949350505050565b5f60208284031215610903575f5ffd5b61046782610793565b5f6020828403121561091c575f5ffd5b61046782610750565b5f5f8335601e1984360301811261093a575f5ffd5b83018035915067ffffffffffffffff821115610954575f5ffd5b602001915036819003821315610968575f5ffd5b9250929050565b818382375f910190815291905056";

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const hex = (n) => "0x" + BigInt(n).toString(16);
const ZERO = "0x" + "0".repeat(40);
const U64 = 2n ** 64n - 1n;

// ---- JSON-RPC ---------------------------------------------------------------------------------------------------
/** An endpoint over HTTP. */
export class HttpRpc {
  #id = 0;
  constructor(url) {
    this.url = url;
  }
  async #post(body) {
    for (let i = 0; ; i++) {
      try {
        const r = await fetch(this.url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(90_000),
        });
        return await r.json();
      } catch (e) {
        if (i > 2) throw e;
        await sleep(200 * (i + 1));
      }
    }
  }
  #req = (method, params) => ({
    jsonrpc: "2.0",
    id: ++this.#id,
    method,
    params,
  });
  async send(method, params = []) {
    const r = await this.#post(this.#req(method, params));
    if (r.error) throw new RpcError(r.error);
    return r.result;
  }
  /** [[method, params], ...] -> results in the same order; throws where one failed. */
  async batch(list) {
    const reqs = list.map(([m, p]) => this.#req(m, p));
    const r = await this.#post(reqs);
    if (!Array.isArray(r))
      return Promise.all(list.map(([m, p]) => this.send(m, p)));
    const by = new Map(r.map((x) => [x.id, x]));
    return reqs.map((q) => {
      const x = by.get(q.id);
      if (!x || x.error) throw new RpcError(x?.error);
      return x.result;
    });
  }
}

// ---- recorder ---------------------------------------------------------------------------------------------------
const jsonArg = (v, type) => {
  if (typeof v === "bigint" || typeof v === "number") return v.toString();
  if (v instanceof Uint8Array)
    return type?.name === "jsonProposal"
      ? jsonArg(toUtf8String(v, (_r, _o, _b, out) => (out.push(0xfffd), 0)))
      : hexlify(v);
  if (Array.isArray(v)) return v.map((x) => jsonArg(x));
  if (v && typeof v === "object")
    return Object.fromEntries(
      Object.entries(v).map(([k, x]) => [k, jsonArg(x)]),
    );
  return typeof v === "string" && v.length > 600
    ? `${v.slice(0, 100)}… (${v.length} characters)`
    : v;
};

/** [a, a, b] -> [{ times: 2, ...a }, { times: 1, ...b }] */
const runs = (list) => {
  const out = [];
  for (const x of list) {
    const key = JSON.stringify(x);
    if (out.at(-1)?.key === key) out.at(-1).times++;
    else out.push({ key, times: 1, x });
  }
  return out.map(({ times, x }) => ({ times, ...x }));
};

class Probes {
  constructor(opts) {
    this.opts = opts;
    this.rpc = opts.rpc;
    this.world = makeWorld(opts);
    this.list = [];
    this.ids = new Map();
    this.warnings = [];
    this.pin = null; // block that eth_call is asked at
    this.nonces = {};
  }

  hex = (n) => this.world.addresses[n]?.hex ?? n;
  acc = (n) => this.world.addresses[n]?.acc ?? bech32(this.world.prefix, n);
  val = (n) =>
    this.world.addresses[n]?.val ?? bech32(`${this.world.prefix}valoper`, n);
  name = (h) => this.world.names.get(String(h).toLowerCase()) ?? h;
  get denom() {
    return this.world.denom;
  }

  async init() {
    this.chainId = BigInt(await this.rpc.send("eth_chainId"));
    const client = await this.rpc
      .send("web3_clientVersion")
      .catch(() => "unknown");
    this.mode =
      this.opts.mode ?? (/hardhat|anvil/i.test(client) ? "hardhat" : "chain");
    this.meta = {
      set: this.opts.set,
      mode: this.mode,
      client,
      chainId: this.chainId.toString(),
      prefix: this.world.prefix,
      denom: this.denom,
      seed: null,
      pubkeys: PUBKEYS,
      startedAt: new Date().toISOString(),
    };
    await this.repin();
    const c = await this.ethCall({
      from: this.hex("relayer"),
      to: this.hex("gov"),
      data: IFACES.gov.encodeFunctionData("getParams"),
    });
    const g = decodeReturn(IFACES.gov.getFunction("getParams"), c.raw).value
      .params;
    const s = (ns) => Number(BigInt(ns) / 1_000_000_000n);
    this.params = {
      voting: s(g.votingPeriod),
      deposit: s(g.maxDepositPeriod),
      expedited: s(g.expeditedVotingPeriod),
      unbonding: null,
    };
  }

  async block(tag) {
    const b = await this.rpc.send("eth_getBlockByNumber", [
      typeof tag === "number" ? hex(tag) : tag,
      false,
    ]);
    return { number: Number(b.number), time: Number(b.timestamp) };
  }

  /** Lets eth_call ask at one block from here on, so that the answers of a stretch belong to one state and one time. */
  async repin() {
    this.pin = await this.block("latest");
    if (this.mode === "chain") {
      // the block before the newest: its state is certainly there
      const end = Date.now() + 30_000;
      while (
        (await this.block("latest")).number <= this.pin.number &&
        Date.now() < end
      )
        await sleep(150);
    }
    return this.pin;
  }

  async ethCall(params) {
    try {
      return {
        ok: true,
        raw: (
          await this.rpc.send("eth_call", [
            { gas: hex(30_000_000), ...params },
            this.mode === "chain" ? hex(this.pin.number) : "latest",
          ])
        ).toLowerCase(),
      };
    } catch (e) {
      if (!(e instanceof RpcError)) throw e;
      return { ok: false, data: revertData(e) ?? "0x", message: short(e) };
    }
  }

  async balances(tag) {
    const names = Object.keys(this.world.addresses);
    const r = await this.rpc.batch(
      names.map((n) => ["eth_getBalance", [this.hex(n), tag]]),
    );
    return Object.fromEntries(names.map((n, i) => [n, BigInt(r[i])]));
  }

  deltas(before, after) {
    const out = {};
    for (const [n, v] of Object.entries(after))
      if (v !== (before[n] ?? 0n)) out[n] = (v - (before[n] ?? 0n)).toString();
    return out;
  }

  /** One probe; never throws. */
  async step(id, kind, fn) {
    if (
      this.opts.only &&
      !id.startsWith(this.opts.only) &&
      !id.startsWith("setup.")
    )
      return {};
    if (this.ids.has(id)) {
      this.warnings.push(`duplicate id ${id}`);
      return {};
    }
    const rec = { id, kind };
    this.ids.set(id, rec);
    this.list.push(rec);
    try {
      await fn(rec);
    } catch (e) {
      rec.error = short(e);
    }
    return rec;
  }

  describe(rec, from, to, fn, args) {
    rec.from = this.name(from);
    rec.to = this.name(to);
    if (fn) {
      const f = IFACES[to].getFunction(fn);
      rec.method = fn;
      rec.args = args.map((a, i) => jsonArg(a, f.inputs[i]));
    }
    rec.data = fn ? IFACES[to].encodeFunctionData(fn, args) : (args ?? "0x");
  }

  outcome(rec, c, to, fn) {
    rec.ok = c.ok;
    if (!c.ok) {
      rec.revert = decodeRevert(c.data);
      if (rec.revert.kind === "none") rec.message = c.message;
      return;
    }
    const f = fn && IFACES[to].getFunction(fn);
    if (!f) return void (rec.ret = { raw: c.raw });
    const { raw, value, canonical, undecodable } = decodeReturn(f, c.raw);
    rec.ret = value && canonical ? { value } : { raw, value, undecodable };
  }

  // -- eth_call of a named method; of calldata as it is
  call(id, from, to, fn, ...args) {
    return this.step(id, "call", async (rec) => {
      this.describe(rec, from, to, fn, args);
      rec.time = this.pin.time;
      rec.block = this.pin.number;
      this.outcome(
        rec,
        await this.ethCall({
          from: this.hex(from),
          to: this.hex(to),
          data: rec.data,
        }),
        to,
        fn,
      );
    });
  }
  raw(id, from, to, data) {
    return this.step(id, "call", async (rec) => {
      this.describe(rec, from, to, null, data);
      rec.time = this.pin.time;
      rec.block = this.pin.number;
      this.outcome(
        rec,
        await this.ethCall({ from: this.hex(from), to: this.hex(to), data }),
        to,
        data.slice(0, 10),
      );
    });
  }

  estimate(id, from, to, fn, ...args) {
    return this.step(id, "estimate", async (rec) => {
      this.describe(rec, from, to, fn, args);
      try {
        rec.gas = Number(
          await this.rpc.send("eth_estimateGas", [
            { from: this.hex(from), to: this.hex(to), data: rec.data },
          ]),
        );
        rec.ok = true;
      } catch (e) {
        if (!(e instanceof RpcError)) throw e;
        this.outcome(rec, {
          ok: false,
          data: revertData(e) ?? "0x",
          message: short(e),
        });
      }
    });
  }

  // -- several calls by the contract
  one = (to, fn, args, o = {}) => ({
    to,
    fn,
    args,
    data: fn ? IFACES[to].encodeFunctionData(fn, args) : args,
    revertFrame: false,
    gasLimit: 0n,
    ...o,
  });
  packed = (calls) => [
    calls.map((c) => ({
      to: this.hex(c.to),
      data: c.data,
      revertFrame: c.revertFrame,
      gasLimit: c.gasLimit,
    })),
  ];
  shown = (calls) =>
    runs(
      calls.map((c) => ({
        to: c.to,
        ...(c.fn ? { method: c.fn, args: jsonArg(c.args) } : { data: c.data }),
        ...(c.revertFrame ? { revertFrame: true } : {}),
        ...(c.gasLimit ? { gasLimit: c.gasLimit.toString() } : {}),
      })),
    );
  innerOutcome(rec, c, how, calls, balance) {
    rec.ok = c.ok;
    if (!c.ok) return void (rec.revert = decodeRevert(c.data));
    if (how === "execute") return;
    const [oks, rets, left] = CALLER.decodeFunctionResult(how, c.raw);
    rec.results = runs(
      Array.from(oks, (ok, i) => {
        if (!ok) return { ok, revert: decodeRevert(rets[i]) };
        const f = calls[i].fn && IFACES[calls[i].to].getFunction(calls[i].fn);
        return {
          ok,
          ret: f
            ? (decodeReturn(f, rets[i]).value ?? { raw: rets[i] })
            : { raw: rets[i] },
        };
      }),
    );
    rec.spent = (balance + BigInt(rec.value ?? 0) - left).toString(); // as the contract sees it within the transaction
  }
  inner(id, how, calls, from = "bob") {
    return this.step(id, "inner", async (rec) => {
      Object.assign(rec, {
        from,
        to: "caller",
        method: how,
        calls: this.shown(calls),
        time: this.pin.time,
        block: this.pin.number,
      });
      const balance = BigInt(
        await this.rpc.send("eth_getBalance", [
          this.hex("caller"),
          this.mode === "chain" ? hex(this.pin.number) : "latest",
        ]),
      );
      this.innerOutcome(
        rec,
        await this.ethCall({
          from: this.hex(from),
          to: this.hex("caller"),
          data: CALLER.encodeFunctionData(how, this.packed(calls)),
        }),
        how,
        calls,
        balance,
      );
    });
  }

  // -- transaction: legacy, gas price 0, unless `sign` makes another
  async runTx(rec, { from, to, data, value = 0n, gas = 5_000_000n, sign }) {
    const wallet = this.world.wallets[from];
    const params = {
      from: wallet.address,
      data,
      gas: hex(gas),
      ...(to ? { to } : {}),
      ...(value ? { value: hex(value) } : {}),
    };
    if (value) rec.value = value.toString();
    const hardhat = this.mode === "hardhat";
    if (hardhat)
      await this.rpc
        .send("hardhat_setNextBlockBaseFeePerGas", ["0x0"])
        .catch(() => {});
    let before = hardhat ? await this.balances("latest") : null;
    this.pin = await this.block("latest");
    const start = this.pin.number;
    const nonce = Number(
      await this.rpc.send("eth_getTransactionCount", [
        wallet.address,
        "latest",
      ]),
    );
    let c = await this.ethCall(params);
    // one second a block, whatever the machine's load
    if (hardhat)
      await this.rpc.send("evm_setNextBlockTimestamp", [this.pin.time + 1]);
    let raw;
    if (sign) raw = await sign(wallet, nonce);
    else {
      const t = Transaction.from({
        type: 0,
        chainId: this.chainId,
        nonce,
        gasPrice: 0n,
        gasLimit: gas,
        to,
        value,
        data,
      });
      t.signature = wallet.signingKey.sign(t.unsignedHash);
      raw = t.serialized;
    }
    let sendError = null;
    await this.rpc
      .send("eth_sendRawTransaction", [raw])
      .catch((e) => (sendError = e));
    const hash = keccak256(raw);
    const end = Date.now() + (hardhat || sendError ? 3_000 : 30_000);
    let receipt = null;
    while (
      !(receipt = await this.rpc
        .send("eth_getTransactionReceipt", [hash])
        .catch(() => null))?.blockNumber
    ) {
      if (Date.now() > end) break;
      await sleep(hardhat ? 20 : 150);
      // A node whose precompile panicked has the transaction in a block, but never a receipt for it.
      if (
        !hardhat &&
        (await this.block("latest")).number > start + 6 &&
        Number(
          await this.rpc.send("eth_getTransactionCount", [
            wallet.address,
            "latest",
          ]),
        ) > nonce
      )
        break;
    }
    if (!receipt?.blockNumber) {
      rec.status = null;
      rec.nonceUsed =
        Number(
          await this.rpc.send("eth_getTransactionCount", [
            wallet.address,
            "latest",
          ]),
        ) > nonce;
      if (sendError) rec.sendError = short(sendError);
      return c;
    }
    const n = Number(receipt.blockNumber);
    const b = await this.block(n);
    Object.assign(rec, {
      status: Number(receipt.status),
      block: n,
      time: b.time,
      gasUsed: Number(receipt.gasUsed),
    });
    let after;
    if (hardhat) after = await this.balances("latest");
    else {
      [before, after] = [
        await this.balances(hex(n - 1)),
        await this.balances(hex(n)),
      ];
      if (start !== n - 1) {
        this.pin = await this.block(n - 1);
        c = await this.ethCall(params);
      }
    }
    this.callerBefore = before.caller;
    rec.deltas = this.deltas(before, after);
    rec.logs = receipt.logs.map((l) => {
      const address = l.address.toLowerCase();
      const d = decodeLog(IFACES[this.name(address)], l);
      return {
        address: this.name(address),
        topics: l.topics,
        data: l.data,
        ...(d.event ? { event: d.event, args: d.args } : {}),
      };
    });
    return c;
  }
  tx(id, from, to, fn, args, o = {}) {
    return this.step(id, "tx", async (rec) => {
      this.describe(rec, from, to, fn, args);
      this.outcome(
        rec,
        await this.runTx(rec, { from, to: this.hex(to), data: rec.data, ...o }),
        to,
        fn,
      );
    });
  }
  innerTx(id, how, calls, o = {}) {
    return this.step(id, "innerTx", async (rec) => {
      Object.assign(rec, {
        from: o.from ?? "bob",
        to: "caller",
        method: how,
        calls: this.shown(calls),
      });
      const c = await this.runTx(rec, {
        from: rec.from,
        to: this.hex("caller"),
        data: CALLER.encodeFunctionData(how, this.packed(calls)),
        gas: 20_000_000n,
        ...o,
      });
      this.innerOutcome(rec, c, how, calls, this.callerBefore);
    });
  }
  async deployCaller(id, from, value) {
    const nonce = Number(
      await this.rpc.send("eth_getTransactionCount", [
        this.hex(from),
        "latest",
      ]),
    );
    this.world.add(
      "caller",
      getCreateAddress({ from: this.hex(from), nonce }),
      "contracts",
    );
    await this.step(id, "tx", async (rec) => {
      Object.assign(rec, { from, to: null, method: "new Caller" });
      await this.runTx(rec, {
        from,
        to: null,
        data: CALLER_BYTECODE,
        gas: 6_000_000n,
      });
    });
    await this.step(`${id}.fund`, "tx", async (rec) => {
      Object.assign(rec, { from, to: "caller", data: "0x" });
      await this.runTx(rec, {
        from,
        to: this.hex("caller"),
        data: "0x",
        value,
      });
    });
  }
  /** One transaction of type 4: the sender's account gets the code of the contract and runs it at once. */
  setCode(id, from, calls, o = {}) {
    return this.step(id, "innerTx", async (rec) => {
      Object.assign(rec, {
        from,
        to: from,
        method: "execute",
        calls: this.shown(calls),
        type: 4,
      });
      const data = CALLER.encodeFunctionData("execute", this.packed(calls));
      await this.runTx(rec, {
        from,
        to: this.hex(from),
        data,
        sign: async (w, nonce) => {
          const auth = await w.authorize({
            address: this.hex("caller"),
            nonce: nonce + 1,
            chainId: this.chainId,
          });
          return w.signTransaction({
            type: 4,
            chainId: this.chainId,
            nonce,
            to: w.address,
            data,
            value: o.value ?? 0n,
            gasLimit: 5_000_000n,
            maxFeePerGas: 0n,
            maxPriorityFeePerGas: 0n,
            authorizationList: [auth],
          });
        },
      });
      rec.code = (
        await this.rpc.send("eth_getCode", [this.hex(from), "latest"])
      ).toLowerCase();
    });
  }

  /** Until the block time is past `until`. */
  advance(id, until) {
    return this.step(id, "advance", async (rec) => {
      const b0 = await this.block("latest");
      const before = await this.balances(
        this.mode === "chain" ? hex(b0.number) : "latest",
      );
      let b = b0;
      if (this.mode === "hardhat") {
        await this.rpc.send("evm_increaseTime", [
          Math.max(1, until - b0.time + 1),
        ]);
        for (let i = 0; i < 3; i++) await this.rpc.send("evm_mine", []);
      } else {
        while (b.time <= until) {
          await sleep(b.time + 3 < until ? 1000 : 200);
          b = await this.block("latest");
        }
        const n = b.number + 2;
        while (b.number < n) {
          await sleep(200);
          b = await this.block("latest");
        }
      }
      b = await this.block("latest");
      const after = await this.balances(
        this.mode === "chain" ? hex(b.number) : "latest",
      );
      Object.assign(rec, {
        ok: b.time > until,
        time: b.time,
        block: b.number,
        deltas: this.deltas(before, after),
      });
    });
  }

  result() {
    return {
      format: 1,
      meta: {
        ...this.meta,
        finishedAt: new Date().toISOString(),
        periods: this.params,
        addresses: this.world.addresses,
        warnings: this.warnings,
        count: this.list.length,
      },
      probes: this.list,
    };
  }
}

// ---- arguments --------------------------------------------------------------------------------------------------
const page = (o = {}) => ({
  key: "0x",
  offset: 0n,
  limit: 0n,
  countTotal: false,
  reverse: false,
  ...o,
});
const desc = (moniker, o = {}) => ({
  moniker,
  identity: "",
  website: "",
  securityContact: "",
  details: "",
  ...o,
});
const rates = (rate, maxRate, maxChangeRate) => ({
  rate: parseEther(rate),
  maxRate: parseEther(maxRate),
  maxChangeRate: parseEther(maxChangeRate),
});
const key = (n) =>
  Buffer.from(hashOf("pk" + n).slice(2), "hex").toString("base64");
const json = (o) => toUtf8Bytes(typeof o === "string" ? o : JSON.stringify(o));
const weights = (...x) => x.map(([option, weight]) => ({ option, weight }));
const KEEP = "[do-not-modify]";
const keepAll = (o = {}) => ({
  moniker: KEEP,
  identity: KEEP,
  website: KEEP,
  securityContact: KEEP,
  details: KEEP,
  ...o,
});

/** Makers of arguments that need the network's prefix and denomination. */
function makers(p) {
  const gov = p.acc("module:gov");
  const coin = (n, d = p.denom) => ({ denom: d, amount: BigInt(n) });
  const amount = (n, d = p.denom) => [{ denom: d, amount: String(n) }];
  const msg = (type, o) => ({ "@type": type, ...o });
  const send = (n = 1, o = {}) =>
    msg("/cosmos.bank.v1beta1.MsgSend", {
      from_address: gov,
      to_address: p.acc("bob"),
      amount: amount(n),
      ...o,
    });
  const spend = (n = 1, o = {}) =>
    msg("/cosmos.distribution.v1beta1.MsgCommunityPoolSpend", {
      authority: gov,
      recipient: p.acc("bob"),
      amount: amount(n),
      ...o,
    });
  const staking = (o = {}) =>
    msg("/cosmos.staking.v1beta1.MsgUpdateParams", {
      authority: gov,
      params: {
        unbonding_time: "300s",
        max_validators: 100,
        max_entries: 7,
        historical_entries: 10000,
        bond_denom: p.denom,
        min_commission_rate: "0.000000000000000000",
        ...o,
      },
    });
  const distribution = (o = {}) =>
    msg("/cosmos.distribution.v1beta1.MsgUpdateParams", {
      authority: gov,
      params: {
        community_tax: "0.020000000000000000",
        base_proposer_reward: "0.000000000000000000",
        bonus_proposer_reward: "0.000000000000000000",
        withdraw_addr_enabled: true,
        ...o,
      },
    });
  const governance = (o = {}) =>
    msg("/cosmos.gov.v1.MsgUpdateParams", {
      authority: gov,
      params: {
        min_deposit: amount(10n * T),
        max_deposit_period: `${p.params.deposit}s`,
        voting_period: `${p.params.voting}s`,
        quorum: "0.334000000000000000",
        threshold: "0.500000000000000000",
        veto_threshold: "0.334000000000000000",
        min_initial_deposit_ratio: "0.000000000000000000",
        proposal_cancel_ratio: "0.500000000000000000",
        proposal_cancel_dest: "",
        expedited_voting_period: `${p.params.expedited}s`,
        expedited_threshold: "0.667000000000000000",
        expedited_min_deposit: amount(50n * T),
        burn_vote_quorum: false,
        burn_proposal_deposit_prevote: false,
        burn_vote_veto: true,
        min_deposit_ratio: "0.010000000000000000",
        ...o,
      },
    });
  const proposal = (o = {}) =>
    json({
      messages: [send()],
      metadata: "ipfs://CID",
      title: "t",
      summary: "s",
      expedited: false,
      ...o,
    });
  return {
    gov,
    coin,
    amount,
    msg,
    send,
    spend,
    staking,
    distribution,
    governance,
    proposal,
  };
}

// ---- state the questions are asked about ------------------------------------------------------------------------
/** Amounts in tokens; set B uses others. */
const STATE_A = {
  whale: 5000n,
  valB: 20n,
  valC: 15n,
  aliceA: 10n,
  aliceB: 5n,
  unbond: [3n, 1n],
  move: 2n,
  erinA: 6n,
  erinMove: 1n,
  pool: 7n,
  dave: 4n,
  community: 3n,
  first: 1n,
  extra: 2n,
  caller: 50n,
};

async function setup(p, s) {
  const m = makers(p);
  const A = p.val("valA");
  const B = p.val("valB");
  const go = (id, from, to, fn, ...args) =>
    p.tx(`setup.${id}`, from, to, fn, args);
  const H = p.hex;
  await go(
    "whale",
    "relayer",
    "staking",
    "delegate",
    H("relayer"),
    A,
    s.whale * T,
  );
  await go(
    "valB",
    "valB",
    "staking",
    "createValidator",
    desc("B"),
    rates("0.1", "0.5", "0.01"),
    T,
    H("valB"),
    PUBKEYS.valB,
    s.valB * T,
  );
  await go(
    "valC",
    "valC",
    "staking",
    "createValidator",
    desc("C", { details: "third" }),
    rates("0.05", "0.5", "0.01"),
    T,
    H("valC"),
    PUBKEYS.valC,
    s.valC * T,
  );
  await go(
    "aliceA",
    "alice",
    "staking",
    "delegate",
    H("alice"),
    A,
    s.aliceA * T,
  );
  await go(
    "aliceB",
    "alice",
    "staking",
    "delegate",
    H("alice"),
    B,
    s.aliceB * T,
  );
  const u = await go(
    "unbond",
    "alice",
    "staking",
    "undelegate",
    H("alice"),
    A,
    s.unbond[0] * T,
  );
  await go(
    "unbond2",
    "alice",
    "staking",
    "undelegate",
    H("alice"),
    A,
    s.unbond[1] * T,
  );
  await go(
    "move",
    "alice",
    "staking",
    "redelegate",
    H("alice"),
    A,
    B,
    s.move * T,
  );
  await go("erinA", "erin", "staking", "delegate", H("erin"), A, s.erinA * T);
  await go(
    "erinMove",
    "erin",
    "staking",
    "redelegate",
    H("erin"),
    A,
    B,
    s.erinMove * T,
  );
  await go(
    "pool",
    "dave",
    "distribution",
    "depositValidatorRewardsPool",
    H("dave"),
    A,
    [m.coin(s.pool * T)],
  );
  await go("dave", "dave", "staking", "delegate", H("dave"), A, s.dave * T); // without rewards
  await go(
    "community",
    "dave",
    "distribution",
    "fundCommunityPool",
    H("dave"),
    [m.coin(s.community * T)],
  );
  await go(
    "proposal1",
    "carol",
    "gov",
    "submitProposal",
    H("carol"),
    m.proposal(),
    [m.coin(s.first * T)],
  );
  await go(
    "proposal2",
    "carol",
    "gov",
    "submitProposal",
    H("carol"),
    m.proposal({ messages: [], title: "text" }),
    [m.coin(10n * T)],
  );
  await go("deposit1", "dave", "gov", "deposit", H("dave"), 1n, [
    m.coin(s.extra * T),
  ]);
  await go("vote2", "erin", "gov", "vote", H("erin"), 2n, 1, "");
  await go(
    "vote2w",
    "dave",
    "gov",
    "voteWeighted",
    H("dave"),
    2n,
    weights([1, "0.7"], [3, "0.3"]),
    "why",
  );
  await p.deployCaller("setup.caller", "bob", s.caller * T);
  const c = await p.call(
    "setup.unbonding",
    "alice",
    "staking",
    "unbondingDelegation",
    H("alice"),
    A,
  );
  const done = Number(
    c.ret?.value?.unbondingDelegation.entries[0]?.completionTime ?? 0,
  );
  p.params.unbonding = u.time ? done - u.time : null;
  p.until = done;
  await p.repin();
  return { height: BigInt(u.block ?? 0) };
}

/** Warns if anything may have matured before this: all answers must be about the same state. */
async function inTime(p, what) {
  const b = await p.block("latest");
  if (p.until && b.time >= p.until)
    p.warnings.push(
      `${what}: ${b.time - p.until} s too late, use longer periods`,
    );
}

// ---- governance outcomes ----------------------------------------------------------------------------------------
/** cases: name -> { messages, option, deposit, expedited }. The whale decides each. */
async function outcomes(p, cases, last) {
  const m = makers(p);
  const ids = {};
  let until = 0;
  for (const [n, c] of Object.entries(cases)) {
    const r = await p.tx(
      `outcome.submit.${n}`,
      "carol",
      "gov",
      "submitProposal",
      [
        p.hex("carol"),
        m.proposal({
          messages: c.messages ?? [],
          title: n,
          expedited: c.expedited ?? false,
        }),
        [m.coin((c.deposit ?? 10n) * T)],
      ],
    );
    ids[n] = r.ret?.value?.proposalId;
    if (ids[n] && c.option)
      await p.tx(`outcome.vote.${n}`, "relayer", "gov", "vote", [
        p.hex("relayer"),
        BigInt(ids[n]),
        c.option,
        "",
      ]);
    until = r.time ?? until;
  }
  await p.repin();
  for (const [n, i] of Object.entries(ids))
    if (i)
      await p.call(
        `outcome.running.${n}`,
        "relayer",
        "gov",
        "getTallyResult",
        BigInt(i),
      );
  await p.advance(
    "outcome.wait",
    until + Math.max(p.params.voting, p.params.unbonding ?? 0) + 1,
  );
  await p.repin();
  for (const [n, i] of Object.entries(ids)) {
    if (!i) continue;
    await p.call(
      `outcome.proposal.${n}`,
      "relayer",
      "gov",
      "getProposal",
      BigInt(i),
    );
    await p.call(
      `outcome.deposits.${n}`,
      "relayer",
      "gov",
      "getDeposits",
      BigInt(i),
      page(),
    );
  }
  await p.call(
    "outcome.votes",
    "relayer",
    "gov",
    "getVotes",
    BigInt(Object.values(ids).find(Boolean) ?? 3),
    page(),
  );
  await p.call("outcome.params", "relayer", "gov", "getParams");
  await p.call("outcome.pool", "relayer", "distribution", "communityPool");
  await p.call(
    "outcome.validators",
    "relayer",
    "staking",
    "validators",
    "",
    page(),
  );
  for (const n of [
    "BOND_STATUS_BONDED",
    "BOND_STATUS_UNBONDING",
    "BOND_STATUS_UNBONDED",
  ])
    await p.call(`outcome.${n}`, "relayer", "staking", "validators", n, page());
  await p.call(
    "outcome.proposals",
    "relayer",
    "gov",
    "getProposals",
    0,
    ZERO,
    ZERO,
    page(),
  );
  await last(m);
}

// ---- set A ------------------------------------------------------------------------------------------------------
async function setA(p) {
  const { height } = await setup(p, STATE_A);
  const m = makers(p);
  const { gov, coin, amount, msg, send, spend, proposal } = m;
  const H = p.hex;
  const vA = p.val("valA");
  const vB = p.val("valB");
  const alice = H("alice");
  const S = (id, from, fn, ...a) => p.call(id, from, "staking", fn, ...a);
  const D = (id, from, fn, ...a) => p.call(id, from, "distribution", fn, ...a);
  const G = (id, from, fn, ...a) => p.call(id, from, "gov", fn, ...a);
  const B = (id, from, fn, ...a) => p.call(id, from, "bech32", fn, ...a);
  const each = async (o, f) => {
    for (const [n, x] of Object.entries(o)) await f(n, x);
  };

  // -- amounts: powers of two and their neighbourhood
  await each(
    {
      zero: 0n,
      one: 1n,
      b127: 2n ** 127n,
      b128: 2n ** 128n,
      b160: 2n ** 160n,
      b195: 2n ** 195n,
      b200: 2n ** 200n,
      b255: 2n ** 255n,
      max: 2n ** 256n - 1n,
    },
    async (n, a) => {
      await S(`amount.delegate.${n}`, "alice", "delegate", alice, vA, a);
      await S(`amount.undelegate.${n}`, "alice", "undelegate", alice, vA, a);
      await S(
        `amount.redelegate.${n}`,
        "alice",
        "redelegate",
        alice,
        vA,
        vB,
        a,
      );
      await S(
        `amount.cancel.${n}`,
        "alice",
        "cancelUnbondingDelegation",
        alice,
        vA,
        a,
        height,
      );
      await D(`amount.community.${n}`, "alice", "fundCommunityPool", alice, [
        coin(a),
      ]);
      await D(
        `amount.pool.${n}`,
        "alice",
        "depositValidatorRewardsPool",
        alice,
        vA,
        [coin(a)],
      );
      await G(`amount.deposit.${n}`, "alice", "deposit", alice, 1n, [coin(a)]);
      await S(
        `amount.create.${n}`,
        "bob",
        "createValidator",
        desc("x"),
        rates("0.1", "0.2", "0.01"),
        1n,
        H("bob"),
        key(5),
        a,
      );
      await S(
        `amount.minSelf.${n}`,
        "bob",
        "createValidator",
        desc("x"),
        rates("0.1", "0.2", "0.01"),
        a,
        H("bob"),
        key(5),
        T,
      );
      await S(
        `amount.rate.${n}`,
        "bob",
        "createValidator",
        desc("x"),
        { rate: a, maxRate: a, maxChangeRate: a },
        1n,
        H("bob"),
        key(5),
        T,
      );
    },
  );
  await each(
    {
      zero: 0n,
      one: 1n,
      real: height,
      b63: 2n ** 63n,
      b64: 2n ** 64n + height,
      max: 2n ** 256n - 1n,
    },
    (n, h) =>
      S(
        `amount.height.${n}`,
        "alice",
        "cancelUnbondingDelegation",
        alice,
        vA,
        1n,
        h,
      ),
  );

  // -- strings where an address is expected
  const w9 = H("valA");
  const strings = {
    empty: "",
    space: " ",
    hex: w9,
    hexLower: w9.toLowerCase(),
    hexNo0x: w9.slice(2),
    acc: p.acc("valA"),
    upper: vA.toUpperCase(),
    mixed: vA.slice(0, 20) + vA.slice(20).toUpperCase(),
    spaced: ` ${vA} `,
    badsum: vA.slice(0, -1) + (vA.endsWith("q") ? "p" : "q"),
    other: "osmovaloper1abc",
    long: `${p.world.prefix}valoper1${"q".repeat(200)}`,
    utf: `${p.world.prefix}valoper1é`,
    unknown: p.val("frank"),
    short: `${p.world.prefix}valoper1`,
    nul: `${p.world.prefix}valoper1\0`,
    bytes32: bech32(`${p.world.prefix}valoper`, "0x" + "11".repeat(32)),
  };
  await each(strings, async (n, s) => {
    await S(`string.delegate.${n}`, "alice", "delegate", alice, s, 1n);
    await S(`string.undelegate.${n}`, "alice", "undelegate", alice, s, 1n);
    await S(`string.redelegate.${n}`, "alice", "redelegate", alice, vA, s, 1n);
    await S(
      `string.cancel.${n}`,
      "alice",
      "cancelUnbondingDelegation",
      alice,
      s,
      1n,
      height,
    );
    await S(`string.delegation.${n}`, "alice", "delegation", alice, s);
    await S(`string.unbonding.${n}`, "alice", "unbondingDelegation", alice, s);
    await S(`string.redelegation.${n}`, "alice", "redelegation", alice, s, vB);
    await S(
      `string.redelegations.${n}`,
      "alice",
      "redelegations",
      alice,
      s,
      "",
      page(),
    );
    await S(
      `string.redelegations2.${n}`,
      "alice",
      "redelegations",
      alice,
      s,
      vB,
      page(),
    );
    await D(
      `string.withdraw.${n}`,
      "alice",
      "withdrawDelegatorRewards",
      alice,
      s,
    );
    await D(`string.rewards.${n}`, "alice", "delegationRewards", alice, s);
    await D(`string.info.${n}`, "alice", "validatorDistributionInfo", s);
    await D(
      `string.outstanding.${n}`,
      "alice",
      "validatorOutstandingRewards",
      s,
    );
    await D(`string.commission.${n}`, "alice", "validatorCommission", s);
    await D(
      `string.slashes.${n}`,
      "alice",
      "validatorSlashes",
      s,
      0n,
      100n,
      page(),
    );
    await D(
      `string.pool.${n}`,
      "alice",
      "depositValidatorRewardsPool",
      alice,
      s,
      [coin(1n)],
    );
    await D(
      `string.withdrawCommission.${n}`,
      "valA",
      "withdrawValidatorCommission",
      s,
    );
    await D(`string.setWithdraw.${n}`, "alice", "setWithdrawAddress", alice, s);
    await B(`string.toHex.${n}`, "alice", "bech32ToHex", s);
    await B(`string.prefix.${n}`, "alice", "hexToBech32", alice, s);
    await S(`string.status.${n}`, "alice", "validators", s, page());
  });
  await each(
    {
      own: p.acc("alice"),
      other: p.acc("bob"),
      hex: H("bob"),
      module: gov,
      zero: p.acc(ZERO),
      zeroHex: ZERO,
      precompile: p.acc("staking"),
      precompileHex: H("staking"),
      bonded: p.acc("module:bonded_tokens_pool"),
      distribution: p.acc("module:distribution"),
      contract: H("caller"),
    },
    (n, s) =>
      D(`string.withdrawer.${n}`, "alice", "setWithdrawAddress", alice, s),
  );

  // -- pages
  const kA = "0x14" + w9.slice(2).toLowerCase();
  const kB = "0x14" + H("valB").slice(2).toLowerCase();
  const pages = {
    limitMax: { limit: U64 },
    limit63: { limit: 2n ** 63n },
    limit1: { limit: 1n },
    limit1count: { limit: 1n, countTotal: true },
    offset1: { offset: 1n },
    offset5: { offset: 5n, countTotal: true },
    offsetMax: { offset: U64 },
    offsetMaxLimitMax: { offset: U64, limit: U64 },
    reverse: { reverse: true },
    reverse1: { reverse: true, limit: 1n },
    keyA: { key: kA, limit: 1n },
    keyB: { key: kB, limit: 1n },
    keyBrev: { key: kB, limit: 1n, reverse: true },
    key00: { key: "0x00" },
    key0000: { key: "0x0000" },
    keyff: { key: "0xff" },
    keyffrev: { key: "0xff", reverse: true },
    keyOffset: { key: kB, offset: 1n },
    key8: { key: "0x0000000000000001" },
    key82: { key: "0x0000000000000002" },
    keylong: { key: "0x" + "11".repeat(60) },
  };
  await each(pages, async (n, o) => {
    const q = page(o);
    await S(`page.validators.${n}`, "alice", "validators", "", q);
    await S(`page.bonded.${n}`, "alice", "validators", "BOND_STATUS_BONDED", q);
    await S(
      `page.redelegations.${n}`,
      "alice",
      "redelegations",
      alice,
      "",
      "",
      q,
    );
    await S(
      `page.redelegationsSrc.${n}`,
      "alice",
      "redelegations",
      ZERO,
      vA,
      "",
      q,
    );
    await S(
      `page.redelegationsAll.${n}`,
      "alice",
      "redelegations",
      alice,
      vA,
      vB,
      q,
    );
    await G(`page.proposals.${n}`, "alice", "getProposals", 0, ZERO, ZERO, q);
    await G(`page.deposits.${n}`, "alice", "getDeposits", 1n, q);
    await G(`page.votes.${n}`, "alice", "getVotes", 2n, q);
    await D(`page.slashes.${n}`, "alice", "validatorSlashes", vA, 0n, 1000n, q);
  });

  // -- coins
  await each(
    {
      none: [],
      two: [coin(1), coin(2)],
      unknown: [coin(1, "uatom")],
      mixed: [coin(1), coin(1, "uatom")],
      mixed2: [coin(1, "aaa"), coin(1)],
      badDenom: [coin(1, "1x")],
      emptyDenom: [coin(1, "")],
      spaceDenom: [coin(1, "a b c")],
      upper: [coin(1, p.denom.toUpperCase())],
      zeroUnknown: [coin(0, "uatom")],
      many: Array.from({ length: 20 }, (_, i) => coin(1, "coin" + i)),
    },
    async (n, cs) => {
      await D(`coins.community.${n}`, "alice", "fundCommunityPool", alice, cs);
      await D(
        `coins.pool.${n}`,
        "alice",
        "depositValidatorRewardsPool",
        alice,
        vA,
        cs,
      );
      await G(`coins.deposit.${n}`, "alice", "deposit", alice, 1n, cs);
      await G(
        `coins.submit.${n}`,
        "alice",
        "submitProposal",
        alice,
        proposal(),
        cs,
      );
    },
  );

  // -- governance: ids, options, states, lengths, weights
  for (const i of [0n, 1n, 2n, 3n, 99n, 2n ** 63n, U64]) {
    for (const fn of ["getProposal", "getTallyResult"])
      await G(`gov.${fn}.${i}`, "alice", fn, i);
    await G(`gov.vote.${i}`, "alice", "vote", alice, i, 1, "");
    await G(`gov.deposit.${i}`, "alice", "deposit", alice, i, [coin(1)]);
    await G(`gov.cancel.${i}`, "carol", "cancelProposal", H("carol"), i);
    await G(`gov.getVote.${i}`, "alice", "getVote", i, alice);
    await G(`gov.getVoteErin.${i}`, "alice", "getVote", i, H("erin"));
    await G(`gov.getDeposit.${i}`, "alice", "getDeposit", i, H("carol"));
    await G(`gov.getDeposits.${i}`, "alice", "getDeposits", i, page());
    await G(`gov.getVotes.${i}`, "alice", "getVotes", i, page());
  }
  for (const o of [0, 1, 2, 3, 4, 5, 100, 255])
    await G(`gov.option.${o}`, "alice", "vote", alice, 2n, o, "");
  for (const s of [0, 1, 2, 3, 4, 5, 6, 7, 4294967295])
    await G(`gov.status.${s}`, "alice", "getProposals", s, ZERO, ZERO, page());
  for (const [n, s] of [
    ["empty", ""],
    ["255", "x".repeat(255)],
    ["256", "x".repeat(256)],
    ["10201", "x".repeat(10201)],
    ["utf200", "é".repeat(200)],
  ]) {
    await G(`gov.metadata.${n}`, "alice", "vote", alice, 2n, 1, s);
    await G(
      `gov.proposalMetadata.${n}`,
      "alice",
      "submitProposal",
      alice,
      proposal({ metadata: s }),
      [coin(T)],
    );
    await G(
      `gov.title.${n}`,
      "alice",
      "submitProposal",
      alice,
      proposal({ title: s }),
      [coin(T)],
    );
    await G(
      `gov.summary.${n}`,
      "alice",
      "submitProposal",
      alice,
      proposal({ summary: s }),
      [coin(T)],
    );
  }
  await each(
    {
      one: [[1, "1"]],
      half: [
        [1, "0.5"],
        [3, "0.5"],
      ],
      four: [
        [1, "0.25"],
        [2, "0.25"],
        [3, "0.25"],
        [4, "0.25"],
      ],
      less: [[1, "0.5"]],
      more: [
        [1, "0.7"],
        [2, "0.7"],
      ],
      dup: [
        [1, "0.5"],
        [1, "0.5"],
      ],
      none: [],
      zero: [
        [1, "1"],
        [2, "0"],
      ],
      neg: [
        [1, "1.5"],
        [2, "-0.5"],
      ],
      abc: [[1, "abc"]],
      empty: [[1, ""]],
      exp: [[1, "1e0"]],
      prec18: [
        [1, "0." + "9".repeat(18)],
        [2, "0." + "0".repeat(17) + "1"],
      ],
      prec19: [[1, "1." + "0".repeat(19)]],
      dot: [[1, "1."]],
      dotlead: [
        [1, ".5"],
        [2, ".5"],
      ],
      plus: [[1, "+1"]],
      lead0: [[1, "01.0"]],
      opt0: [[0, "1"]],
      opt9: [[9, "1"]],
      space: [[1, " 1"]],
      hex: [[1, "0x1"]],
      five: [
        [1, "0.2"],
        [2, "0.2"],
        [3, "0.2"],
        [4, "0.2"],
        [5, "0.2"],
      ],
    },
    (n, w) =>
      G(
        `gov.weighted.${n}`,
        "alice",
        "voteWeighted",
        alice,
        2n,
        weights(...w),
        "",
      ),
  );
  for (const [n, v, d] of [
    ["voter", "erin", null],
    ["voterNone", "alice", null],
    ["depositor", null, "carol"],
    ["both", "erin", "carol"],
  ])
    await G(
      `gov.proposals.${n}`,
      "alice",
      "getProposals",
      0,
      v ? H(v) : ZERO,
      d ? H(d) : ZERO,
      page(),
    );
  await G("gov.params", "alice", "getParams");
  await G("gov.constitution", "alice", "getConstitution");

  // -- proposals of all kinds
  const notGov = p.acc("alice");
  const messages = {
    text: [],
    send: [send()],
    sendNotGov: [send(1, { from_address: notGov })],
    sendNeg: [send(-1)],
    sendNoAmount: [send(1, { amount: undefined })],
    sendBadTo: [send(1, { to_address: `${p.world.prefix}1bad` })],
    spend: [spend()],
    two: [send(), spend()],
    govParams: [
      msg("/cosmos.gov.v1.MsgUpdateParams", { authority: gov, params: {} }),
    ],
    govParamsFull: [m.governance()],
    stakingParams: [m.staking()],
    stakingParamsNotGov: [{ ...m.staking(), authority: notGov }],
    stakingParamsDays: [m.staking({ unbonding_time: "3 days" })],
    distrParams: [m.distribution()],
    distrParamsTax2: [m.distribution({ community_tax: "2" })],
    slashParams: [
      msg("/cosmos.slashing.v1beta1.MsgUpdateParams", {
        authority: gov,
        params: {
          signed_blocks_window: "100",
          min_signed_per_window: "0.5",
          downtime_jail_duration: "600s",
          slash_fraction_double_sign: "0.05",
          slash_fraction_downtime: "0.01",
        },
      }),
    ],
    mintParams: [
      msg("/cosmos.mint.v1beta1.MsgUpdateParams", {
        authority: gov,
        params: {
          mint_denom: p.denom,
          inflation_rate_change: "0",
          inflation_max: "0",
          inflation_min: "0",
          goal_bonded: "0.67",
          blocks_per_year: "6311520",
        },
      }),
    ],
    evmParams: [
      msg("/cosmos.evm.vm.v1.MsgUpdateParams", {
        authority: gov,
        params: { evm_denom: p.denom },
      }),
    ],
    feemarket: [
      msg("/cosmos.evm.feemarket.v1.MsgUpdateParams", {
        authority: gov,
        params: { no_base_fee: true },
      }),
    ],
    upgrade: [
      msg("/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade", {
        authority: gov,
        plan: { name: "v2", height: "1000000", info: "" },
      }),
    ],
    cancelUpgrade: [
      msg("/cosmos.upgrade.v1beta1.MsgCancelUpgrade", { authority: gov }),
    ],
    legacy: [
      msg("/cosmos.gov.v1.MsgExecLegacyContent", {
        authority: gov,
        content: {
          "@type": "/cosmos.gov.v1beta1.TextProposal",
          title: "t",
          description: "d",
        },
      }),
    ],
    consensus: [
      msg("/cosmos.consensus.v1.MsgUpdateParams", {
        authority: gov,
        block: { max_bytes: "22020096", max_gas: "30000000" },
        evidence: {
          max_age_num_blocks: "100000",
          max_age_duration: "172800s",
          max_bytes: "1048576",
        },
        validator: { pub_key_types: ["ed25519"] },
      }),
    ],
    fund: [
      msg("/cosmos.distribution.v1beta1.MsgFundCommunityPool", {
        depositor: gov,
        amount: amount(1),
      }),
    ],
    delegateByGov: [
      msg("/cosmos.staking.v1beta1.MsgDelegate", {
        delegator_address: gov,
        validator_address: vA,
        amount: { denom: p.denom, amount: "1" },
      }),
    ],
    voteByGov: [
      msg("/cosmos.gov.v1.MsgVote", {
        proposal_id: "1",
        voter: gov,
        option: 1,
      }),
    ],
    multiSend: [
      msg("/cosmos.bank.v1beta1.MsgMultiSend", {
        inputs: [{ address: gov, coins: amount(1) }],
        outputs: [{ address: p.acc("bob"), coins: amount(1) }],
      }),
    ],
    unknownType: [msg("/cosmos.foo.v1.MsgBar", { authority: gov })],
    noType: [{ authority: gov }],
    extraField: [send(1, { foo: 1 })],
  };
  // one base unit is less than the least deposit: which of the two refusals comes first?
  await each(messages, async (n, x) => {
    await G(
      `proposal.message.${n}`,
      "alice",
      "submitProposal",
      alice,
      proposal({ messages: x }),
      [coin(T)],
    );
    await G(
      `proposal.messageLittle.${n}`,
      "alice",
      "submitProposal",
      alice,
      proposal({ messages: x }),
      [coin(1)],
    );
  });
  const base = '"messages":[],"metadata":"","title":"t","summary":"s"';
  await each(
    {
      empty: "",
      brace: "{}",
      bracket: "[]",
      nul: "null",
      noMessages: '{"title":"t","summary":"s","metadata":""}',
      expedited: JSON.stringify({
        messages: [send()],
        metadata: "",
        title: "t",
        summary: "s",
        expedited: true,
      }),
      expeditedText: `{${base},"expedited":"yes"}`,
      unknownField: `{${base},"foo":1}`,
      proposer: `{${base},"proposer":"x"}`,
      deposit: `{${base},"deposit":"1${p.denom}"}`,
      dupTitle:
        '{"messages":[],"metadata":"","title":"t","title":"u","summary":"s"}',
      caseTitle: '{"messages":[],"metadata":"","Title":"t","Summary":"s"}',
      trailing: `{${base}} x`,
      unicode:
        '{"messages":[],"metadata":"","title":"\\u00e9\\ud83d\\ude00","summary":"s"}',
      nested: '{"messages":{},"title":"t"}',
      numTitle: '{"messages":[],"title":5,"summary":"s"}',
    },
    (n, s) =>
      G(`proposal.json.${n}`, "alice", "submitProposal", alice, json(s), [
        coin(T),
      ]),
  );

  // -- validators
  const create = (o = {}) => [
    o.d ?? desc("x"),
    o.r ?? rates("0.1", "0.2", "0.01"),
    o.m ?? 1n,
    o.a ?? H("bob"),
    o.p ?? key(5),
    o.v ?? T,
  ];
  await each(
    {
      ok: {},
      moniker71: { d: desc("x".repeat(71)) },
      utf40: { d: desc("é".repeat(40)) },
      emptyMoniker: { d: desc("") },
      keep: { d: desc(KEEP) },
      identity3001: { d: desc("x", { identity: "x".repeat(3001) }) },
      website141: { d: desc("x", { website: "x".repeat(141) }) },
      contact141: { d: desc("x", { securityContact: "x".repeat(141) }) },
      details281: { d: desc("x", { details: "x".repeat(281) }) },
      rateMax: { r: rates("0.3", "0.2", "0.01") },
      max2: { r: rates("0.1", "2", "0.01") },
      change: { r: rates("0.1", "0.2", "0.3") },
      zeroRates: { r: rates("0", "0", "0") },
      keyTaken: { p: PUBKEYS.valB },
      keyBad: { p: "abc" },
      key31: { p: Buffer.alloc(31, 1).toString("base64") },
      keyEmpty: { p: "" },
      keyUrl: {
        p: Buffer.alloc(32, 255).toString("base64").replace(/\//g, "_"),
      },
      keyNoPad: {
        p: Buffer.alloc(32, 255).toString("base64").replace(/=/g, ""),
      },
      keyNewline: { p: key(5) + "\n" },
      otherAddress: { a: H("erin") },
      zeroAddress: { a: ZERO },
      minMore: { m: 2n * T },
      value0: { v: 0n },
      tooMuch: { v: 20_000n * T },
    },
    (n, o) =>
      S(`validator.create.${n}`, "bob", "createValidator", ...create(o)),
  );
  await S(
    "validator.create.again",
    "valB",
    "createValidator",
    ...create({ a: H("valB"), p: key(77) }),
  );
  await each(
    {
      keep: [keepAll(), -1n, -1n],
      moniker: [keepAll({ moniker: "new" }), -1n, -1n],
      empties: [desc(""), -1n, -1n],
      rate: [keepAll(), parseEther("0.105"), -1n],
      rateNeg: [keepAll(), -2n, -1n],
      rate2: [keepAll(), parseEther("2"), -1n],
      minLess: [keepAll(), -1n, 1n],
      minMore: [keepAll(), -1n, 2n * T],
      minTooMuch: [keepAll(), -1n, 1000n * T],
      min0: [keepAll(), -1n, 0n],
      minNeg: [keepAll(), -1n, -5n],
    },
    (n, [d, r, s]) =>
      S(`validator.edit.${n}`, "valB", "editValidator", d, H("valB"), r, s),
  );
  await S(
    "validator.edit.notMine",
    "alice",
    "editValidator",
    keepAll(),
    H("valB"),
    -1n,
    -1n,
  );
  await S(
    "validator.edit.none",
    "frank",
    "editValidator",
    keepAll(),
    H("frank"),
    -1n,
    -1n,
  );
  for (const [n, a] of [
    ["valA", H("valA")],
    ["valB", H("valB")],
    ["valC", H("valC")],
    ["frank", H("frank")],
    ["zero", ZERO],
  ])
    await S(`validator.get.${n}`, "alice", "validator", a);

  // -- rewards, and accounts that have nothing
  for (const n of [0, 1, 2, 3, 10, 100, 101, 1000, 4294967295])
    await D(`rewards.claim.${n}`, "alice", "claimRewards", alice, n);
  for (const who of ["frank", "dave", "alice", "valA", "relayer"]) {
    await D(`rewards.total.${who}`, who, "delegationTotalRewards", H(who));
    await D(`rewards.of.${who}`, who, "delegationRewards", H(who), vA);
    await D(
      `rewards.withdraw.${who}`,
      who,
      "withdrawDelegatorRewards",
      H(who),
      vA,
    );
    await D(`rewards.claim5.${who}`, who, "claimRewards", H(who), 5);
    await D(
      `rewards.withdrawer.${who}`,
      who,
      "delegatorWithdrawAddress",
      H(who),
    );
    await D(`rewards.validators.${who}`, who, "delegatorValidators", H(who));
    await S(`rewards.delegation.${who}`, who, "delegation", H(who), vA);
  }
  await D(
    "rewards.commission.notValidator",
    "frank",
    "withdrawValidatorCommission",
    p.val("frank"),
  );
  await D(
    "rewards.commission.other",
    "frank",
    "withdrawValidatorCommission",
    vA,
  );
  await D("rewards.community", "frank", "communityPool");
  for (const [a, b] of [
    [0n, 0n],
    [5n, 1n],
    [0n, U64],
    [U64, U64],
    [1n, 1000n],
  ])
    await D(
      `rewards.slashes.${a}-${b}`,
      "alice",
      "validatorSlashes",
      vA,
      a,
      b,
      page(),
    );
  await S("zero.delegation", "alice", "delegation", ZERO, vA);
  await S("zero.delegate", "alice", "delegate", ZERO, vA, 1n);
  await D("zero.total", "alice", "delegationTotalRewards", ZERO);
  await D("zero.withdrawer", "alice", "delegatorWithdrawAddress", ZERO);
  await D("zero.validators", "alice", "delegatorValidators", ZERO);
  await G("zero.vote", "alice", "vote", ZERO, 2n, 1, "");
  await G("zero.getVote", "alice", "getVote", 2n, ZERO);
  await S("zero.redelegation", "alice", "redelegation", H("frank"), vA, vB);
  await S(
    "zero.redelegations",
    "alice",
    "redelegations",
    H("frank"),
    vA,
    vB,
    page(),
  );
  await S(
    "zero.redelegationsAny",
    "alice",
    "redelegations",
    H("frank"),
    "",
    "",
    page(),
  );
  await S(
    "zero.redelegationsNobody",
    "alice",
    "redelegations",
    ZERO,
    "",
    "",
    page(),
  );
  await S(
    "zero.redelegationsDst",
    "alice",
    "redelegations",
    ZERO,
    "",
    vB,
    page(),
  );

  // -- calldata that is not quite right
  const full = IFACES.staking.encodeFunctionData("delegate", [alice, vA, 1n]);
  for (const n of [0, 1, 3, 4, 5, 36, 68, 100, 132, 164])
    await p.raw(`raw.cut.${n}`, "alice", "staking", full.slice(0, 2 + 2 * n));
  await p.raw("raw.trailing", "alice", "staking", full + "00".repeat(64));
  await p.raw(
    "raw.dirtyAddress",
    "alice",
    "staking",
    full.slice(0, 10) + "ff" + full.slice(12),
  );
  await p.raw(
    "raw.hugeOffset",
    "alice",
    "staking",
    full.slice(0, 74) + "f".repeat(64) + full.slice(138),
  );
  await p.raw(
    "raw.hugeLength",
    "alice",
    "staking",
    full.slice(0, 202) + "f".repeat(64) + full.slice(266),
  );
  await p.raw("raw.unknownSelector", "alice", "staking", "0x12345678");
  await p.raw(
    "raw.unknownSelectorGov",
    "alice",
    "gov",
    "0x12345678" + "00".repeat(32),
  );
  await p.raw("raw.unknownSelectorBech32", "alice", "bech32", "0x12345678");
  for (const t of ["staking", "distribution", "gov", "bech32"])
    await p.raw(`raw.empty.${t}`, "alice", t, "0x");
  await p.raw(
    "raw.dirtyBool",
    "alice",
    "staking",
    IFACES.staking
      .encodeFunctionData("validators", ["", page()])
      .slice(0, -64) + "2".padStart(64, "0"),
  );

  // -- at most 20 calls of a precompile in a transaction: which calls count?
  const c = H("caller");
  const good = (o) => p.one("staking", "delegate", [c, vA, 1n], o);
  const bad = p.one("staking", "delegate", [alice, vA, 1n]);
  const view = p.one("staking", "delegation", [c, vA]);
  const unknown = p.one("staking", null, "0x12345678");
  const empty = p.one("staking", null, "0x");
  const rep = (n, x) => Array(n).fill(x);
  const dead = good({ revertFrame: true });
  const sequences = {
    "25good": ["direct", rep(25, good())],
    "25bad": ["direct", rep(25, bad)],
    "25badFrames": ["framed", rep(25, bad)],
    "25revertedFrames": ["framed", rep(25, dead)],
    "10reverted15good": ["framed", [...rep(10, dead), ...rep(15, good())]],
    "15bad10good": ["direct", [...rep(15, bad), ...rep(10, good())]],
    "25views": ["direct", rep(25, view)],
    "20views1good": ["direct", [...rep(20, view), good()]],
    "20good5views": ["direct", [...rep(20, good()), ...rep(5, view)]],
    "25unknown": ["direct", rep(25, unknown)],
    "25empty": ["direct", rep(25, empty)],
    "20unknown1good": ["direct", [...rep(20, unknown), good()]],
    "20empty1good": ["direct", [...rep(20, empty), good()]],
    outOfGas1: ["direct", [good({ gasLimit: 20_000n }), good()]],
    "20outOfGas1good": [
      "direct",
      [...rep(20, good({ gasLimit: 5_000n })), good()],
    ],
    mixedTargets: [
      "direct",
      [
        ...rep(10, good()),
        ...rep(10, p.one("distribution", "fundCommunityPool", [c, [coin(1)]])),
        good(),
        p.one("gov", "vote", [c, 2n, 1, ""]),
      ],
    ],
    bech32: [
      "direct",
      [
        ...rep(20, good()),
        p.one("bech32", "hexToBech32", [alice, p.world.prefix]),
      ],
    ],
  };
  await each(sequences, (n, [how, calls]) =>
    p.inner(`twenty.${n}`, how, calls),
  );

  // -- gas that an inner call is given
  for (const g of [
    3, 10, 30, 60, 90, 110, 120, 130, 140, 150, 160, 170, 180, 200, 220, 250,
    300,
  ])
    await p.inner(`innergas.delegate.${g}k`, "direct", [
      good({ gasLimit: BigInt(g) * 1000n }),
    ]);
  const views = {
    delegation: view,
    validators: p.one("staking", "validators", ["", page()]),
    rewards: p.one("distribution", "delegationTotalRewards", [alice]),
    proposal: p.one("gov", "getProposal", [1n]),
    toHex: p.one("bech32", "bech32ToHex", [p.acc("alice")]),
  };
  await each(views, async (n, x) => {
    for (const g of [
      1000, 3000, 5000, 8000, 10_000, 15_000, 20_000, 30_000, 40_000, 60_000,
      100_000,
    ])
      await p.inner(`innergas.${n}.${g}`, "direct", [
        { ...x, gasLimit: BigInt(g) },
      ]);
  });

  // -- gas table
  const gas = (n, from, to, fn, ...a) =>
    p.estimate(`gas.${n}`, from, to, fn, ...a);
  await gas(
    "delegate.first",
    "frank",
    "staking",
    "delegate",
    H("frank"),
    vA,
    T,
  );
  await gas("delegate.rewards", "alice", "staking", "delegate", alice, vA, T);
  await gas(
    "delegate.noRewards",
    "dave",
    "staking",
    "delegate",
    H("dave"),
    vA,
    T,
  );
  await gas(
    "undelegate.rewards",
    "alice",
    "staking",
    "undelegate",
    alice,
    vA,
    T,
  );
  await gas(
    "undelegate.noRewards",
    "dave",
    "staking",
    "undelegate",
    H("dave"),
    vA,
    T,
  );
  await gas(
    "undelegate.all",
    "dave",
    "staking",
    "undelegate",
    H("dave"),
    vA,
    STATE_A.dave * T,
  );
  await gas(
    "redelegate.rewards",
    "alice",
    "staking",
    "redelegate",
    alice,
    vA,
    vB,
    T,
  );
  await gas(
    "redelegate.noRewards",
    "dave",
    "staking",
    "redelegate",
    H("dave"),
    vA,
    vB,
    T,
  );
  await gas(
    "cancelUnbondingDelegation.rewards",
    "alice",
    "staking",
    "cancelUnbondingDelegation",
    alice,
    vA,
    T,
    height,
  );
  await gas(
    "createValidator",
    "bob",
    "staking",
    "createValidator",
    ...create(),
  );
  await gas(
    "editValidator.moniker",
    "valB",
    "staking",
    "editValidator",
    keepAll({ moniker: "n" }),
    H("valB"),
    -1n,
    -1n,
  );
  await gas(
    "editValidator.details280",
    "valB",
    "staking",
    "editValidator",
    keepAll({ details: "x".repeat(280) }),
    H("valB"),
    -1n,
    -1n,
  );
  await gas(
    "withdrawDelegatorRewards.rewards",
    "alice",
    "distribution",
    "withdrawDelegatorRewards",
    alice,
    vA,
  );
  await gas(
    "withdrawDelegatorRewards.noRewards",
    "dave",
    "distribution",
    "withdrawDelegatorRewards",
    H("dave"),
    vA,
  );
  await gas(
    "claimRewards.two",
    "alice",
    "distribution",
    "claimRewards",
    alice,
    5,
  );
  await gas(
    "claimRewards.one",
    "relayer",
    "distribution",
    "claimRewards",
    H("relayer"),
    5,
  );
  await gas(
    "claimRewards.noRewards",
    "dave",
    "distribution",
    "claimRewards",
    H("dave"),
    5,
  );
  await gas(
    "setWithdrawAddress",
    "alice",
    "distribution",
    "setWithdrawAddress",
    alice,
    p.acc("bob"),
  );
  await gas(
    "withdrawValidatorCommission",
    "valA",
    "distribution",
    "withdrawValidatorCommission",
    vA,
  );
  await gas(
    "fundCommunityPool",
    "alice",
    "distribution",
    "fundCommunityPool",
    alice,
    [coin(1)],
  );
  await gas(
    "depositValidatorRewardsPool",
    "alice",
    "distribution",
    "depositValidatorRewardsPool",
    alice,
    vA,
    [coin(1)],
  );
  for (const n of [0, 300, 3000])
    await gas(
      `submitProposal.summary${n}`,
      "alice",
      "gov",
      "submitProposal",
      alice,
      proposal({ summary: "x".repeat(n) || undefined }),
      [coin(T)],
    );
  await gas(
    "submitProposal.text",
    "alice",
    "gov",
    "submitProposal",
    alice,
    proposal({ messages: [] }),
    [coin(T)],
  );
  await gas(
    "submitProposal.voting",
    "alice",
    "gov",
    "submitProposal",
    alice,
    proposal(),
    [coin(10n * T)],
  );
  await gas(
    "submitProposal.twoMessages",
    "alice",
    "gov",
    "submitProposal",
    alice,
    proposal({ messages: [send(), spend()] }),
    [coin(T)],
  );
  await gas("deposit", "alice", "gov", "deposit", alice, 1n, [coin(T)]);
  await gas("deposit.again", "dave", "gov", "deposit", H("dave"), 1n, [
    coin(T),
  ]);
  await gas("deposit.activates", "alice", "gov", "deposit", alice, 1n, [
    coin(10n * T),
  ]);
  await gas("vote", "alice", "gov", "vote", alice, 2n, 1, "");
  await gas("vote.again", "erin", "gov", "vote", H("erin"), 2n, 1, "");
  await gas(
    "voteWeighted",
    "alice",
    "gov",
    "voteWeighted",
    alice,
    2n,
    weights([1, "0.5"], [3, "0.5"]),
    "",
  );
  await gas("cancelProposal", "carol", "gov", "cancelProposal", H("carol"), 1n);
  await gas("view.validators", "alice", "staking", "validators", "", page());
  await gas("view.validator", "alice", "staking", "validator", H("valA"));
  await gas("view.delegation", "alice", "staking", "delegation", alice, vA);
  await gas(
    "view.delegation.none",
    "alice",
    "staking",
    "delegation",
    H("frank"),
    vA,
  );
  await gas(
    "view.unbondingDelegation",
    "alice",
    "staking",
    "unbondingDelegation",
    alice,
    vA,
  );
  await gas(
    "view.redelegation",
    "alice",
    "staking",
    "redelegation",
    alice,
    vA,
    vB,
  );
  await gas(
    "view.redelegations",
    "alice",
    "staking",
    "redelegations",
    alice,
    "",
    "",
    page(),
  );
  await gas(
    "view.delegationRewards",
    "alice",
    "distribution",
    "delegationRewards",
    alice,
    vA,
  );
  await gas(
    "view.delegationTotalRewards",
    "alice",
    "distribution",
    "delegationTotalRewards",
    alice,
  );
  await gas(
    "view.delegatorValidators",
    "alice",
    "distribution",
    "delegatorValidators",
    alice,
  );
  await gas(
    "view.delegatorWithdrawAddress",
    "alice",
    "distribution",
    "delegatorWithdrawAddress",
    alice,
  );
  await gas("view.communityPool", "alice", "distribution", "communityPool");
  await gas(
    "view.validatorCommission",
    "alice",
    "distribution",
    "validatorCommission",
    vA,
  );
  await gas(
    "view.validatorDistributionInfo",
    "alice",
    "distribution",
    "validatorDistributionInfo",
    vA,
  );
  await gas(
    "view.validatorOutstandingRewards",
    "alice",
    "distribution",
    "validatorOutstandingRewards",
    vA,
  );
  await gas(
    "view.validatorSlashes",
    "alice",
    "distribution",
    "validatorSlashes",
    vA,
    0n,
    100n,
    page(),
  );
  await gas("view.getProposal", "alice", "gov", "getProposal", 1n);
  await gas(
    "view.getProposals",
    "alice",
    "gov",
    "getProposals",
    0,
    ZERO,
    ZERO,
    page(),
  );
  await gas("view.getDeposit", "alice", "gov", "getDeposit", 1n, H("carol"));
  await gas("view.getDeposits", "alice", "gov", "getDeposits", 1n, page());
  await gas("view.getVote", "alice", "gov", "getVote", 2n, H("erin"));
  await gas("view.getVotes", "alice", "gov", "getVotes", 2n, page());
  await gas("view.getTallyResult", "alice", "gov", "getTallyResult", 2n);
  await gas("view.getParams", "alice", "gov", "getParams");
  await gas("view.getConstitution", "alice", "gov", "getConstitution");
  await gas(
    "view.bech32ToHex",
    "alice",
    "bech32",
    "bech32ToHex",
    p.acc("alice"),
  );
  await gas(
    "view.hexToBech32",
    "alice",
    "bech32",
    "hexToBech32",
    alice,
    p.world.prefix,
  );

  // -- transactions: status, logs, balances
  const tx = (n, from, to, fn, ...a) => p.tx(`tx.${n}`, from, to, fn, a);
  await tx("delegate.one", "alice", "staking", "delegate", alice, vA, 1n);
  await tx("delegate.zero", "alice", "staking", "delegate", alice, vA, 0n);
  await tx(
    "delegate.upper",
    "alice",
    "staking",
    "delegate",
    alice,
    vA.toUpperCase(),
    1n,
  );
  await tx(
    "delegate.b200",
    "alice",
    "staking",
    "delegate",
    alice,
    vA,
    2n ** 200n,
  );
  await tx(
    "undelegate.b200",
    "alice",
    "staking",
    "undelegate",
    alice,
    vA,
    2n ** 200n,
  );
  await tx("undelegate.one", "alice", "staking", "undelegate", alice, vA, 1n);
  await tx(
    "redelegate.same",
    "alice",
    "staking",
    "redelegate",
    alice,
    vA,
    vA,
    1n,
  );
  await tx(
    "redelegate.transitive",
    "alice",
    "staking",
    "redelegate",
    alice,
    vB,
    vA,
    1n,
  );
  await tx(
    "redelegate.one",
    "alice",
    "staking",
    "redelegate",
    alice,
    vA,
    vB,
    1n,
  );
  await tx(
    "cancel.part",
    "alice",
    "staking",
    "cancelUnbondingDelegation",
    alice,
    vA,
    T,
    height,
  );
  await tx(
    "cancel.rest",
    "alice",
    "staking",
    "cancelUnbondingDelegation",
    alice,
    vA,
    (STATE_A.unbond[0] - 1n) * T,
    height,
  );
  await tx(
    "create",
    "bob",
    "staking",
    "createValidator",
    ...create({ p: PUBKEYS.spare, v: T }),
  );
  await tx(
    "edit.moniker",
    "bob",
    "staking",
    "editValidator",
    keepAll({ moniker: "renamed", details: "" }),
    H("bob"),
    -1n,
    -1n,
  );
  await tx(
    "edit.rateSoon",
    "bob",
    "staking",
    "editValidator",
    keepAll(),
    H("bob"),
    parseEther("0.105"),
    -1n,
  );
  await tx(
    "setWithdraw.hex",
    "alice",
    "distribution",
    "setWithdrawAddress",
    alice,
    H("frank"),
  );
  await tx(
    "withdraw.toOther",
    "alice",
    "distribution",
    "withdrawDelegatorRewards",
    alice,
    vA,
  );
  await tx(
    "withdraw.nothing",
    "alice",
    "distribution",
    "withdrawDelegatorRewards",
    alice,
    vA,
  );
  await tx(
    "setWithdraw.own",
    "alice",
    "distribution",
    "setWithdrawAddress",
    alice,
    p.acc("alice"),
  );
  await tx("claim", "erin", "distribution", "claimRewards", H("erin"), 5);
  await tx(
    "commission.upper",
    "valA",
    "distribution",
    "withdrawValidatorCommission",
    vA.toUpperCase(),
  );
  await tx(
    "community.two",
    "dave",
    "distribution",
    "fundCommunityPool",
    H("dave"),
    [coin(1), coin(1, "uatom")],
  );
  await tx(
    "pool.valB",
    "dave",
    "distribution",
    "depositValidatorRewardsPool",
    H("dave"),
    vB,
    [coin(3n * T)],
  );
  await tx(
    "submit.text",
    "carol",
    "gov",
    "submitProposal",
    H("carol"),
    proposal({ messages: [] }),
    [coin(T)],
  );
  await tx("deposit.two", "dave", "gov", "deposit", H("dave"), 3n, [
    coin(1),
    coin(2),
  ]);
  await tx("deposit.activates", "dave", "gov", "deposit", H("dave"), 3n, [
    coin(9n * T),
  ]);
  await tx("vote.metadata", "alice", "gov", "vote", alice, 3n, 2, "because");
  await tx(
    "voteWeighted.plus",
    "alice",
    "gov",
    "voteWeighted",
    alice,
    3n,
    weights([1, "+1"]),
    "",
  );
  await tx(
    "voteWeighted.half",
    "alice",
    "gov",
    "voteWeighted",
    alice,
    3n,
    weights([1, "0.5"], [4, "0.5"]),
    "",
  );
  await tx("cancelProposal", "carol", "gov", "cancelProposal", H("carol"), 3n);
  await tx("vote.cancelled", "alice", "gov", "vote", alice, 3n, 1, "");
  await tx(
    "belowMinSelf",
    "valC",
    "staking",
    "undelegate",
    H("valC"),
    p.val("valC"),
    (STATE_A.valC - 1n) * T + 1n,
  );
  const f = H("frank");
  await p.setCode("tx.eip7702.stake", "frank", [
    p.one("staking", "delegate", [f, vA, 5n * T]),
    p.one("staking", "undelegate", [f, vA, T]),
  ]);
  await p.setCode("tx.eip7702.refused", "frank", [
    p.one("staking", "delegate", [f, vA, 5n * T]),
    p.one("staking", "delegate", [alice, vA, T]),
  ]);
  await p.repin();
  await S("tx.after.frank", "frank", "delegation", f, vA);
  await S("tx.after.unbonding", "frank", "unbondingDelegation", f, vA);
  await S("tx.after.alice", "frank", "unbondingDelegation", alice, vA);
  await D("tx.after.total", "frank", "delegationTotalRewards", alice);
  await S("tx.after.validators", "frank", "validators", "", page());
  await G("tx.after.proposals", "frank", "getProposals", 0, ZERO, ZERO, page());
  await inTime(p, "transactions");

  // -- what proposals do
  const huge = "1" + "0".repeat(30);
  await outcomes(
    p,
    {
      sendTooMuch: { messages: [send(huge)], option: 1 },
      spend: { messages: [spend(7)], option: 1 },
      spendTooMuch: { messages: [spend(huge)], option: 1 },
      spendModule: { messages: [spend(7, { recipient: gov })], option: 1 },
      text: { messages: [], option: 1 },
      rejected: { messages: [spend(11)], option: 3 },
      veto: { messages: [spend(13)], option: 4 },
      quorum: { messages: [spend(17)] },
      secondFails: { messages: [spend(19), spend(huge)], option: 1 },
      stakingParams: {
        messages: [
          m.staking({
            unbonding_time: "77s",
            max_entries: 3,
            min_commission_rate: "0.070000000000000000",
          }),
        ],
        option: 1,
      },
      stakingBad: {
        messages: [m.staking({ unbonding_time: "0s" })],
        option: 1,
      },
      distrParams: {
        messages: [
          m.distribution({
            community_tax: "0.05",
            withdraw_addr_enabled: false,
          }),
        ],
        option: 1,
      },
      distrBad: {
        messages: [m.distribution({ community_tax: "1.5" })],
        option: 1,
      },
      govParams: {
        messages: [
          m.governance({
            min_deposit: amount(20n * T),
            voting_period: "91s",
            expedited_voting_period: "41s",
            max_deposit_period: "55s",
            quorum: "0.4",
            proposal_cancel_ratio: "0.25",
            min_initial_deposit_ratio: "0.1",
            burn_vote_veto: false,
          }),
        ],
        option: 1,
      },
      cancelUpgrade: {
        messages: [
          msg("/cosmos.upgrade.v1beta1.MsgCancelUpgrade", { authority: gov }),
        ],
        option: 1,
      },
    },
    async () => {
      const after = (n, from, to, fn, ...a) =>
        p.tx(`outcome.after.${n}`, from, to, fn, a);
      await D(
        "outcome.after.withdrawerView",
        "alice",
        "setWithdrawAddress",
        alice,
        p.acc("bob"),
      );
      for (let i = 1; i <= 4; i++)
        await after(
          `undelegate${i}`,
          "relayer",
          "staking",
          "undelegate",
          H("relayer"),
          vA,
          T,
        );
      await after(
        "setWithdraw",
        "alice",
        "distribution",
        "setWithdrawAddress",
        alice,
        p.acc("bob"),
      );
      await after(
        "redelegate",
        "dave",
        "staking",
        "redelegate",
        H("dave"),
        vA,
        vB,
        T,
      );
      await after(
        "createLowRate",
        "erin",
        "staking",
        "createValidator",
        desc("low"),
        rates("0.01", "0.2", "0.01"),
        1n,
        H("erin"),
        key(9),
        T,
      );
      await after(
        "submitLittle",
        "carol",
        "gov",
        "submitProposal",
        H("carol"),
        proposal({ messages: [] }),
        [coin(T)],
      );
      await after(
        "submit10",
        "carol",
        "gov",
        "submitProposal",
        H("carol"),
        proposal({ messages: [], title: "ten" }),
        [coin(10n * T)],
      );
      await after(
        "submit20",
        "carol",
        "gov",
        "submitProposal",
        H("carol"),
        proposal({ messages: [], title: "twenty" }),
        [coin(20n * T)],
      );
      await after(
        "cancel10",
        "carol",
        "gov",
        "cancelProposal",
        H("carol"),
        BigInt(
          p.ids.get("outcome.after.submit10").ret?.value?.proposalId ?? 99,
        ),
      );
      await p.repin();
      await G(
        "outcome.after.proposals",
        "alice",
        "getProposals",
        0,
        ZERO,
        ZERO,
        page(),
      );
      await S(
        "outcome.after.unbonding",
        "alice",
        "unbondingDelegation",
        H("relayer"),
        vA,
      );
      await S(
        "outcome.after.redelegation",
        "alice",
        "redelegation",
        H("dave"),
        vA,
        vB,
      );
      await S("outcome.after.validators", "alice", "validators", "", page());
    },
  );

  // -- the contract's calls again, as transactions: at the end, so that nothing else rests on how many were let through
  for (const n of [
    "25bad",
    "10reverted15good",
    "15bad10good",
    "20unknown1good",
    "20empty1good",
    "25revertedFrames",
    "20outOfGas1good",
    "mixedTargets",
  ])
    await p.innerTx(`tx.twenty.${n}`, ...sequences[n]);
  await p.innerTx("tx.value", "direct", [good(), good()], { value: 5n });
  for (const g of [60, 120, 140, 160, 200, 250])
    await p.innerTx(`tx.innergas.${g}k`, "direct", [
      good({ gasLimit: BigInt(g) * 1000n }),
    ]);
}

/** Asks all questions. `rpc` sends them, such as {@link HttpRpc}; `mode` "hardhat" sets base fees and times, "chain" waits. */
export async function ask(options) {
  const p = new Probes({ set: "A", ...options });
  await p.init();
  try {
    await setA(p);
  } catch (e) {
    p.warnings.push(`ended early: ${e?.stack ?? e}`);
  }
  return p.result();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: Object.fromEntries(
      ["rpc", "out", "mode", "only"].map((k) => [k, { type: "string" }]),
    ),
  });
  const { meta, probes } = await ask({
    ...values,
    rpc: new HttpRpc(values.rpc),
  });
  const line = (x) =>
    JSON.stringify(x, (_, v) => (typeof v === "bigint" ? v.toString() : v));
  writeFileSync(
    values.out,
    `{"format":1,\n"meta":${line(meta)},\n"probes":[\n${probes.map(line).join(",\n")}\n]}\n`,
  );
  for (const warning of meta.warnings) console.warn(warning);
}
