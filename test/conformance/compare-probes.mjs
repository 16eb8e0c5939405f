// Compares two recordings made by probes.mjs. Times and heights are named after the transactions they belong to, because
// they differ from run to run; gas is compared in gas.ts instead.
//   node compare-probes.mjs A.json B.json
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const TIME_FIELDS = new Set([
  "completionTime",
  "submitTime",
  "depositEndTime",
  "votingStartTime",
  "votingEndTime",
  "unbondingTime",
]);
const HEIGHT_FIELDS = new Set(["creationHeight", "unbondingHeight"]);
const NEW_PERIODS = [41, 55, 77, 91, 500]; // what proposals of the sets change periods to
const FAR = 100_000_000_000;

/** One recording, with everything needed to make its values independent of the run. */
class Side {
  constructor(rec, tolerance) {
    this.meta = rec.meta;
    this.tolerance = tolerance;
    this.probes = new Map(rec.probes.map((p) => [p.id, p]));
    this.order = new Map(rec.probes.map((p, i) => [p.id, i]));
    this.anchors = rec.probes.filter(
      (p) => /tx$/i.test(p.kind) || p.kind === "advance",
    );
    this.anchors = this.anchors.filter((p) => p.block != null);
    this.periods = [
      ["", 0],
      ...Object.entries(rec.meta.periods).map(([k, v]) => [`+${k}`, v]),
      ...NEW_PERIODS.map((s) => [`+${s}s`, s]),
    ];
    this.pubkeys = new Set(Object.values(rec.meta.pubkeys));
    const { caller, valA } = rec.meta.addresses;
    this.valA = valA;
    this.forms = caller
      ? [
          [caller.hex, "{caller}"],
          [caller.hex.toLowerCase(), "{caller:lower}"],
          [caller.hex.slice(2).toLowerCase(), "{caller:raw}"],
          [caller.acc, "{caller:acc}"],
          [caller.val, "{caller:val}"],
        ]
      : [];
  }

  text(s) {
    for (const [from, to] of this.forms)
      if (s.includes(from)) s = s.replaceAll(from, to);
    // heights that the questions took from the setup, also beyond 32 and 64 bits
    return s.replace(/(block height )(\d+)/g, (all, text, n) => {
      for (const bits of [0n, 32n, 64n, 128n]) {
        const d =
          BigInt(n) -
          (bits ? 1n << bits : 0n) -
          BigInt(this.probes.get("setup.unbond")?.block ?? 0);
        if (d >= -1n && d <= 1n)
          return `${text}{setup.unbond${bits ? `+2^${bits}` : ""}${d ? (d > 0n ? "+1" : "-1") : ""}}`;
      }
      return all;
    });
  }

  /** Block times and heights become names of the transactions they belong to. */
  moment(v, probe, kind) {
    const n = Number(v);
    if (kind === "time" ? !(n > 1_000_000 && n < FAR) : !(n > 0)) return v;
    const at = this.order.get(probe.id);
    const labels = new Set();
    for (const a of this.anchors) {
      if (this.order.get(a.id) > at) break;
      if (kind === "height") {
        if (a.block === n) labels.add(a.id);
      } else
        for (const [l, d] of this.periods)
          if (a.time + d === n) labels.add(a.id + l);
    }
    // asked by eth_call: the block of the question, or the one after it
    if (kind === "time")
      for (const [l, d] of this.periods)
        if (Math.abs((probe.time ?? 0) + d - n) <= this.tolerance)
          labels.add(`own${l}`);
    if (kind === "height" && Math.abs((probe.block ?? 0) - n) <= 1)
      labels.add("own");
    return {
      $moment: [...labels],
      rel: n - (kind === "time" ? probe.time : probe.block),
      raw: v,
    };
  }

  norm(v, probe, field) {
    if (typeof v === "string") {
      if (TIME_FIELDS.has(field)) return this.moment(v, probe, "time");
      if (HEIGHT_FIELDS.has(field)) return this.moment(v, probe, "height");
      if (field === "consensusPubkey" && v && !this.pubkeys.has(v))
        return "<genesis>";
      return this.text(v);
    }
    if (Array.isArray(v)) return v.map((x) => this.norm(x, probe, field));
    if (!v || typeof v !== "object") return v;
    const out = {};
    for (const [k, x] of Object.entries(v)) {
      if (
        k === "undecodable" ||
        (k === "raw" &&
          (v.kind === "Error" || v.kind === "Panic") &&
          v.canonical !== false)
      )
        continue;
      out[k] = this.norm(x, probe, k);
    }
    if (
      v.description &&
      [this.valA.hex, this.valA.val].includes(v.operatorAddress)
    )
      out.description = "<genesis>";
    return out;
  }

  aspects(p) {
    const n = (v) => this.norm(v, p);
    const answer = {
      error: Boolean(p.error),
      ok: p.ok,
      return: n(p.ret),
      revert: n(p.revert),
    };
    if (p.kind === "call" || p.kind === "estimate") return answer;
    if (p.kind === "inner")
      return { ...answer, results: n(p.results), spent: p.spent };
    if (p.kind === "advance")
      return { error: Boolean(p.error), ok: p.ok, balances: p.deltas };
    const logs = (p.logs ?? []).map((l) =>
      n(
        l.event
          ? { address: l.address, event: l.event, args: l.args }
          : { address: l.address, topics: l.topics, data: l.data },
      ),
    );
    return {
      ...answer,
      status: p.status,
      results: n(p.results),
      spent: p.spent,
      logs,
      balances: p.deltas,
      code: p.code && this.text(p.code),
    };
  }
}

function* diff(a, b, tolerance, path = "") {
  if (a && b && typeof a === "object" && typeof b === "object") {
    if (a.$moment || b.$moment) {
      const same =
        a.$moment &&
        b.$moment &&
        (a.$moment.some((l) => b.$moment.includes(l)) ||
          (!a.$moment.length &&
            !b.$moment.length &&
            Math.abs(a.rel - b.rel) <= tolerance));
      if (!same) yield { path, a: show(a), b: show(b) };
      return;
    }
    if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length)
      return void (yield { path: path || "list", a, b });
    for (const k of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* diff(a[k], b[k], tolerance, path ? `${path}.${k}` : k);
    return;
  }
  if (a !== b) yield { path, a, b };
}

const show = (v) => {
  if (v?.$moment)
    return `${v.raw} = ${v.$moment.slice(0, 3).join(" | ") || `own${v.rel < 0 ? "" : "+"}${v.rel}`}`;
  const s =
    v === undefined
      ? "(absent)"
      : typeof v === "string"
        ? JSON.stringify(v)
        : JSON.stringify(v, (_, x) => (x?.$moment ? show(x) : x));
  return s.length > 420 ? `${s.slice(0, 400)}… (${s.length} characters)` : s;
};

/** Returns what differs, place by place. */
export function compareProbes(expected, actual, tolerance = 3) {
  const [A, B] = [expected, actual].map(
    (recording) => new Side(recording, tolerance),
  );
  const differences = [];
  let same = 0;
  for (const id of new Set([...A.probes.keys(), ...B.probes.keys()])) {
    const [a, b] = [A.probes.get(id), B.probes.get(id)];
    const found = [];
    if (!a || !b)
      found.push({
        aspect: "missing",
        path: "",
        a: a ? "asked" : "not asked",
        b: b ? "asked" : "not asked",
      });
    else {
      const [x, y] = [A.aspects(a), B.aspects(b)];
      for (const aspect of Object.keys(x))
        for (const d of diff({ v: x[aspect] }, { v: y[aspect] }, tolerance))
          found.push({ aspect, ...d, path: d.path.slice(2) });
    }
    if (found.length)
      differences.push({
        id,
        found,
        from: a?.from,
        method: a?.method,
        args: a?.args,
      });
    else same++;
  }
  return {
    same,
    differences,
    warnings: [...A.meta.warnings, ...B.meta.warnings],
  };
}

/** Returns one difference in words. */
export function describeDifference({ id, found }) {
  // If one refuses and the other does not, `ok` and `error` add nothing to that.
  const told = found
    .filter(({ aspect }) => aspect !== "ok" && aspect !== "error")
    .slice(0, 6);
  const places = (told.length ? told : found).map(
    ({ aspect, path, a, b }) =>
      `    ${aspect}${path ? ` ${path}` : ""}\n      chain ${show(a)}\n      here  ${show(b)}`,
  );
  return [id, ...places].join("\n");
}

const read = (file) =>
  JSON.parse(
    file.endsWith(".gz")
      ? gunzipSync(readFileSync(file))
      : readFileSync(file, "utf8"),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [expected, actual] = process.argv.slice(2, 4).map(read);
  const { same, differences, warnings } = compareProbes(expected, actual);
  for (const difference of differences)
    console.log(describeDifference(difference));
  for (const warning of warnings) console.warn(warning);
  console.log(`${same} same, ${differences.length} different`);
}
