#!/usr/bin/env node
// Compares two recordings made with record.mjs.
//   node compare.mjs A.json B.json [--area PREFIX] [--ignore ASPECT,..] [--known FILE] [--mask-genesis]
//                    [--tolerance SECONDS] [--max N] [--json FILE] [--quiet]
// Exit status: 0 no difference, 1 at least one, 2 wrong usage.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";

const TIME_FIELDS = new Set([
  "completionTime",
  "submitTime",
  "depositEndTime",
  "votingStartTime",
  "votingEndTime",
  "unbondingTime",
  "jailedUntil",
]);
const HEIGHT_FIELDS = new Set([
  "creationHeight",
  "unbondingHeight",
  "startingHeight",
  "endingHeight",
  "startHeight",
]);
const PERIODS = {
  unbondingTime: "+unbonding",
  votingPeriod: "+voting",
  depositPeriod: "+deposit",
  expeditedVotingPeriod: "+expedited",
  downtimeJailDuration: "+jail",
};
const FAR = 100_000_000_000; // later than any block time: a sentinel, compared as it is

/** One recording, with everything needed to make its values independent of the run. */
class Side {
  constructor(file, opt) {
    this.rec =
      typeof file === "string" ? JSON.parse(readFileSync(file, "utf8")) : file;
    this.opt = opt;
    this.steps = new Map(this.rec.steps.map((s) => [s.id, s]));
    const forms = new Map();
    for (const [name, a] of Object.entries(this.rec.meta.addresses ?? {})) {
      const low = a.hex.toLowerCase();
      forms.set(low, `{${name}:lower}`);
      forms.set(a.hex, `{${name}}`);
      forms.set(a.acc, `{${name}:acc}`);
      forms.set(a.val, `{${name}:valoper}`);
      // inside undecoded data, and the keys of pages
      if (a.group === "probes" || a.group === "consensus")
        forms.set(low.slice(2), `{${name}:raw}`);
    }
    this.forms = forms;
    this.pattern = new RegExp(
      [...forms.keys()].sort((x, y) => y.length - x.length).join("|") || "(?!)",
      "g",
    );
    this.pubkeys = new Set(Object.values(this.rec.meta.pubkeys ?? {}));
    // Moments something can refer to: transactions and jumps in time, up to and including the step itself.
    this.anchors = this.rec.steps.filter(
      (s) => (s.kind === "tx" || s.kind === "advance") && s.block != null,
    );
    this.order = new Map(this.rec.steps.map((s, i) => [s.id, i]));
    const p = this.rec.meta.params ?? {};
    this.periods = [
      [0, ""],
      ...Object.entries(PERIODS).flatMap(([k, l]) =>
        Number(p[k]) > 0 ? [[Number(p[k]), l]] : [],
      ),
    ];
  }

  text(s) {
    return s.replace(this.pattern, (m) => this.forms.get(m));
  }

  *anchorsUpTo(step) {
    const limit = this.order.get(step.id);
    for (const a of this.anchors) if (this.order.get(a.id) <= limit) yield a;
  }

  /** inLog: exact block of the step; otherwise the value may come from eth_call one block earlier. */
  time(v, step, inLog) {
    const n = Number(v);
    if (!(n > 1_000_000 && n < FAR)) return v;
    const labels = [];
    for (const a of this.anchorsUpTo(step))
      for (const [d, l] of this.periods)
        if (a.time + d === n) labels.push(a.id + l);
    if (!inLog) {
      const own = [step.time, step.parentTime].filter((t) => t != null);
      for (const [d, l] of this.periods)
        if (own.some((t) => Math.abs(t + d - n) <= this.opt.tolerance))
          labels.push(step.id + l);
    }
    return { $time: [...new Set(labels)], rel: n - (step.time ?? 0), raw: v };
  }

  height(v, step, inLog) {
    const n = Number(v);
    if (!(n > 0)) return v;
    const labels = [];
    for (const a of this.anchorsUpTo(step))
      if (a.block === n) labels.push(a.id);
    if (!inLog && (n === step.block || n === step.block - 1))
      labels.push(step.id);
    return {
      $height: [...new Set(labels)],
      rel: n - (step.block ?? 0),
      raw: v,
    };
  }

  /** How many blocks a validator has signed since something happened: told from then. */
  signed(v, step) {
    const n = Number(v);
    if (!(n > 0) || step.block == null) return v;
    const since = step.block - n;
    const labels = since <= 3 ? [`genesis${signed(BigInt(since))}`] : [];
    for (const a of this.anchorsUpTo(step))
      if (Math.abs(since - a.block) <= 3)
        labels.push(a.id + signed(BigInt(since - a.block)));
    return { $height: labels, rel: -n, raw: v };
  }

  norm(v, step, inLog, key) {
    if (typeof v === "string") {
      if (TIME_FIELDS.has(key)) return this.time(v, step, inLog);
      if (HEIGHT_FIELDS.has(key)) return this.height(v, step, inLog);
      if (key === "indexOffset") return this.signed(v, step);
      if (key === "consensusPubkey" && v !== "" && !this.pubkeys.has(v))
        return "<not ours>";
      return this.text(v);
    }
    if (Array.isArray(v)) return v.map((x) => this.norm(x, step, inLog, key));
    if (!v || typeof v !== "object") return v;
    const out = {};
    const decoded =
      v.value !== undefined || v.kind === "Error" || v.kind === "Panic";
    for (const [k, x] of Object.entries(v)) {
      if (k.startsWith("gas")) continue;
      if (k === "raw" && decoded && v.canonical !== false) continue; // says nothing more than the decoded form
      if (k === "undecodable") continue; // wording of the decoder
      out[k] = this.norm(x, step, inLog, k);
    }
    for (const u of ["", "_"]) {
      if (v[`balanceBefore${u}`] === undefined) continue;
      const b = BigInt(v[`balanceBefore${u}`]);
      for (const k of [`balanceMid${u}`, `balanceAfter${u}`])
        if (v[k] !== undefined) out[k] = `before${signed(BigInt(v[k]) - b)}`;
      delete out[`balanceBefore${u}`];
    }
    if (
      this.opt.maskGenesis &&
      out.operatorAddress === "{valA}" &&
      out.description
    )
      out.description = "<genesis>";
    return out;
  }

  log(l, step) {
    const address = this.text(l.address).replace(":lower}", "}");
    if (l.args)
      return {
        address,
        event: l.event,
        args: this.norm(l.args, step, true),
        ...(l.canonical === false ? { data: this.text(l.data) } : {}),
      };
    return {
      address,
      topics: l.topics.map((t) => this.text(t)),
      data: this.text(l.data),
    };
  }

  /** Returns what is compared, by the name of the aspect. */
  aspects(step) {
    const n = (v) => (v === undefined ? undefined : this.norm(v, step, false));
    const d = step.deltas ?? {};
    const balances = Object.fromEntries(
      ["accounts", "probes", "modules", "precompiles"].map((g) => [
        `balances.${g}`,
        d[g] ?? {},
      ]),
    );
    switch (step.kind) {
      case "tx":
        return {
          error: Boolean(step.error),
          sent: !step.sendError,
          status: step.status ?? null,
          agree: step.agree ?? null,
          return: n(step.ret),
          revert: n(step.revert),
          logs: (step.logs ?? []).map((l) => this.log(l, step)),
          ...balances,
          counters: step.counters ?? {},
          drift: step.drift ?? {},
        };
      case "call":
        return {
          error: Boolean(step.error),
          ok: step.ok ?? null,
          return: n(step.ret),
          revert: n(step.revert),
        };
      case "advance":
        return {
          error: Boolean(step.error),
          ok: step.ok ?? null,
          logs: (step.logs ?? []).map((l) => this.log(l, step)),
          ...balances,
          counters: step.counters ?? {},
          drift: step.drift ?? {},
        };
      case "code":
        return { error: Boolean(step.error), code: n(step.code) };
      case "estimate":
        return {
          error: Boolean(step.error),
          ok: step.ok ?? null,
          revert: n(step.revert),
        };
      default:
        return {};
    }
  }
}

const signed = (x) => (x < 0n ? String(x) : `+${x}`);

/** Paths at which two normalised values differ. */
function* diff(a, b, path = "") {
  if (a && b && typeof a === "object" && typeof b === "object") {
    for (const mark of ["$time", "$height"]) {
      if (!a[mark] && !b[mark]) continue;
      const same =
        a[mark] &&
        b[mark] &&
        (a[mark].some((l) => b[mark].includes(l)) ||
          (!a[mark].length &&
            !b[mark].length &&
            Math.abs(a.rel - b.rel) <= diff.tolerance));
      if (!same) yield { path, a: moment(a, mark), b: moment(b, mark) };
      return;
    }
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length)
      yield { path: `${path}.length`, a: a.length, b: b.length };
    const keys = Array.isArray(a)
      ? [...Array(Math.min(a.length, b.length)).keys()]
      : new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const k of keys)
      yield* diff(a[k], b[k], path === "" ? String(k) : `${path}.${k}`);
    return;
  }
  if (a !== b) yield { path, a, b };
}
diff.tolerance = 3;
const moment = (v, mark) =>
  v?.[mark]
    ? `${v.raw} = ${v[mark].join(" | ") || `step${signed(BigInt(v.rel))}`}`
    : v;

const areaOf = (id) => id.split(".")[0];

export function compare(fileA, fileB, opt = {}) {
  const o = { tolerance: 3, ignore: [], known: [], ...opt };
  diff.tolerance = o.tolerance;
  const A = new Side(fileA, o);
  const B = new Side(fileB, o);
  const ids = [...new Set([...A.steps.keys(), ...B.steps.keys()])].filter(
    (i) => !o.area || i.startsWith(o.area),
  );
  const res = {
    same: 0,
    different: 0,
    skipped: 0,
    known: 0,
    differences: [],
    perArea: {},
    perAspect: {},
    skips: [],
  };
  const count = (o2, k, f) =>
    ((o2[k] ??= { same: 0, different: 0, skipped: 0 })[f] += 1);
  for (const id of ids) {
    const a = A.steps.get(id);
    const b = B.steps.get(id);
    const area = areaOf(id);
    const skip = (why) => {
      res.skipped++;
      res.skips.push({ id, why });
      count(res.perArea, area, "skipped");
    };
    if (!a || !b) {
      const other = a ? B : A;
      if (other.rec.meta.only) {
        skip("not run");
        continue;
      }
    } else if (a.skipped || b.skipped) {
      skip("not run");
      continue;
    } else if (a.informative || b.informative || a.kind === "note") {
      skip("informative");
      continue;
    } else if (a.error && b.error) {
      skip("failed in both");
      continue;
    }
    let found = [];
    if (!a || !b)
      found.push({ aspect: "missing", path: "", a: Boolean(a), b: Boolean(b) });
    else if (a.kind !== b.kind)
      found.push({ aspect: "kind", path: "", a: a.kind, b: b.kind });
    else {
      const x = A.aspects(a);
      const y = B.aspects(b);
      for (const aspect of Object.keys(x)) {
        if (o.ignore.some((i) => aspect === i || aspect.startsWith(`${i}.`)))
          continue;
        for (const d of diff(x[aspect], y[aspect]))
          found.push({ aspect, ...d });
      }
      if (a.error || b.error)
        found = found
          .filter((f) => f.aspect === "error")
          .map((f) => ({ ...f, a: a.error ?? "none", b: b.error ?? "none" }));
    }
    const open = found.filter(
      (f) =>
        !o.known.some(
          (k) =>
            (k.id === id ||
              (k.id.endsWith("*") && id.startsWith(k.id.slice(0, -1)))) &&
            (!k.aspect ||
              f.aspect === k.aspect ||
              f.aspect.startsWith(`${k.aspect}.`)),
        ),
    );
    if (found.length && !open.length) {
      res.known++;
      skip("known difference");
      continue;
    }
    if (open.length) {
      res.different++;
      count(res.perArea, area, "different");
      for (const f of open) {
        res.differences.push({ id, area, ...f });
        const c = (res.perAspect[f.aspect] ??= { steps: new Set(), count: 0 });
        c.count++;
        c.steps.add(id);
      }
    } else {
      res.same++;
      count(res.perArea, area, "same");
    }
  }
  res.warnings = [];
  for (const [n, S] of [
    ["A", A],
    ["B", B],
  ])
    for (const w of S.rec.meta.warnings ?? []) res.warnings.push(`${n}: ${w}`);
  for (const k of ["scenario", "probeSource", "prefix", "denom"]) {
    if (A.rec.meta[k] !== B.rec.meta[k])
      res.warnings.push(
        `the recordings differ in "${k}" (${A.rec.meta[k]} / ${B.rec.meta[k]}): not made for each other`,
      );
  }
  const pa = A.rec.meta.params ?? {};
  const pb = B.rec.meta.params ?? {};
  for (const k of new Set([...Object.keys(pa), ...Object.keys(pb)])) {
    if (pa[k] !== pb[k] && !A.rec.meta.only && !B.rec.meta.only)
      res.warnings.push(
        `${k} is ${pa[k] ?? "unknown"} s in A and ${pb[k] ?? "unknown"} s in B: times are compared as "step plus period"`,
      );
  }
  return res;
}

const show = (v) => {
  const s =
    v === undefined
      ? "(absent)"
      : typeof v === "string"
        ? v
        : JSON.stringify(v);
  return s.length > 240 ? `${s.slice(0, 200)}… (${s.length} characters)` : s;
};

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  const { values: v, positionals: p } = parseArgs({
    allowPositionals: true,
    options: {
      area: { type: "string" },
      ignore: { type: "string" },
      known: { type: "string" },
      tolerance: { type: "string" },
      max: { type: "string" },
      json: { type: "string" },
      "mask-genesis": { type: "boolean" },
      quiet: { type: "boolean" },
    },
  });
  if (p.length !== 2) {
    console.error(
      "node compare.mjs A.json B.json [--area PREFIX] [--ignore ASPECT,..] [--known FILE] [--mask-genesis] [--tolerance S] [--max N] [--json FILE] [--quiet]",
    );
    process.exit(2);
  }
  const r = compare(p[0], p[1], {
    area: v.area,
    ignore: v.ignore ? v.ignore.split(",") : [],
    known: v.known ? JSON.parse(readFileSync(v.known, "utf8")) : [],
    maskGenesis: v["mask-genesis"],
    ...(v.tolerance ? { tolerance: Number(v.tolerance) } : {}),
  });
  const max = Number(v.max ?? Infinity);
  if (!v.quiet) {
    let last = "";
    let area = "";
    for (const d of r.differences.slice(0, max)) {
      if (d.area !== area) console.log(`\n== ${(area = d.area)}`);
      if (d.id !== last) console.log(`${(last = d.id)}`);
      console.log(
        `    ${d.aspect}${d.path ? ` ${d.path}` : ""}\n      A ${show(d.a)}\n      B ${show(d.b)}`,
      );
    }
    if (r.differences.length > max)
      console.log(`… ${r.differences.length - max} more`);
  }
  if (r.differences.length) {
    console.log("\nby kind of difference (steps / places)");
    for (const [k, c] of Object.entries(r.perAspect).sort(
      (x, y) => y[1].steps.size - x[1].steps.size,
    ))
      console.log(`  ${k.padEnd(22)} ${c.steps.size} / ${c.count}`);
  }
  console.log("\nby area                  same  different  skipped");
  for (const [k, c] of Object.entries(r.perArea))
    console.log(
      `  ${k.padEnd(20)} ${String(c.same).padStart(6)} ${String(c.different).padStart(10)} ${String(c.skipped).padStart(8)}`,
    );
  for (const w of r.warnings) console.log(`warning: ${w}`);
  if (r.known)
    console.log(`${r.known} of the skipped steps differ in a known way`);
  console.log(`${r.same} same, ${r.different} different, ${r.skipped} skipped`);
  if (v.json)
    writeFileSync(
      v.json,
      JSON.stringify(
        {
          ...r,
          perAspect: Object.fromEntries(
            Object.entries(r.perAspect).map(([k, c]) => [
              k,
              { steps: [...c.steps], places: c.count },
            ]),
          ),
        },
        null,
        1,
      ),
    );
  process.exitCode = r.different ? 1 : 0;
}
