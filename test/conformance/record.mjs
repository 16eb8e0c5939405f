#!/usr/bin/env node
// Runs the scenario against one JSON-RPC endpoint and writes every observable result to a JSON file.
//   node record.mjs --rpc URL --out FILE [--mode chain|hardhat] [--only PREFIX]
//                   [--scenario slash] [--prefix cosmos] [--denom atest] [--staking 0x..] [--distribution 0x..] [--gov 0x..] [--quiet]
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import {
  Interface,
  Transaction,
  decodeBase64,
  getCreateAddress,
  keccak256,
  sha256,
  toUtf8Bytes,
} from "ethers";
import {
  IFACES,
  decodeInner,
  decodeLog,
  decodeReturn,
  decodeRevert,
  short,
} from "./abi.mjs";
import { MNEMONIC, PUBKEYS, bech32, makeWorld } from "./world.mjs";

const HERE = new URL(".", import.meta.url);
const GAS = 3_000_000n;
const MAX_WAIT = 1800; // seconds to wait for a real chain in one step
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const hex = (n) => "0x" + BigInt(n).toString(16);

// ---- JSON-RPC ---------------------------------------------------------------------------------------------------
export class RpcError extends Error {
  constructor({ code, message, data } = {}) {
    super(message ?? "rpc error");
    this.code = code;
    this.data = data;
  }
}

/** Finds the revert data in hex, wherever this kind of node puts it. */
export function revertData(e) {
  const d = e?.data;
  const hit = [d, d?.data, d?.result, d?.originalError?.data].find(
    (x) => typeof x === "string" && /^0x([0-9a-f]{2})*$/i.test(x),
  );
  return hit?.toLowerCase();
}

class Rpc {
  #id = 0;
  #batches = true;
  constructor(url) {
    this.url = url;
  }

  async #post(body, timeout, retries) {
    for (let i = 0; ; i++) {
      try {
        const r = await fetch(this.url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeout),
        });
        const text = await r.text();
        try {
          return JSON.parse(text);
        } catch {
          throw new Error(`HTTP ${r.status}, not JSON: ${text.slice(0, 120)}`);
        }
      } catch (e) {
        if (i >= retries)
          throw new Error(
            `${e.message}${e.cause ? ` (${e.cause.code ?? e.cause.message})` : ""}`,
          );
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

  async send(method, params = [], { timeout = 60_000, retries = 3 } = {}) {
    const r = await this.#post(this.#req(method, params), timeout, retries);
    if (r.error) throw new RpcError(r.error);
    return r.result;
  }

  /** [[method, params], ...] -> [{ result } | { error }] in the same order; one by one where batches are refused. */
  async batch(list) {
    if (!list.length) return [];
    if (this.#batches) {
      const reqs = list.map(([m, p]) => this.#req(m, p));
      const r = await this.#post(reqs, 60_000, 3).catch(() => null);
      if (Array.isArray(r) && r.length === reqs.length) {
        const by = new Map(r.map((x) => [x.id, x]));
        if (reqs.every((q) => by.has(q.id)))
          return reqs.map((q) => by.get(q.id));
      }
      this.#batches = false;
    }
    const out = [];
    for (const [m, p] of list)
      out.push(
        await this.send(m, p).then(
          (result) => ({ result }),
          (error) => ({ error }),
        ),
      );
    return out;
  }
}

// ---- Solidity ---------------------------------------------------------------------------------------------------
function compile(solc = createRequire(import.meta.url)("solc")) {
  const source = readFileSync(new URL("Probe.sol", HERE), "utf8");
  const out = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { "Probe.sol": { content: source } },
        settings: {
          evmVersion: "prague",
          optimizer: { enabled: true, runs: 200 },
          metadata: { bytecodeHash: "none" },
          outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
        },
      }),
    ),
  );
  const errors = (out.errors ?? []).filter((e) => e.severity === "error");
  if (errors.length)
    throw new Error(errors.map((e) => e.formattedMessage).join("\n"));
  const artifacts = {};
  for (const [name, c] of Object.entries(out.contracts["Probe.sol"])) {
    artifacts[name] = {
      iface: new Interface(c.abi),
      bytecode: "0x" + c.evm.bytecode.object,
    };
    IFACES[name] = artifacts[name].iface;
  }
  return {
    artifacts,
    version: solc.version(),
    sourceHash: keccak256(toUtf8Bytes(source)),
  };
}

// ---- recorder ---------------------------------------------------------------------------------------------------
const jsonArg = (v) =>
  typeof v === "bigint" || typeof v === "number"
    ? v.toString()
    : Array.isArray(v)
      ? v.map(jsonArg)
      : v === undefined
        ? null
        : v;

export class Recorder {
  constructor(opts) {
    this.opts = opts;
    this.rpc = new Rpc(opts.rpc);
    this.world = makeWorld(opts);
    this.steps = [];
    this.byId = new Map();
    this.probes = {}; // name -> contract kind
    this.ifaceAt = new Map(); // lower-case address -> Interface
    this.times = new Map(); // block -> timestamp
    this.warnings = [];
    this.windows = [];
    this.params = {};
    this.last = null; // snapshot after the previous step
    this.setBaseFee = true;
    for (const n of ["bech32", "staking", "distribution", "gov"])
      this.ifaceAt.set(this.hex(n).toLowerCase(), IFACES[n]);
  }

  // -- what the scenario uses to describe itself
  hex = (name) => this.world.addresses[name]?.hex ?? name;
  acc = (name) => this.world.addresses[name].acc;
  val = (name) => this.world.addresses[name].val;
  bech32 = bech32;
  timeOf = (id) => this.byId.get(id)?.time ?? null;
  lastTime = () => this.steps.findLast((s) => s.time)?.time ?? null;
  get denom() {
    return this.world.denom;
  }
  get prefix() {
    return this.world.prefix;
  }

  /** Makes a precompile known that only some scenarios look at. */
  precompile(name, address) {
    this.world.add(name, address, "precompiles");
    this.ifaceAt.set(address, IFACES[name]);
  }

  /** Makes the consensus address of a validator known: the first 20 bytes of its key's SHA-256. */
  consensus(name, pubkey) {
    const address = sha256(decodeBase64(pubkey)).slice(0, 42);
    this.world.add(name, address, "consensus");
  }

  /** A call of a named method of a precompile or a probe. `inner`: the call(s) whose bytes come back in `ret*`. */
  enc(target, fn, args = [], inner) {
    const iface = IFACES[target] ?? IFACES[this.probes[target]];
    return {
      target,
      to: this.hex(target),
      iface: IFACES[target] ? target : this.probes[target],
      fn,
      args,
      inner,
      data: iface ? iface.encodeFunctionData(fn, args) : "0x",
    };
  }

  /** Calldata as it is. */
  raw = (target, data, label) => ({
    target,
    to: this.hex(target),
    data,
    label,
  });

  async init() {
    const o = this.opts;
    this.chainId = BigInt(await this.rpc.send("eth_chainId"));
    this.client = await this.rpc
      .send("web3_clientVersion")
      .catch((e) => `unknown (${short(e)})`);
    this.mode =
      o.mode ?? (/hardhat|anvil/i.test(this.client) ? "hardhat" : "chain");
    const { artifacts, version, sourceHash } = compile(o.solc);
    this.artifacts = artifacts;
    this.meta = {
      startedAt: new Date().toISOString(),
      rpc: new URL(o.rpc).origin,
      mode: this.mode,
      only: o.only ?? null,
      client: this.client,
      chainId: this.chainId.toString(),
      prefix: this.prefix,
      denom: this.denom,
      mnemonic: MNEMONIC,
      pubkeys: PUBKEYS,
      solc: version,
      probeSource: sourceHash,
      scenario: keccak256(readFileSync(this.opts.scenarioUrl)),
    };
  }

  async head() {
    return Number(await this.rpc.send("eth_blockNumber"));
  }

  async block(tag) {
    const b = await this.rpc.send("eth_getBlockByNumber", [
      typeof tag === "number" ? hex(tag) : tag,
      false,
    ]);
    if (!b) throw new Error(`block ${tag} not found`);
    const r = {
      number: Number(b.number),
      time: Number(b.timestamp),
      baseFee: b.baseFeePerGas ? BigInt(b.baseFeePerGas) : 0n,
    };
    this.times.set(r.number, r.time);
    return r;
  }

  async time(n) {
    if (n < 0) return null;
    if (!this.times.has(n))
      await this.block(n).catch(() => this.times.set(n, null));
    return this.times.get(n);
  }

  // -- balances of everybody and counters of the probes at a block
  snapshotRequests(tag) {
    const names = Object.keys(this.world.addresses);
    const probes = Object.keys(this.probes).filter(
      (p) => this.probes[p] === "Probe",
    );
    const I = IFACES.Probe;
    const reads = [
      ...names.map((n) => ["eth_getBalance", [this.hex(n), tag]]),
      ...probes.flatMap((p) =>
        ["counter", "received"].map((f) => [
          "eth_call",
          [{ to: this.hex(p), data: I.encodeFunctionData(f) }, tag],
        ]),
      ),
    ];
    return { names, probes, reads };
  }

  async snapshots(tags) {
    const plans = tags.map((t) => this.snapshotRequests(t));
    const answers = await this.rpc.batch(plans.flatMap((p) => p.reads));
    let at = 0;
    return plans.map(({ names, probes, reads }) => {
      const r = answers.slice(at, (at += reads.length));
      if (r.some((x) => x.error)) return null;
      const num = (x) =>
        x.result && x.result !== "0x" ? BigInt(x.result) : 0n;
      const balances = Object.fromEntries(names.map((n, i) => [n, num(r[i])]));
      const counters = Object.fromEntries(
        probes.map((p, i) => [
          p,
          {
            counter: num(r[names.length + 2 * i]),
            received: num(r[names.length + 2 * i + 1]),
          },
        ]),
      );
      return { balances, counters };
    });
  }

  deltas(before, after, skip = {}) {
    const out = {};
    for (const [n, v] of Object.entries(after.balances)) {
      const d = v - (before.balances[n] ?? 0n) + (skip[n] ?? 0n);
      if (d !== 0n)
        (out[this.world.addresses[n].group] ??= {})[n] = d.toString();
    }
    return out;
  }

  counterDeltas(before, after) {
    const out = {};
    for (const [p, c] of Object.entries(after.counters)) {
      const b = before.counters[p] ?? { counter: 0n, received: 0n };
      for (const k of ["counter", "received"])
        if (c[k] !== b[k]) (out[p] ??= {})[k] = (c[k] - b[k]).toString();
    }
    return out;
  }

  // -- one step: never throws
  async step(id, kind, o, fn) {
    const none = {
      ok: false,
      status: null,
      value: null,
      logs: [],
      skipped: true,
    };
    if (this.byId.has(id)) {
      this.warnings.push(`duplicate step id ${id}`);
      return none;
    }
    const rec = { id, kind };
    this.byId.set(id, rec);
    this.steps.push(rec);
    if (o.informative) rec.informative = true;
    if (o.expect) rec.expect = o.expect;
    const only = this.opts.only;
    if (
      only &&
      !id.startsWith(only) &&
      !id.startsWith("setup.") &&
      !o.essential
    ) {
      rec.skipped = true;
      return none;
    }
    const started = Date.now();
    let out;
    try {
      out = await fn(rec);
    } catch (e) {
      rec.error = short(e);
    }
    rec.ms = Date.now() - started;
    if (
      !rec.error &&
      o.expect &&
      (o.expect === "ok") !== (rec.kind === "tx" ? rec.status === 1 : rec.ok)
    )
      rec.unexpected = true;
    this.progress(rec);
    if (this.steps.length % 20 === 0) this.write();
    return out ?? { ...none, skipped: false };
  }

  progress(rec) {
    if (this.opts.quiet) return;
    const what = rec.error
      ? `ERROR ${rec.error}`
      : rec.kind === "tx"
        ? rec.sendError
          ? `not sent: ${rec.sendError}`
          : `status ${rec.status}${rec.revert ? ` ${rec.revert.reason ?? rec.revert.kind}` : ""}`
        : rec.ok === false
          ? `revert ${rec.revert?.reason ?? rec.revert?.kind ?? ""}`
          : "ok";
    process.stderr.write(
      `${rec.unexpected ? "!" : " "} ${rec.id}  ${what.slice(0, 150)}\n`,
    );
  }

  describe(rec, spec, o) {
    rec.from = o.from;
    rec.to = spec.target ?? null;
    if (spec.fn) rec.fn = spec.fn;
    if (spec.label) rec.label = spec.label;
    if (spec.args) rec.args = jsonArg(spec.args);
    if (spec.inner)
      rec.inner = [spec.inner].flat().map((s) => ({
        to: s.target,
        fn: s.fn ?? null,
        label: s.label,
        args: jsonArg(s.args ?? null),
      }));
    rec.data = spec.data;
    if (o.value) rec.value = BigInt(o.value).toString();
  }

  /** Probe results: bytes that came back from inner calls are decoded too. */
  withInner(value, inner) {
    if (!value) return value;
    const list = inner ? [inner].flat() : [];
    const v = { ...value };
    const pick = (k, ok, c) => {
      if (typeof v[k] === "string") v[k] = decodeInner(v[k], ok, c);
    };
    pick("ret", v.ok, list);
    pick("ret_", v.ok_, list);
    pick("ret1", v.ok1, [list[0]]);
    pick("ret2", v.ok2, [list[1] ?? list[0]]);
    if (typeof v.retFail === "string")
      v.retFail = { revert: decodeRevert(v.retFail) };
    if (typeof v.caught === "string")
      v.caught = { revert: decodeRevert(v.caught) };
    return v;
  }

  decode(spec, raw) {
    const fn = spec.fn && IFACES[spec.iface]?.getFunction(spec.fn);
    if (!fn) return { raw };
    const r = decodeReturn(fn, raw);
    if (r.value && spec.iface in this.artifacts)
      r.value = this.withInner(r.value, spec.inner);
    return r;
  }

  async ethCall(params, tag) {
    try {
      return {
        ok: true,
        raw: (await this.rpc.send("eth_call", [params, tag])).toLowerCase(),
      };
    } catch (e) {
      if (!(e instanceof RpcError)) throw e;
      return {
        ok: false,
        data: revertData(e) ?? "0x",
        message: short(e),
        code: e.code ?? null,
      };
    }
  }

  putOutcome(rec, spec, c) {
    if (c.ok) rec.ret = this.decode(spec, c.raw);
    else {
      rec.revert = decodeRevert(c.data);
      rec.message = c.message;
      rec.code = c.code;
    }
  }

  // -- eth_call
  async call(id, spec, o = {}) {
    const opt = { from: "relayer", ...o };
    return this.step(id, "call", opt, async (rec) => {
      this.describe(rec, spec, opt);
      const head = await this.block("latest");
      rec.block = head.number;
      rec.time = head.time;
      const params = {
        from: this.hex(opt.from),
        to: spec.to,
        data: spec.data,
        gas: hex(opt.gas ?? 5_000_000n),
      };
      if (opt.value) params.value = hex(opt.value);
      const c = await this.ethCall(
        params,
        this.mode === "chain" ? hex(head.number) : "latest",
      );
      rec.ok = c.ok;
      this.putOutcome(rec, spec, c);
      return {
        ok: c.ok,
        value: rec.ret?.value ?? null,
        raw: rec.ret?.raw,
        revert: rec.revert,
        logs: [],
        time: rec.time,
        block: rec.block,
      };
    });
  }

  // -- transaction
  async gasPrice() {
    if (this.mode === "hardhat" && this.setBaseFee) {
      try {
        await this.rpc.send("hardhat_setNextBlockBaseFeePerGas", ["0x0"]);
        return 0n;
      } catch {
        this.setBaseFee = false;
        this.warnings.push(
          "the base fee cannot be set to 0: fees are paid and taken out of the balance deltas",
        );
      }
    }
    const price = (await this.block("latest")).baseFee * 2n;
    if (price && this.mode === "chain" && !this.feeWarned) {
      this.feeWarned = true;
      this.warnings.push(
        "this chain asks for fees: they become rewards of the validators, so reward figures depend on the run",
      );
    }
    return price;
  }

  /** Some nodes block, answer with an error, or answer null while the transaction is pending. */
  async receipt(hash, sentAt, limitMs) {
    const end = Date.now() + limitMs;
    const ask = () =>
      this.rpc
        .send("eth_getTransactionReceipt", [hash], {
          timeout: 65_000,
          retries: 0,
        })
        .catch(() => null);
    if (this.mode === "chain") {
      while (Date.now() < end && (await this.head().catch(() => 0)) <= sentAt)
        await sleep(60);
    }
    for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
      const r = await ask();
      if (r?.blockNumber) return r;
      if (Date.now() > end) return null;
      await sleep(wait);
    }
  }

  async tx(id, spec, o = {}) {
    const opt = { from: "relayer", ...o };
    return this.step(id, "tx", opt, (rec) => this.runTx(rec, spec, opt));
  }

  async runTx(rec, spec, opt) {
    this.describe(rec, spec, opt);
    const wallet = this.world.wallets[opt.from];
    const to = opt.create ? null : spec.to;
    const gas = BigInt(opt.gas ?? GAS);
    const value = BigInt(opt.value ?? 0n);
    rec.gasLimit = gas.toString();

    const params = { from: wallet.address, data: spec.data, gas: hex(gas) };
    if (to) params.to = to;
    if (value) params.value = hex(value);

    let before =
      this.mode === "hardhat" ? (await this.snapshots(["latest"]))[0] : null;
    const preBlock = await this.head();
    const pre = await this.ethCall(
      params,
      this.mode === "chain" ? hex(preBlock) : "latest",
    );
    const gasPrice = await this.gasPrice();
    const nonce = Number(
      await this.rpc.send("eth_getTransactionCount", [
        wallet.address,
        "latest",
      ]),
    );
    const t = Transaction.from({
      type: 0,
      chainId: this.chainId,
      nonce,
      gasPrice,
      gasLimit: gas,
      to,
      value,
      data: spec.data,
    });
    t.signature = wallet.signingKey.sign(t.unsignedHash);
    rec.hash = t.hash;

    // Nodes with automining report a failed execution as an error of the sending call although the transaction is
    // in a block; so the error is only believed where no receipt turns up.
    let sendError = null;
    try {
      await this.rpc.send("eth_sendRawTransaction", [t.serialized], {
        retries: 0,
      });
    } catch (e) {
      sendError = e;
    }
    const receipt = await this.receipt(
      t.hash,
      preBlock,
      sendError ? (this.mode === "chain" ? 8_000 : 500) : 120_000,
    );
    if (!receipt) {
      if (sendError) {
        rec.sendError = short(sendError);
        rec.status = null;
        return { ok: false, status: null, value: null, logs: [] };
      }
      throw new Error(`no receipt for ${t.hash} in time`);
    }
    const n = Number(receipt.blockNumber);
    rec.status = Number(receipt.status);
    rec.block = n;
    rec.time = await this.time(n);
    rec.parentTime = await this.time(n - 1);
    rec.gasUsed = BigInt(receipt.gasUsed).toString();
    const fee =
      BigInt(receipt.gasUsed) *
      BigInt(receipt.effectiveGasPrice ?? hex(gasPrice));
    if (fee) rec.fee = fee.toString();

    // return value or revert data: the same call at the block before
    let parent = pre;
    rec.callAt =
      preBlock === n - 1 || this.mode === "hardhat" ? "parent" : "before";
    if (rec.callAt === "before") {
      const c = await this.ethCall(params, hex(n - 1));
      if (c.ok || c.data !== "0x" || (!pre.ok && pre.data === "0x")) {
        parent = c;
        rec.callAt = "parent";
      }
    }
    rec.callOk = parent.ok;
    rec.agree = parent.ok === (rec.status === 1);
    if (!opt.create) this.putOutcome(rec, spec, parent);
    else if (!parent.ok) this.putOutcome(rec, spec, parent);

    rec.logs = receipt.logs.map((l) => this.log(l, spec));

    // balances
    let after;
    if (this.mode === "chain") {
      [before, after] = await this.snapshots([hex(n - 1), hex(n)]);
      if (!before || !after) {
        before = this.last?.snap;
        [after] = await this.snapshots(["latest"]);
        rec.historical = false;
      }
    } else [after] = await this.snapshots(["latest"]);
    if (!before || !after) throw new Error("balances could not be read");
    rec.deltas = this.deltas(before, after, { [opt.from]: fee });
    rec.counters = this.counterDeltas(before, after);
    this.noteDrift(rec, before);
    this.last = { snap: after, block: n };
    if (receipt.contractAddress) rec.created = receipt.contractAddress;
    return {
      ok: rec.status === 1,
      status: rec.status,
      value: rec.ret?.value ?? null,
      revert: rec.revert,
      logs: rec.logs,
      block: n,
      time: rec.time,
      created: receipt.contractAddress,
    };
  }

  log(l, spec) {
    const out = {
      address: l.address.toLowerCase(),
      topics: l.topics,
      data: l.data,
    };
    const d = decodeLog(this.ifaceAt.get(out.address), l);
    if (
      d.args &&
      this.world.addresses[this.world.names.get(out.address)]?.group ===
        "probes"
    )
      d.args = this.withInner(d.args, spec?.inner);
    return { ...out, ...d };
  }

  /** Balances that moved between two steps, i.e. without a transaction of ours: nothing may, outside `advance`. */
  noteDrift(rec, before) {
    if (!this.last) return;
    const known = {
      balances: Object.fromEntries(
        Object.entries(before.balances).filter(
          ([n]) => n in this.last.snap.balances,
        ),
      ),
    };
    const d = this.deltas(this.last.snap, known);
    if (Object.keys(d).length) {
      rec.drift = d;
      this.warnings.push(
        `${rec.id}: balances moved between the steps: ${JSON.stringify(d)}`,
      );
    }
  }

  /** Creates a contract. Its name is known from then on, even if that failed. */
  async deploy(id, name, contract, args = [], o = {}) {
    const { iface, bytecode } = this.artifacts[contract];
    const opt = { from: "relayer", gas: 6_000_000n, essential: true, ...o };
    const nonce = Number(
      await this.rpc
        .send("eth_getTransactionCount", [this.hex(opt.from), "latest"])
        .catch(() => "0x0"),
    );
    const address = getCreateAddress({ from: this.hex(opt.from), nonce });
    this.world.add(name, address, "probes");
    this.probes[name] = contract;
    this.ifaceAt.set(address.toLowerCase(), iface);
    const make = typeof args === "function" ? args(address) : args;
    const spec = {
      target: name,
      to: null,
      data: bytecode + iface.encodeDeploy(make).slice(2),
      label: `new ${contract}`,
      inner: o.inner?.(address),
    };
    const r = await this.tx(id, spec, { ...opt, create: true });
    return { ...r, address };
  }

  // -- time
  async advance(id, { until, seconds } = {}, o = {}) {
    return this.step(id, "advance", o, async (rec) => {
      const b0 = await this.block("latest");
      const target =
        until && until > 1e6 && until < 1e11
          ? Number(until)
          : b0.time + Number(seconds ?? 1);
      rec.wanted = target - b0.time;
      if (this.mode === "chain" && rec.wanted > MAX_WAIT)
        throw new Error(
          `would have to wait ${rec.wanted} s: use short periods in the genesis`,
        );
      const [before] = await this.snapshots([
        this.mode === "chain" ? hex(b0.number) : "latest",
      ]);
      if (before) this.noteDrift(rec, before);
      if (this.mode === "hardhat") {
        for (let i = 0; i < 8; i++) {
          const b = await this.block("latest");
          if (i > 0 && b.time > target) break;
          await this.rpc.send("evm_increaseTime", [
            Math.max(1, target - b.time + 1),
          ]);
          await this.rpc.send("evm_mine", []);
        }
      } else {
        const end = Date.now() + (Math.max(0, target - b0.time) + 240) * 1000;
        let b = b0;
        while (b.time <= target && Date.now() < end) {
          await sleep(b.time + 3 < target ? 1000 : 200);
          b = await this.block("latest").catch(() => b);
        }
        const reached = b.number;
        while (b.number <= reached && Date.now() < end) {
          await sleep(200);
          b = await this.block("latest").catch(() => b);
        }
      }
      const b1 = await this.block("latest");
      const [after] = await this.snapshots([
        this.mode === "chain" ? hex(b1.number) : "latest",
      ]);
      rec.fromBlock = b0.number;
      rec.block = b1.number;
      rec.time = b1.time;
      rec.ok = b1.time > target;
      if (before && after) {
        rec.deltas = this.deltas(before, after);
        rec.counters = this.counterDeltas(before, after);
        this.last = { snap: after, block: b1.number };
      }
      try {
        const logs = await this.rpc.send("eth_getLogs", [
          {
            fromBlock: hex(b0.number + 1),
            toBlock: hex(b1.number),
            address: ["staking", "distribution", "gov"].map(this.hex),
          },
        ]);
        rec.logs = logs.map((l) => this.log(l));
      } catch (e) {
        rec.logsError = short(e);
      }
      return {
        ok: rec.ok,
        value: null,
        logs: rec.logs ?? [],
        time: rec.time,
        block: rec.block,
      };
    });
  }

  /** Warns if a stretch ended after `limit` (block time in Unix seconds): its answers do not count then. */
  async window(name, limit) {
    if (!limit || limit > 1e11 || this.opts.only) return;
    const b = await this.block("latest").catch(() => null);
    if (!b) return;
    const left = Number(limit) - b.time;
    this.windows.push({ name, limit: Number(limit), left });
    if (left <= 0)
      this.warnings.push(
        `window "${name}" was exceeded by ${-left} s: use longer periods in the genesis`,
      );
  }

  /**
   * Waits until the validator has lost `fraction` of its tokens and is jailed, as a chain does by itself to one that does
   * not sign. A local node is told to with `dualstack_slashValidator [valoper, fraction, jail]`.
   */
  async slash(id, validator, fraction) {
    return this.step(id, "advance", {}, async (rec) => {
      const before =
        this.mode === "chain" && this.last
          ? this.last.snap
          : (await this.snapshots(["latest"]))[0];
      const look = {
        to: this.hex("staking"),
        data: IFACES.staking.encodeFunctionData("validator", [
          this.hex(validator),
        ]),
      };
      const jailed = async (tag) => {
        const c = await this.ethCall(look, tag);
        return (
          c.ok &&
          decodeReturn(IFACES.staking.getFunction("validator"), c.raw).value
            .validator.jailed
        );
      };
      if (this.mode === "hardhat")
        await this.rpc.send("dualstack_slashValidator", [
          this.val(validator),
          fraction,
          true,
        ]);
      const end = Date.now() + MAX_WAIT * 1000;
      while (!(await jailed("latest")) && Date.now() < end) await sleep(500);
      let b = await this.block("latest");
      if (this.mode === "chain")
        while (await jailed(hex(b.number - 1)))
          b = await this.block(b.number - 1);
      const [after] = await this.snapshots([
        this.mode === "chain" ? hex(b.number) : "latest",
      ]);
      rec.block = b.number;
      rec.time = b.time;
      rec.ok = await jailed("latest");
      if (before && after) {
        rec.deltas = this.deltas(before, after);
        this.last = { snap: after, block: b.number };
      }
      return {
        ok: rec.ok,
        value: null,
        logs: [],
        time: rec.time,
        block: rec.block,
      };
    });
  }

  // -- other reads
  async code(id, target) {
    return this.step(id, "code", {}, async (rec) => {
      const c = await this.rpc.send("eth_getCode", [
        this.hex(target),
        "latest",
      ]);
      rec.to = target;
      rec.ok = true;
      rec.code =
        c.length > 66
          ? { bytes: (c.length - 2) / 2, keccak256: keccak256(c) }
          : c;
      return { ok: true, value: c, logs: [] };
    });
  }

  note(id, value) {
    this.byId.set(id, true);
    this.steps.push({
      id,
      kind: "note",
      informative: true,
      value: JSON.parse(
        JSON.stringify(value, (k, v) =>
          typeof v === "bigint" ? v.toString() : v,
        ),
      ),
    });
  }

  async balances(id) {
    const [s] = await this.snapshots(["latest"]).catch(() => [null]);
    if (s) {
      this.note(id, s.balances);
      this.last ??= { snap: s };
    }
  }

  /** Estimate; then a transaction with exactly that limit (outcome informative only); then one with 1.2 times it. */
  async estimate(id, spec, o = {}) {
    const opt = { from: "relayer", exact: true, ...o };
    const r = await this.step(id, "estimate", opt, async (rec) => {
      this.describe(rec, spec, opt);
      const params = {
        from: this.hex(opt.from),
        to: spec.to,
        data: spec.data,
        value: hex(opt.value ?? 0n),
      };
      try {
        const g = BigInt(await this.rpc.send("eth_estimateGas", [params]));
        rec.ok = true;
        rec.gasEstimate = g.toString();
        return { ok: true, value: g, logs: [] };
      } catch (e) {
        if (!(e instanceof RpcError)) throw e;
        rec.ok = false;
        rec.revert = decodeRevert(revertData(e));
        rec.message = short(e);
        return { ok: false, value: null, logs: [] };
      }
    });
    const g = typeof r.value === "bigint" ? r.value : null;
    const out = [];
    if (opt.exact)
      out.push(
        await this.tx(`${id}.exact`, spec, {
          ...opt,
          expect: undefined,
          gas: g ?? GAS,
          informative: true,
        }),
      );
    out.push(
      await this.tx(`${id}.buffered`, spec, {
        ...opt,
        expect: undefined,
        gas: g ? (g * 12n + 9n) / 10n : GAS,
      }),
    );
    return { ...out[out.length - 1], estimate: g, all: out };
  }

  // -- result
  result() {
    return {
      format: 1,
      meta: {
        ...this.meta,
        finishedAt: new Date().toISOString(),
        params: this.params,
        addresses: this.world.addresses,
        windows: this.windows,
        warnings: this.warnings,
        counts: {
          steps: this.steps.length,
          errors: this.steps.filter((s) => s.error).length,
          skipped: this.steps.filter((s) => s.skipped).length,
          unexpected: this.steps.filter((s) => s.unexpected).map((s) => s.id),
          disagree: this.steps
            .filter((s) => s.agree === false)
            .map((s) => s.id),
        },
      },
      steps: this.steps,
    };
  }

  write() {
    if (this.opts.out)
      writeFileSync(
        this.opts.out,
        JSON.stringify(
          this.result(),
          (k, v) => (typeof v === "bigint" ? v.toString() : v),
          1,
        ) + "\n",
      );
  }
}

export async function record(opts) {
  const scenarioUrl =
    opts.scenarioUrl ??
    new URL(
      opts.scenario ? `scenario-${opts.scenario}.mjs` : "scenario.mjs",
      HERE,
    );
  const { scenario } = await import(scenarioUrl);
  const r = new Recorder({ ...opts, scenarioUrl });
  await r.init();
  try {
    await scenario(r);
  } catch (e) {
    r.warnings.push(`the scenario ended early: ${e?.stack ?? e}`);
  }
  r.write();
  return r.result();
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  const { values: v } = parseArgs({
    options: {
      ...Object.fromEntries(
        [
          "rpc",
          "out",
          "mode",
          "scenario",
          "only",
          "prefix",
          "denom",
          "staking",
          "distribution",
          "gov",
          "bech32",
        ].map((k) => [k, { type: "string" }]),
      ),
      quiet: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (
    v.help ||
    !v.rpc ||
    !v.out ||
    (v.mode && !["chain", "hardhat"].includes(v.mode))
  ) {
    console.error(
      "node record.mjs --rpc URL --out FILE [--mode chain|hardhat] [--scenario slash] [--only PREFIX] [--prefix cosmos] [--denom atest] [--staking|--distribution|--gov|--bech32 0x..] [--quiet]",
    );
    process.exit(2);
  }
  const { meta } = await record(v).catch((e) => {
    console.error(`cannot record from ${new URL(v.rpc).origin}: ${short(e)}`);
    process.exit(2);
  });
  const c = meta.counts;
  console.log(
    `${c.steps} steps, ${c.errors} errors, ${c.skipped} skipped, ${c.unexpected.length} unexpected, ${c.disagree.length} call/tx disagreements -> ${v.out}`,
  );
  for (const w of meta.warnings) console.log(`warning: ${w}`);
  if (c.unexpected.length) console.log(`unexpected: ${c.unexpected.join(" ")}`);
  if (c.disagree.length)
    console.log(`call and tx disagree: ${c.disagree.join(" ")}`);
}
