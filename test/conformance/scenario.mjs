// The scenario: one fixed order of steps. Every step has a stable id, "<area>.<subject>.<case>".
//
// Rules for whoever adds a step:
// - Amounts are absolute; error texts that print a balance come from gina, hank or a probe, which the scenario funds.
// - A step must not need the success of a step that another implementation may legitimately treat differently.
// - Entries that mature (unbonding, redelegation, voting) are waited for at the end of the section that made them, so
//   that no balance moves by itself while another section runs. What lies in between is a "window".
// - valB and valC are validators without a running node: their common power must stay far below one third.
import { PUBKEYS, T, tokens } from "./world.mjs";

const ZERO = "0x0000000000000000000000000000000000000000";
const ONE_HUNDRED_PERCENT = T;
const KEEP = "[do-not-modify]";

const page = ({
  key = "0x",
  offset = 0,
  limit = 0,
  countTotal = false,
  reverse = false,
} = {}) => [key, offset, limit, countTotal, reverse];
const num = (v) => (v === undefined || v === null || v === "" ? 0 : Number(v));
const words = (...hexes) =>
  hexes.map((h) => h.replace(/^0x/, "").padStart(64, "0")).join("");

export async function scenario(ctx) {
  const { hex, acc, val } = ctx;
  const denom = ctx.denom;
  const coin = (amount, d = denom) => [d, BigInt(amount)];

  // ---- shorthands
  const on =
    (target) =>
    (fn, ...args) =>
      ctx.enc(target, fn, args);
  const S = on("staking");
  const D = on("distribution");
  const G = on("gov");
  const B = on("bech32");
  const P = (probe, fn, args, inner) => ctx.enc(probe, fn, args, inner);
  const act = (probe, c) => P(probe, "act", [c.to, c.data], c);
  const around = (probe, c) => P(probe, "around", [c.to, c.data], c);
  const kind = (probe, k, c) => P(probe, "callKind", [k, c.to, c.data], c);
  const twice = (probe, c1, c2) =>
    P(probe, "twice", [c1.to, c1.data, c2.data], [c1, c2]);
  const many = (probe, c, n) => P(probe, "many", [c.to, c.data, n], c);
  const multi = (probe, list) =>
    P(
      probe,
      "multi",
      [list.map((c) => c.to), list.map((c) => c.data)],
      list[0],
    );

  const tx = (id, from, spec, o) => ctx.tx(id, spec, { from, ...o });
  const ok = (id, from, spec, o) =>
    ctx.tx(id, spec, { from, expect: "ok", ...o });
  const bad = (id, from, spec, o) =>
    ctx.tx(id, spec, { from, expect: "revert", ...o });
  const ask = (id, spec, o) => ctx.call(id, spec, o); // no expectation
  const view = (id, spec, o) => ctx.call(id, spec, { expect: "ok", ...o });
  const refuse = (id, from, spec, o) =>
    ctx.call(id, spec, { from, expect: "revert", ...o });
  const event = (r, name) => r?.logs?.find((l) => l.event === name)?.args;

  const p = ctx.params; // periods of this chain in seconds: filled in below, used by compare.mjs
  const w = { minDeposit: 10n * T, nextProposal: 1n };

  const sections = {
    // =============================================================================================================
    async setup() {
      ctx.note("setup.client", { client: ctx.client, chainId: ctx.chainId });
      await ctx.balances("setup.balances");
      const g = await view("setup.gov.params", G("getParams"), {
        essential: true,
      });
      const gp = g.value?.params;
      if (gp) {
        p.votingPeriod = Number(BigInt(gp.votingPeriod) / 1_000_000_000n);
        p.depositPeriod = Number(BigInt(gp.maxDepositPeriod) / 1_000_000_000n);
        p.expeditedVotingPeriod = Number(
          BigInt(gp.expeditedVotingPeriod) / 1_000_000_000n,
        );
        const min = gp.minDeposit.find((c) => c.denom === denom);
        if (min) w.minDeposit = BigInt(min.amount);
      }
      await view("setup.validators", S("validators", "", page()));
      await view("setup.validator.valA", S("validator", hex("valA")));
      // valA must keep far more than two thirds of the power: see the head of this file
      await ok(
        "setup.stake.dave",
        "dave",
        S("delegate", hex("dave"), val("valA"), tokens("5000")),
        { essential: true },
      );

      await ctx.deploy("setup.deploy.probe", "probe", "Probe");
      await ctx.deploy("setup.deploy.probeB", "probeB", "Probe");
      await ctx.deploy("setup.deploy.probeC", "probeC", "Probe");
      const send = (name, amount) =>
        ok(
          `setup.fund.${name}`,
          "relayer",
          ctx.raw(name, "0x", "plain transfer"),
          { value: tokens(amount), essential: true },
        );
      await send("probe", "200");
      await send("probeB", "20");
      await send("probeC", "10");
      await send("gina", "50");
    },

    // =============================================================================================================
    async code() {
      for (const n of ["bech32", "staking", "distribution", "gov"]) {
        await ctx.code(`code.getCode.${n}`, n);
        await view(`code.codeInfo.${n}`, P("probe", "codeInfo", [hex(n)]));
      }
      await view("code.codeInfo.eoa", P("probe", "codeInfo", [hex("alice")]));
    },

    // =============================================================================================================
    async bech32() {
      const a = hex("alice");
      await view("bech32.hexToBech32.acc", B("hexToBech32", a, ctx.prefix));
      await view(
        "bech32.hexToBech32.valoper",
        B("hexToBech32", a, `${ctx.prefix}valoper`),
      );
      await view("bech32.hexToBech32.otherPrefix", B("hexToBech32", a, "osmo"));
      await view(
        "bech32.hexToBech32.zeroAddress",
        B("hexToBech32", ZERO, ctx.prefix),
      );
      await refuse(
        "bech32.hexToBech32.emptyPrefix",
        "relayer",
        B("hexToBech32", a, ""),
      );
      await refuse(
        "bech32.hexToBech32.blankPrefix",
        "relayer",
        B("hexToBech32", a, "  "),
      );
      await ask(
        "bech32.hexToBech32.upperPrefix",
        B("hexToBech32", a, ctx.prefix.toUpperCase()),
      );
      await ask(
        "bech32.hexToBech32.mixedPrefix",
        B("hexToBech32", a, "Cosmos"),
      );
      await ask(
        "bech32.hexToBech32.longPrefix",
        B("hexToBech32", a, "p".repeat(84)),
      );
      await view("bech32.bech32ToHex.acc", B("bech32ToHex", acc("alice")));
      await view("bech32.bech32ToHex.valoper", B("bech32ToHex", val("alice")));
      await ask(
        "bech32.bech32ToHex.upper",
        B("bech32ToHex", acc("alice").toUpperCase()),
      );
      await ask(
        "bech32.bech32ToHex.mixedCase",
        B(
          "bech32ToHex",
          acc("alice").replace(/.$/, (c) => c.toUpperCase()),
        ),
      );
      await refuse(
        "bech32.bech32ToHex.badChecksum",
        "relayer",
        B(
          "bech32ToHex",
          acc("alice").replace(/.$/, (c) => (c === "q" ? "p" : "q")),
        ),
      );
      await refuse("bech32.bech32ToHex.empty", "relayer", B("bech32ToHex", ""));
      await refuse(
        "bech32.bech32ToHex.noSeparator",
        "relayer",
        B("bech32ToHex", "cosmos"),
      );
      await refuse("bech32.bech32ToHex.hex", "relayer", B("bech32ToHex", a));
      // a valid string which holds 32 bytes
      await ask(
        "bech32.bech32ToHex.len32",
        B("bech32ToHex", ctx.bech32(ctx.prefix, "0x" + "ab".repeat(32))),
      );
      await ask(
        "bech32.bech32ToHex.len19",
        B("bech32ToHex", ctx.bech32(ctx.prefix, "0x" + "ab".repeat(19))),
      );
      await ok("bech32.tx.ok", "alice", B("hexToBech32", a, ctx.prefix));
      await bad("bech32.tx.revert", "alice", B("bech32ToHex", "nonsense"));
      await ok(
        "bech32.contract.ok",
        "relayer",
        kind("probe", 0, B("hexToBech32", a, ctx.prefix)),
      );
      await ok(
        "bech32.contract.revert",
        "relayer",
        kind("probe", 0, B("bech32ToHex", "nonsense")),
      );
    },

    // =============================================================================================================
    async createValidator() {
      const description = (moniker, o = {}) => [
        moniker,
        o.identity ?? "",
        o.website ?? "",
        o.contact ?? "",
        o.details ?? "",
      ];
      const commission = (rate, max, change) => [
        tokens(rate),
        tokens(max),
        tokens(change),
      ];
      const create = (o = {}) =>
        S(
          "createValidator",
          o.description ??
            description("validator B", {
              identity: "id-b",
              website: "https://b.example",
              contact: "b@b.example",
              details: "made by the scenario",
            }),
          o.commission ?? commission("0.1", "0.2", "0.01"),
          o.min ?? T,
          o.operator ?? hex("valB"),
          o.pubkey ?? PUBKEYS.valB,
          o.value ?? tokens("20"),
        );
      const id = (s) => `staking.createValidator.${s}`;
      await bad(id("mismatch"), "alice", create());
      await refuse(id("zeroValue"), "valB", create({ value: 0n }));
      await refuse(
        id("pubkeyShort"),
        "valB",
        create({ pubkey: Buffer.alloc(31, 1).toString("base64") }),
      );
      await refuse(
        id("pubkeyLong"),
        "valB",
        create({ pubkey: Buffer.alloc(33, 1).toString("base64") }),
      );
      await refuse(
        id("pubkeyNotBase64"),
        "valB",
        create({ pubkey: "not base64 at all!" }),
      );
      await refuse(id("pubkeyEmpty"), "valB", create({ pubkey: "" }));
      await bad(
        id("commissionOver100"),
        "valB",
        create({
          commission: [ONE_HUNDRED_PERCENT + 1n, ONE_HUNDRED_PERCENT + 1n, 0n],
        }),
      );
      await refuse(
        id("rateOverMax"),
        "valB",
        create({ commission: commission("0.3", "0.2", "0.01") }),
      );
      await refuse(
        id("changeOverMax"),
        "valB",
        create({ commission: commission("0.1", "0.2", "0.3") }),
      );
      await refuse(id("selfBelowMin"), "valB", create({ min: tokens("30") }));
      await ask(id("minZero"), create({ min: 0n }), { from: "valB" });
      await refuse(
        id("monikerEmpty"),
        "valB",
        create({ description: description("") }),
      );
      await refuse(
        id("monikerLong"),
        "valB",
        create({ description: description("m".repeat(71)) }),
      );
      await refuse(
        id("detailsLong"),
        "valB",
        create({ description: description("m", { details: "d".repeat(281) }) }),
      );
      await ask(id("zeroOperator"), create({ operator: ZERO }), {
        from: "valB",
      });
      await refuse(
        id("overBalance"),
        "gina",
        create({ operator: hex("gina"), value: tokens("51") }),
      );
      await bad(
        id("fromContract"),
        "relayer",
        act("probe", create({ operator: hex("probe") })),
      );
      await bad(id("withValue"), "valB", create(), { value: 1n });
      await ok(id("ok.valB"), "valB", create(), { essential: true });
      await bad(id("operatorTwice"), "valB", create({ pubkey: PUBKEYS.spare }));
      await bad(id("pubkeyTwice"), "valC", create({ operator: hex("valC") }));
      await ok(
        id("ok.valC"),
        "valC",
        create({
          description: description("validator C"),
          commission: commission("0.05", "0.5", "0.05"),
          operator: hex("valC"),
          pubkey: PUBKEYS.valC,
        }),
        { essential: true },
      );
      await view(id("view.valB"), S("validator", hex("valB")));
      await view(id("view.valC"), S("validator", hex("valC")));
      await view(
        id("view.selfDelegation"),
        S("delegation", hex("valB"), val("valB")),
      );

      const edit = (o = {}) =>
        S(
          "editValidator",
          o.description ??
            description(KEEP, {
              identity: KEEP,
              website: KEEP,
              contact: KEEP,
              details: KEEP,
            }),
          o.operator ?? hex("valB"),
          o.rate ?? -1n,
          o.min ?? -1n,
        );
      const e = (s) => `staking.editValidator.${s}`;
      await ok(
        e("ok.description"),
        "valB",
        edit({
          description: description("validator B2", {
            identity: KEEP,
            website: "",
            contact: KEEP,
            details: "edited",
          }),
        }),
      );
      await view(e("view.description"), S("validator", hex("valB")));
      await ok(e("ok.minSelf"), "valB", edit({ min: tokens("2") }));
      await view(e("view.minSelf"), S("validator", hex("valB")));
      await bad(e("rateTooSoon"), "valB", edit({ rate: tokens("0.11") }));
      await refuse(e("rateOverMax"), "valB", edit({ rate: tokens("0.21") }));
      await refuse(e("rateNegative"), "valB", edit({ rate: -2n }));
      await refuse(e("minSelfLower"), "valB", edit({ min: T }));
      await refuse(e("minSelfOverSelf"), "valB", edit({ min: tokens("21") }));
      await ask(e("minSelfZero"), edit({ min: 0n }), { from: "valB" });
      await refuse(
        e("notValidator"),
        "alice",
        edit({ operator: hex("alice") }),
      );
      await bad(e("mismatch"), "alice", edit());
      await refuse(
        e("fromContract"),
        "relayer",
        act("probe", edit({ operator: hex("probe") })),
      );
    },

    // =============================================================================================================
    async delegate() {
      const id = (s) => `staking.delegate.${s}`;
      const d = (who, v, amount) => S("delegate", hex(who), v, amount);
      await ok(id("eoa.ok"), "alice", d("alice", val("valB"), tokens("5")), {
        essential: true,
      });
      await ok(id("eoa.second"), "alice", d("alice", val("valB"), tokens("2")));
      await ok(
        id("eoa.otherValidator"),
        "alice",
        d("alice", val("valC"), tokens("3")),
      );
      await ok(id("eoa.bob"), "bob", d("bob", val("valC"), tokens("8")));
      await refuse(id("noFunds"), "hank", d("hank", val("valC"), 1n)); // hank owns nothing yet
      await ok(
        id("contract.self"),
        "relayer",
        act("probe", d("probe", val("valB"), tokens("4"))),
      );
      await bad(
        id("contract.forAlice"),
        "alice",
        act("probe", d("alice", val("valB"), tokens("1"))),
      );
      await bad(
        id("eoa.mismatch"),
        "bob",
        d("alice", val("valB"), tokens("1")),
      );
      await bad(id("zero"), "alice", d("alice", val("valB"), 0n));
      await bad(
        id("overBalance.eoa"),
        "gina",
        d("gina", val("valB"), tokens("51")),
      );
      await refuse(
        id("overBalance.contract"),
        "relayer",
        act("probeB", d("probeB", val("valB"), tokens("20") + 1n)),
      );
      await refuse(
        id("maxUint"),
        "gina",
        d("gina", val("valB"), 2n ** 256n - 1n),
      );
      await bad(
        id("unknownValidator"),
        "alice",
        d("alice", val("erin"), tokens("1")),
      );
      await bad(
        id("malformed"),
        "alice",
        d("alice", "cosmosvaloper1nonsense", tokens("1")),
      );
      await refuse(id("emptyValidator"), "alice", d("alice", "", tokens("1")));
      await refuse(
        id("accPrefix"),
        "alice",
        d("alice", acc("valB"), tokens("1")),
      );
      await refuse(
        id("otherPrefix"),
        "alice",
        d("alice", ctx.bech32("osmovaloper", hex("valB")), tokens("1")),
      );
      await refuse(
        id("badChecksum"),
        "alice",
        d(
          "alice",
          val("valB").replace(/.$/, (c) => (c === "q" ? "p" : "q")),
          tokens("1"),
        ),
      );
      await refuse(
        id("hexValidator"),
        "alice",
        d("alice", hex("valB"), tokens("1")),
      );
      await ask(
        id("upperCase"),
        d("alice", val("valB").toUpperCase(), tokens("1")),
        { from: "alice" },
      );
      await bad(
        id("withValue"),
        "alice",
        d("alice", val("valB"), tokens("1")),
        { value: tokens("1") },
      );
      await refuse(
        id("zeroDelegator"),
        "alice",
        S("delegate", ZERO, val("valB"), tokens("1")),
      );

      const v = (s) => `staking.view.${s}`;
      await view(
        v("delegation.ok"),
        S("delegation", hex("alice"), val("valB")),
      );
      await view(
        v("delegation.contract"),
        S("delegation", hex("probe"), val("valB")),
      );
      await ask(
        v("delegation.none"),
        S("delegation", hex("erin"), val("valB")),
      );
      await ask(
        v("delegation.unknownValidator"),
        S("delegation", hex("alice"), val("erin")),
      );
      await ask(
        v("delegation.malformed"),
        S("delegation", hex("alice"), "nonsense"),
      );
      await ask(
        v("delegation.zeroDelegator"),
        S("delegation", ZERO, val("valB")),
      );
      await view(v("validator.valB"), S("validator", hex("valB")));
      await ask(v("validator.unknown"), S("validator", hex("alice")));
      await ask(v("validator.zero"), S("validator", ZERO));
      const vs = (status, o) => S("validators", status, page(o));
      await view(v("validators.all"), vs(""));
      await view(v("validators.bonded"), vs("BOND_STATUS_BONDED"));
      await view(v("validators.unbonded"), vs("BOND_STATUS_UNBONDED"));
      await view(v("validators.unbonding"), vs("BOND_STATUS_UNBONDING"));
      await refuse(v("validators.badStatus"), "relayer", vs("BONDED"));
      await ask(v("validators.unspecified"), vs("BOND_STATUS_UNSPECIFIED"));
      const first = await view(
        v("validators.page.limit1"),
        vs("", { limit: 1 }),
      );
      const k1 = first.value?.pageResponse?.nextKey ?? "0x";
      const second = await view(
        v("validators.page.key1"),
        vs("", { limit: 1, key: k1 }),
      );
      const k2 = second.value?.pageResponse?.nextKey ?? "0x";
      await view(v("validators.page.key2"), vs("", { limit: 1, key: k2 }));
      await ask(v("validators.page.keyLimit0"), vs("", { key: k1 }));
      await ask(
        v("validators.page.keyCountTotal"),
        vs("", { key: k1, limit: 1, countTotal: true }),
      );
      await view(
        v("validators.page.limit1Total"),
        vs("", { limit: 1, countTotal: true }),
      );
      await view(v("validators.page.offset1"), vs("", { offset: 1, limit: 1 }));
      await ask(
        v("validators.page.offset9"),
        vs("", { offset: 9, limit: 1, countTotal: true }),
      );
      await view(
        v("validators.page.reverse"),
        vs("", { limit: 2, reverse: true }),
      );
      await ask(
        v("validators.page.keyAndOffset"),
        vs("", { key: k1, offset: 1, limit: 1 }),
      );
      await ask(
        v("validators.page.zeroByteKey"),
        vs("", { key: "0x00", limit: 1 }),
      );
      await ask(
        v("validators.page.nonsenseKey"),
        vs("", { key: "0xffffffff", limit: 1 }),
      );
      await ask(
        v("validators.page.bondedLimit1"),
        vs("BOND_STATUS_BONDED", { limit: 1, countTotal: true }),
      );
      await view(
        v("inContract"),
        P(
          "probe",
          "viewCall",
          [hex("staking"), S("delegation", hex("alice"), val("valB")).data],
          S("delegation", hex("alice"), val("valB")),
        ),
      );
    },

    // ==================================================================================== window: unbonding period
    async undelegate() {
      const id = (s) => `staking.undelegate.${s}`;
      const u = (who, v, amount) => S("undelegate", hex(who), v, amount);
      const c = (s) => `staking.cancelUnbonding.${s}`;
      const cancel = (who, v, amount, height) =>
        S("cancelUnbondingDelegation", hex(who), v, amount, height);
      const r = (s) => `staking.redelegate.${s}`;
      const re = (who, src, dst, amount) =>
        S("redelegate", hex(who), src, dst, amount);

      // what needs no window
      await bad(
        id("tooMuch"),
        "alice",
        u("alice", val("valB"), tokens("7") + 1n),
      );
      await refuse(id("zero"), "alice", u("alice", val("valB"), 0n));
      await bad(id("noDelegation"), "erin", u("erin", val("valB"), T));
      await refuse(id("unknownValidator"), "alice", u("alice", val("erin"), T));
      await refuse(id("malformed"), "alice", u("alice", "nonsense", T));
      await bad(id("mismatch"), "bob", u("alice", val("valB"), T));
      await refuse(
        id("contract.forAlice"),
        "alice",
        act("probe", u("alice", val("valB"), T)),
      );
      await refuse(
        id("zeroDelegator"),
        "alice",
        S("undelegate", ZERO, val("valB"), T),
      );
      await refuse(c("none"), "erin", cancel("erin", val("valB"), T, 1n));
      await refuse(
        c("unknownValidator"),
        "alice",
        cancel("alice", val("erin"), T, 1n),
      );
      await refuse(
        r("zero"),
        "alice",
        re("alice", val("valB"), val("valC"), 0n),
      );
      await refuse(
        r("tooMuch"),
        "alice",
        re("alice", val("valB"), val("valC"), tokens("8")),
      );
      await bad(
        r("sameValidator"),
        "alice",
        re("alice", val("valB"), val("valB"), T),
      );
      await bad(
        r("unknownDst"),
        "alice",
        re("alice", val("valB"), val("erin"), T),
      );
      await refuse(
        r("unknownSrc"),
        "alice",
        re("alice", val("erin"), val("valB"), T),
      );
      await refuse(
        r("noDelegation"),
        "erin",
        re("erin", val("valB"), val("valC"), T),
      );
      await refuse(
        r("mismatch"),
        "bob",
        re("alice", val("valB"), val("valC"), T),
      );
      await refuse(
        r("malformedSrc"),
        "alice",
        re("alice", "nonsense", val("valC"), T),
      );
      await refuse(
        r("malformedDst"),
        "alice",
        re("alice", val("valB"), "nonsense", T),
      );

      const none = S("unbondingDelegation", hex("erin"), val("valB"));
      await ask("staking.view.unbonding.none", none);
      await ask(
        "staking.view.unbonding.unknownValidator",
        S("unbondingDelegation", hex("alice"), val("erin")),
      );
      await ask(
        "staking.view.unbonding.malformed",
        S("unbondingDelegation", hex("alice"), "nonsense"),
      );
      await ask(
        "staking.view.redelegation.none",
        S("redelegation", hex("alice"), val("valB"), val("valC")),
      );
      await ask(
        "staking.view.redelegation.malformed",
        S("redelegation", hex("alice"), "nonsense", val("valC")),
      );
      const rs = (del, src, dst, o) =>
        S("redelegations", del, src, dst, page(o));
      await ask(
        "staking.view.redelegations.noneExact",
        rs(hex("alice"), val("valB"), val("valC")),
      );
      await ask(
        "staking.view.redelegations.noneDelegator",
        rs(hex("alice"), "", ""),
      );
      await ask(
        "staking.view.redelegations.noneSrc",
        rs(ZERO, val("valB"), ""),
      );
      await refuse(
        "staking.view.redelegations.nothingGiven",
        "relayer",
        rs(ZERO, "", ""),
      );

      // --- the window opens
      const first = await ok(
        id("eoa.ok"),
        "alice",
        u("alice", val("valB"), tokens("1.5")),
      );
      const ev = event(first, "Unbond");
      if (ev && first.time)
        p.unbondingTime = Number(ev.completionTime) - first.time;
      const firstEnd = num(ev?.completionTime);
      const h = BigInt(first.block ?? 1);
      const mine = S("unbondingDelegation", hex("alice"), val("valB"));
      await view("staking.view.unbonding.one", mine);
      await bad(c("wrongHeight"), "alice", cancel("alice", val("valB"), T, 1n));
      await refuse(
        c("tooMuch"),
        "alice",
        cancel("alice", val("valB"), tokens("1.5") + 1n, h),
      );
      await refuse(c("zero"), "alice", cancel("alice", val("valB"), 0n, h));
      await refuse(
        c("zeroHeight"),
        "alice",
        cancel("alice", val("valB"), T, 0n),
      );
      await refuse(c("mismatch"), "bob", cancel("alice", val("valB"), T, h));
      await refuse(
        c("otherValidator"),
        "alice",
        cancel("alice", val("valC"), T, h),
      );
      await ok(
        c("partial"),
        "alice",
        cancel("alice", val("valB"), tokens("0.5"), h),
      );
      await view("staking.view.unbonding.afterPartial", mine);
      await ok(
        c("rest"),
        "alice",
        cancel("alice", val("valB"), tokens("1"), h),
      );
      await view("staking.view.unbonding.afterRest", mine);
      await refuse(
        c("again"),
        "alice",
        cancel("alice", val("valB"), tokens("1"), h),
      );
      await ok(id("eoa.again"), "alice", u("alice", val("valB"), tokens("1")));
      // two in one transaction: one entry
      await ok(
        id("contract.twiceInOneTx"),
        "relayer",
        twice(
          "probe",
          u("probe", val("valB"), tokens("0.5")),
          u("probe", val("valB"), tokens("0.25")),
        ),
      );
      await view(
        "staking.view.unbonding.contract",
        S("unbondingDelegation", hex("probe"), val("valB")),
      );
      await ok(
        id("contract.around"),
        "relayer",
        around("probe", u("probe", val("valB"), tokens("0.25"))),
      );
      // seven entries are allowed
      for (let i = 1; i <= 7; i++)
        await ok(
          id(`maxEntries.${i}`),
          "bob",
          u("bob", val("valC"), tokens("0.5")),
        );
      await bad(
        id("maxEntries.8"),
        "bob",
        u("bob", val("valC"), tokens("0.5")),
      );
      await view(
        "staking.view.unbonding.seven",
        S("unbondingDelegation", hex("bob"), val("valC")),
      );

      const moved = await ok(
        r("ok"),
        "alice",
        re("alice", val("valB"), val("valC"), tokens("2")),
      );
      await view(
        "staking.view.redelegation.one",
        S("redelegation", hex("alice"), val("valB"), val("valC")),
      );
      await ask(
        "staking.view.redelegation.reverse",
        S("redelegation", hex("alice"), val("valC"), val("valB")),
      );
      await bad(
        r("transitive"),
        "alice",
        re("alice", val("valC"), val("valA"), T),
      );
      await refuse(
        r("transitiveBack"),
        "alice",
        re("alice", val("valC"), val("valB"), T),
      );
      await ok(
        r("again"),
        "alice",
        re("alice", val("valB"), val("valC"), tokens("0.5")),
      );
      await view(
        "staking.view.redelegations.exact",
        rs(hex("alice"), val("valB"), val("valC")),
      );
      await view(
        "staking.view.redelegations.delegator",
        rs(hex("alice"), "", ""),
      );
      await view(
        "staking.view.redelegations.delegatorTotal",
        rs(hex("alice"), "", "", { limit: 1, countTotal: true }),
      );
      await ask("staking.view.redelegations.src", rs(ZERO, val("valB"), ""));
      await ask(
        "staking.view.redelegations.dstOnly",
        rs(ZERO, "", val("valC")),
      );
      await ask(
        "staking.view.redelegations.delegatorDst",
        rs(hex("alice"), "", val("valC")),
      );
      await view(
        "staking.view.delegation.afterMoves",
        S("delegation", hex("alice"), val("valC")),
      );
      await view(
        "staking.view.validator.afterMoves",
        S("validator", hex("valC")),
      );

      await ctx.window("staking.unbonding", firstEnd || null);
      const lastEnd = Math.max(
        num(event(moved, "Redelegate")?.completionTime),
        num(ctx.timeOf(r("again"))) + num(p.unbondingTime),
      );
      await ctx.advance(
        "staking.maturity.advance",
        { until: lastEnd, seconds: p.unbondingTime ?? 1 },
        { essential: true },
      );
      await ask("staking.maturity.unbonding.alice", mine);
      await ask(
        "staking.maturity.unbonding.bob",
        S("unbondingDelegation", hex("bob"), val("valC")),
      );
      await ask(
        "staking.maturity.redelegation",
        S("redelegation", hex("alice"), val("valB"), val("valC")),
      );
      await refuse(
        "staking.maturity.cancelTooLate",
        "alice",
        cancel("alice", val("valB"), T, h),
      );
      await view("staking.maturity.validators", S("validators", "", page()));
    },

    // =============================================================================================================
    async distribution() {
      const id = (s) => `distribution.${s}`;
      const rewards = (who, v = val("valB")) =>
        D("delegationRewards", hex(who), v);
      const withdraw = (who, v = val("valB")) =>
        D("withdrawDelegatorRewards", hex(who), v);
      const pool = (who, v, ...coins) =>
        D("depositValidatorRewardsPool", hex(who), v, coins);
      const fund = (who, ...coins) => D("fundCommunityPool", hex(who), coins);
      const setTo = (who, to) => D("setWithdrawAddress", hex(who), to);
      const claim = (who, n) => D("claimRewards", hex(who), n);
      let pools = 0;
      const reward = (v, amount) =>
        ok(
          id(`pool.more.${++pools}`),
          "bob",
          pool("bob", val(v), coin(amount)),
        );

      // nothing there yet
      await ask(id("rewards.zero"), rewards("alice"));
      await ask(id("rewards.noDelegation"), rewards("erin"));
      await ask(id("rewards.unknownValidator"), rewards("alice", val("erin")));
      await ask(id("rewards.malformed"), rewards("alice", "nonsense"));
      await ask(id("total.none"), D("delegationTotalRewards", hex("erin")));
      await ask(
        id("total.zeroRewards"),
        D("delegationTotalRewards", hex("alice")),
      );
      await ask(id("total.zeroAddress"), D("delegationTotalRewards", ZERO));
      await ask(id("commission.none"), D("validatorCommission", val("valB")));
      await ask(
        id("commission.unknown"),
        D("validatorCommission", val("erin")),
      );
      await ask(
        id("commission.malformed"),
        D("validatorCommission", "nonsense"),
      );
      await ask(
        id("outstanding.none"),
        D("validatorOutstandingRewards", val("valB")),
      );
      await ask(
        id("outstanding.unknown"),
        D("validatorOutstandingRewards", val("erin")),
      );
      await ask(id("info.zero"), D("validatorDistributionInfo", val("valB")));
      await ask(
        id("info.unknown"),
        D("validatorDistributionInfo", val("erin")),
      );
      await ask(
        id("delegatorValidators.none"),
        D("delegatorValidators", hex("erin")),
      );
      await view(
        id("delegatorValidators.alice"),
        D("delegatorValidators", hex("alice")),
      );
      await ask(
        id("delegatorValidators.zeroAddress"),
        D("delegatorValidators", ZERO),
      );
      await view(
        id("withdrawAddress.default"),
        D("delegatorWithdrawAddress", hex("alice")),
      );
      await ask(
        id("withdrawAddress.zeroAddress"),
        D("delegatorWithdrawAddress", ZERO),
      );
      await ask(id("communityPool.empty"), D("communityPool"));
      await tx(id("withdraw.nothingAccrued"), "alice", withdraw("alice"));
      await tx(id("claim.nothingAccrued"), "alice", claim("alice", 10));

      // depositValidatorRewardsPool: the deterministic source of rewards
      await ok(
        id("pool.ok"),
        "bob",
        pool("bob", val("valB"), coin(tokens("7") + 3n)),
      );
      await refuse(id("pool.zero"), "bob", pool("bob", val("valB"), coin(0n)));
      await ask(id("pool.noCoins"), pool("bob", val("valB")), { from: "bob" });
      await refuse(
        id("pool.otherDenom"),
        "bob",
        pool("bob", val("valB"), coin(1n, "uother")),
      );
      await refuse(
        id("pool.duplicate"),
        "bob",
        pool("bob", val("valB"), coin(1n), coin(2n)),
      );
      await refuse(
        id("pool.badDenom"),
        "bob",
        pool("bob", val("valB"), coin(1n, "!")),
      );
      await refuse(
        id("pool.unknownValidator"),
        "bob",
        pool("bob", val("erin"), coin(1n)),
      );
      await refuse(
        id("pool.malformed"),
        "bob",
        pool("bob", "nonsense", coin(1n)),
      );
      await refuse(
        id("pool.overBalance"),
        "gina",
        pool("gina", val("valB"), coin(tokens("51"))),
      );
      await bad(
        id("pool.mismatch"),
        "alice",
        pool("bob", val("valB"), coin(1n)),
      );
      await ok(
        id("pool.contract"),
        "relayer",
        around("probe", pool("probe", val("valC"), coin(T))),
      );
      for (const n of ["alice", "probe", "valB"])
        await view(id(`rewards.after.${n}`), rewards(n));
      await view(id("rewards.after.bobValC"), rewards("bob", val("valC")));
      await view(id("total.alice"), D("delegationTotalRewards", hex("alice")));
      await view(id("total.probe"), D("delegationTotalRewards", hex("probe")));
      await view(id("commission.valB"), D("validatorCommission", val("valB")));
      await view(
        id("outstanding.valB"),
        D("validatorOutstandingRewards", val("valB")),
      );
      await view(id("info.valB"), D("validatorDistributionInfo", val("valB")));

      // withdrawDelegatorRewards
      await ok(id("withdraw.ok"), "alice", withdraw("alice"));
      await tx(id("withdraw.again"), "alice", withdraw("alice"));
      await ask(id("rewards.afterWithdraw"), rewards("alice"));
      await view(
        id("outstanding.afterWithdraw"),
        D("validatorOutstandingRewards", val("valB")),
      );
      await ok(
        id("withdraw.contract"),
        "relayer",
        around("probe", withdraw("probe")),
      );
      await bad(id("withdraw.mismatch"), "bob", withdraw("alice"));
      await refuse(
        id("withdraw.contractForAlice"),
        "alice",
        act("probe", withdraw("alice")),
      );
      await bad(id("withdraw.noDelegation"), "erin", withdraw("erin"));
      await refuse(
        id("withdraw.unknownValidator"),
        "alice",
        withdraw("alice", val("erin")),
      );
      await refuse(
        id("withdraw.malformed"),
        "alice",
        withdraw("alice", "nonsense"),
      );
      await refuse(
        id("withdraw.zeroDelegator"),
        "alice",
        D("withdrawDelegatorRewards", ZERO, val("valB")),
      );

      // setWithdrawAddress
      const s = (x) => id(`setWithdrawAddress.${x}`);
      await ok(s("bech32"), "alice", setTo("alice", acc("carol")));
      await view(s("view.bech32"), D("delegatorWithdrawAddress", hex("alice")));
      await ok(s("hex"), "alice", setTo("alice", hex("erin")));
      await view(s("view.hex"), D("delegatorWithdrawAddress", hex("alice")));
      await bad(s("module"), "alice", setTo("alice", acc("module:gov")));
      await refuse(
        s("moduleDistribution"),
        "alice",
        setTo("alice", acc("module:distribution")),
      );
      await ask(s("precompile"), setTo("alice", hex("staking")), {
        from: "alice",
      });
      await bad(s("mismatch"), "bob", setTo("alice", acc("bob")));
      await refuse(s("malformed"), "alice", setTo("alice", "nonsense"));
      await refuse(s("empty"), "alice", setTo("alice", ""));
      await ask(s("valoper"), setTo("alice", val("carol")), { from: "alice" });
      await ask(s("hexLower"), setTo("alice", hex("erin").toLowerCase()), {
        from: "alice",
      });
      await ask(s("hexBare"), setTo("alice", hex("erin").slice(2)), {
        from: "alice",
      });
      await ask(s("zeroAddress"), setTo("alice", ZERO), { from: "alice" });
      await ok(s("carol"), "alice", setTo("alice", acc("carol")));
      await ok(
        s("contract"),
        "relayer",
        act("probe", setTo("probe", acc("frank"))),
      );
      await view(
        s("view.contract"),
        D("delegatorWithdrawAddress", hex("probe")),
      );

      // payout to the withdraw address
      await reward("valB", tokens("5"));
      await ok(id("payout.eoa"), "alice", withdraw("alice"));
      await ok(
        id("payout.contract"),
        "relayer",
        around("probe", withdraw("probe")),
      );

      // claimRewards
      await reward("valB", tokens("3"));
      await reward("valC", tokens("3") + 7n);
      await ok(id("claim.max0"), "alice", claim("alice", 0));
      await ok(id("claim.max1"), "alice", claim("alice", 1));
      await view(
        id("claim.viewAfterMax1"),
        D("delegationTotalRewards", hex("alice")),
      );
      await ok(id("claim.max10"), "alice", claim("alice", 10));
      await bad(id("claim.max1000"), "alice", claim("alice", 1000));
      await refuse(id("claim.max1000Mismatch"), "bob", claim("alice", 1000));
      await bad(id("claim.mismatch"), "bob", claim("alice", 10));
      await ok(id("claim.noDelegations"), "erin", claim("erin", 10));
      await ok(
        id("claim.contract"),
        "relayer",
        around("probe", claim("probe", 10)),
      );
      await refuse(
        id("claim.zeroDelegator"),
        "alice",
        D("claimRewards", ZERO, 10),
      );

      // withdrawValidatorCommission
      const wc = (v) => D("withdrawValidatorCommission", v);
      await view(
        id("commission.beforeWithdraw"),
        D("validatorCommission", val("valB")),
      );
      await ok(id("commission.ok"), "valB", wc(val("valB")));
      await bad(id("commission.again"), "valB", wc(val("valB")));
      await bad(id("commission.notOwn"), "alice", wc(val("valB")));
      await refuse(id("commission.notValidator"), "alice", wc(val("alice")));
      await refuse(id("commission.accPrefix"), "valB", wc(acc("valB")));
      await refuse(id("commission.badString"), "valB", wc("nonsense"));
      await ask(
        id("commission.afterWithdraw"),
        D("validatorCommission", val("valB")),
      );

      // fundCommunityPool
      await ok(id("fund.ok"), "bob", fund("bob", coin(tokens("3"))));
      await view(id("communityPool.after"), D("communityPool"));
      await ok(
        id("fund.contract"),
        "relayer",
        around("probe", fund("probe", coin(T))),
      );
      await bad(id("fund.otherDenom"), "bob", fund("bob", coin(1n, "uother")));
      await bad(id("fund.zero"), "bob", fund("bob", coin(0n)));
      await ask(id("fund.noCoins"), fund("bob"), { from: "bob" });
      await refuse(
        id("fund.unsorted"),
        "bob",
        fund("bob", coin(1n, "zzz"), coin(1n)),
      );
      await refuse(
        id("fund.duplicate"),
        "bob",
        fund("bob", coin(1n), coin(2n)),
      );
      await refuse(id("fund.emptyDenom"), "bob", fund("bob", coin(1n, "")));
      await bad(id("fund.mismatch"), "alice", fund("bob", coin(1n)));
      await refuse(
        id("fund.overBalance"),
        "gina",
        fund("gina", coin(tokens("51"))),
      );
      await refuse(
        id("fund.zeroDepositor"),
        "bob",
        D("fundCommunityPool", ZERO, [coin(1n)]),
      );

      // validatorSlashes
      const sl = (v, a, b, o) => D("validatorSlashes", v, a, b, page(o));
      await ask(id("slashes.none"), sl(val("valB"), 1, 1_000_000));
      await ask(
        id("slashes.countTotal"),
        sl(val("valB"), 1, 1_000_000, { limit: 5, countTotal: true }),
      );
      await ask(id("slashes.reversedRange"), sl(val("valB"), 10, 1));
      await ask(id("slashes.unknownValidator"), sl(val("erin"), 1, 1_000_000));
      await ask(id("slashes.malformed"), sl("nonsense", 1, 1_000_000));

      // --- window: implicit payouts, without a log of the distribution precompile
      const m = (x) => id(`implicit.${x}`);
      await reward("valB", tokens("3") + 1n);
      await reward("valC", tokens("2"));
      await ok(
        m("delegate"),
        "alice",
        S("delegate", hex("alice"), val("valB"), T),
      );
      await reward("valB", tokens("1"));
      await ok(
        m("delegateContract"),
        "relayer",
        around(
          "probe",
          S("delegate", hex("probe"), val("valB"), tokens("0.5")),
        ),
      );
      await reward("valB", tokens("4"));
      const un = await ok(
        m("undelegate"),
        "alice",
        S("undelegate", hex("alice"), val("valB"), tokens("0.5")),
      );
      await reward("valB", tokens("2"));
      const mv = await ok(
        m("redelegate"),
        "alice",
        S("redelegate", hex("alice"), val("valB"), val("valC"), tokens("0.25")),
      );
      await reward("valB", tokens("1"));
      await ok(
        m("cancel"),
        "alice",
        S(
          "cancelUnbondingDelegation",
          hex("alice"),
          val("valB"),
          tokens("0.25"),
          BigInt(un.block ?? 1),
        ),
      );
      await view(m("total"), D("delegationTotalRewards", hex("alice")));
      await view(
        m("delegation.valB"),
        S("delegation", hex("alice"), val("valB")),
      );
      await view(
        m("delegation.valC"),
        S("delegation", hex("alice"), val("valC")),
      );
      await view(
        m("outstanding"),
        D("validatorOutstandingRewards", val("valB")),
      );
      await ctx.window(
        "distribution.unbonding",
        num(event(un, "Unbond")?.completionTime) || null,
      );
      await ctx.advance(m("advance"), {
        until: num(event(mv, "Redelegate")?.completionTime),
        seconds: p.unbondingTime ?? 1,
      });
    },

    // =============================================================================================================
    async calls() {
      const txs = {
        staking: S("delegate", hex("probe"), val("valB"), tokens("0.01")),
        distribution: D("setWithdrawAddress", hex("probe"), acc("frank")),
        gov: G("vote", hex("probe"), 999, 1, ""),
      };
      const views = {
        staking: S("delegation", hex("alice"), val("valB")),
        distribution: D("delegatorWithdrawAddress", hex("alice")),
        gov: G("getConstitution"),
      };
      const kinds = ["call", "staticcall", "delegatecall", "callcode"];
      for (const n of Object.keys(txs)) {
        for (const k of [0, 1, 2, 3]) {
          await ok(
            `calls.kind.${n}.tx.${kinds[k]}`,
            "relayer",
            kind("probe", k, txs[n]),
          );
          await view(
            `calls.kind.${n}.view.${kinds[k]}`,
            kind("probe", k, views[n]),
          );
        }
        await view(
          `calls.nestedStatic.${n}.tx`,
          P("probe", "nestedStatic", [hex(n), txs[n].data], txs[n]),
        );
        await view(
          `calls.nestedStatic.${n}.view`,
          P("probe", "nestedStatic", [hex(n), views[n].data], views[n]),
        );
        await ok(`calls.viewInTx.${n}`, "alice", views[n]);
        await bad(`calls.valueOnView.${n}`, "alice", views[n], { value: 1n });
        await ok(
          `calls.actWithValue.${n}.tx`,
          "relayer",
          P("probe", "actWithValue", [hex(n), txs[n].data, 1n], txs[n]),
        );
        await ok(
          `calls.actWithValue.${n}.view`,
          "relayer",
          P("probe", "actWithValue", [hex(n), views[n].data, 1n], views[n]),
        );
        await bad(
          `calls.plainTransfer.${n}`,
          "alice",
          ctx.raw(n, "0x", "plain transfer"),
          { value: 1n },
        );
      }

      // calldata that is no call of a method
      const full = {
        staking: txs.staking.data,
        distribution: txs.distribution.data,
        gov: txs.gov.data,
        bech32: B("hexToBech32", hex("alice"), ctx.prefix).data,
      };
      for (const n of ["staking", "distribution", "gov", "bech32"]) {
        const c = (x) => `calls.raw.${n}.${x}`;
        await ask(
          c("unknownSelector"),
          ctx.raw(n, "0x12345678", "unknown selector"),
          { from: "alice" },
        );
        await ask(c("empty"), ctx.raw(n, "0x", "no calldata"), {
          from: "alice",
        });
        await ask(c("threeBytes"), ctx.raw(n, full[n].slice(0, 8), "3 bytes"), {
          from: "alice",
        });
        await ask(
          c("selectorOnly"),
          ctx.raw(n, full[n].slice(0, 10), "selector only"),
          { from: "alice" },
        );
        await ask(
          c("truncated"),
          ctx.raw(n, full[n].slice(0, 10 + 64 * 2), "two words of arguments"),
          { from: "alice" },
        );
        await view(
          c("inContract.empty"),
          kind("probe", 0, ctx.raw(n, "0x", "no calldata")),
        );
      }
      const del = (who) =>
        S("delegate", hex(who), val("valB"), tokens("0.01")).data;
      await ask(
        "calls.raw.trailingBytes",
        ctx.raw("staking", del("alice") + "ff".repeat(32), "trailing word"),
        { from: "alice" },
      );
      await ask(
        "calls.raw.dirtyAddress",
        ctx.raw(
          "staking",
          S("validator", hex("valB")).data.slice(0, 10) +
            words(`0x01${hex("valB").slice(2).padStart(62, "0")}`),
          "bits above the address",
        ),
      );
      await ask(
        "calls.raw.badOffset",
        ctx.raw(
          "staking",
          S("delegation", hex("alice"), "").data.slice(0, 10) +
            words(hex("alice"), "0xffff"),
          "string offset outside",
        ),
      );
      await ask(
        "calls.raw.hugeLength",
        ctx.raw(
          "staking",
          S("delegation", hex("alice"), "").data.slice(0, 10) +
            words(hex("alice"), "0x40", "0xffffffffffffffff"),
          "string length far outside",
        ),
      );
      await ask(
        "calls.raw.dirtyBool",
        ctx.raw(
          "staking",
          S("validators", "", page()).data.replace(
            /(.{10}(?:.{64}){6}).{64}/,
            (_, a) => a + words("0x02"),
          ),
          "a bool that is 2",
        ),
      );
      await bad(
        "calls.raw.tx.unknownSelector",
        "alice",
        ctx.raw("staking", "0x12345678", "unknown selector"),
      );
      await bad(
        "calls.raw.tx.empty",
        "alice",
        ctx.raw("staking", "0x", "no calldata"),
      );

      // how many calls one transaction may make
      const val1 = S("validator", hex("valB"));
      for (const n of [19, 20, 21, 25])
        await ok(`calls.many.view.${n}`, "relayer", many("probe", val1, n));
      await view(
        "calls.many.distribution.21",
        many("probe", views.distribution, 21),
      );
      await view("calls.many.gov.21", many("probe", views.gov, 21));
      const foreign = S("delegate", hex("alice"), val("valB"), 1n);
      await ok(
        "calls.many.reverting.20",
        "relayer",
        many("probe", foreign, 20),
      );
      await ok(
        "calls.many.reverting.21",
        "relayer",
        many("probe", foreign, 21),
      );
      await view(
        "calls.many.bech32.25",
        many("probe", B("hexToBech32", hex("alice"), ctx.prefix), 25),
      );
      const b32 = B("hexToBech32", hex("alice"), ctx.prefix);
      await view(
        "calls.many.mixed.20plus5bech32",
        multi("probe", [
          ...Array(10).fill(val1),
          ...Array(5).fill(b32),
          ...Array(10).fill(views.distribution),
        ]),
      );
      await ok(
        "calls.many.mixed.21",
        "relayer",
        multi("probe", [
          ...Array(10).fill(val1),
          ...Array(10).fill(views.distribution),
          views.gov,
        ]),
      );
      await ok(
        "calls.many.delegate.21",
        "relayer",
        many(
          "probe",
          S("delegate", hex("probe"), val("valB"), tokens("0.001")),
          21,
        ),
      );
      await view(
        "calls.many.delegation",
        S("delegation", hex("probe"), val("valB")),
      );
    },

    // =============================================================================================================
    async native() {
      const d = (who, amount) => S("delegate", hex(who), val("valB"), amount);
      const rewards = (who) =>
        D("withdrawDelegatorRewards", hex(who), val("valB"));
      let pools = 0;
      const reward = (amount) =>
        ok(
          `native.pool.${++pools}`,
          "bob",
          D("depositValidatorRewardsPool", hex("bob"), val("valB"), [
            coin(amount),
          ]),
        );

      await ok(
        "native.around.delegate",
        "relayer",
        around("probeB", d("probeB", T)),
      );
      await ok(
        "native.around.view",
        "relayer",
        around("probeB", S("delegation", hex("probeB"), val("valB"))),
      );
      await ok(
        "native.around.revert",
        "relayer",
        around("probeB", d("probeB", tokens("1000"))),
      );
      await reward(tokens("2"));
      // the reward is credited in the same frame, and receive() does not run
      await ok(
        "native.around.delegateWithReward",
        "relayer",
        around("probeB", d("probeB", T)),
      );
      await reward(tokens("2"));
      await ok(
        "native.around.withdraw",
        "relayer",
        around("probeB", rewards("probeB")),
      );
      await ok(
        "native.twice.delegateThenView",
        "relayer",
        twice(
          "probeB",
          d("probeB", T),
          S("delegation", hex("probeB"), val("valB")),
        ),
      );

      await ok(
        "native.tryRevert.delegate",
        "relayer",
        P("probeB", "tryActThenRevert", [
          hex("staking"),
          d("probeB", tokens("2")).data,
        ]),
      );
      await reward(tokens("2"));
      await ok(
        "native.tryRevert.withdraw",
        "relayer",
        P("probeB", "tryActThenRevert", [
          hex("distribution"),
          rewards("probeB").data,
        ]),
      );
      await bad(
        "native.actThenRevert",
        "relayer",
        P("probeB", "actThenRevert", [
          hex("staking"),
          d("probeB", tokens("2")).data,
        ]),
      );
      await view(
        "native.tryRevert.viewDelegation",
        S("delegation", hex("probeB"), val("valB")),
      );
      await view(
        "native.tryRevert.viewRewards",
        D("delegationRewards", hex("probeB"), val("valB")),
      );

      // probeC owns exactly 10 tokens
      await ok(
        "native.twice.overspend",
        "relayer",
        twice("probeC", d("probeC", tokens("6")), d("probeC", tokens("6"))),
      );
      await bad(
        "native.sendAfter.all",
        "relayer",
        P(
          "probeC",
          "actThenSend",
          [hex("staking"), d("probeC", tokens("4")).data, hex("hank"), 1n],
          d("probeC", tokens("4")),
        ),
      );
      await ok(
        "native.sendAfter.part",
        "relayer",
        P(
          "probeC",
          "actThenSend",
          [hex("staking"), d("probeC", tokens("3")).data, hex("hank"), T],
          d("probeC", tokens("3")),
        ),
      );
      await ok(
        "native.around.nothingLeft",
        "relayer",
        around("probeC", d("probeC", 1n)),
      );
      // money that arrives with the transaction can be staked in it
      await ok(
        "native.freshValue",
        "relayer",
        P(
          "probeC",
          "actWithValue",
          [hex("staking"), d("probeC", T).data, 0n],
          d("probeC", T),
        ),
        { value: T },
      );
      await view(
        "native.viewDelegation.probeC",
        S("delegation", hex("probeC"), val("valB")),
      );
      // hank owns exactly 1 token: all of it
      await ok("native.eoa.everything", "hank", d("hank", T));
      await bad("native.eoa.oneMore", "hank", d("hank", 1n));

      const ctor = async (name, value, amount) => {
        let inner;
        await ctx.deploy(
          `native.constructor.${name}`,
          name,
          "ProbeInConstructor",
          (self) => {
            inner = S("delegate", self, val("valB"), amount);
            return [hex("staking"), inner.data];
          },
          { value, essential: false, expect: "ok" },
        );
        await view(
          `native.constructor.${name}.result`,
          P(name, "result", [], inner),
        );
        await view(
          `native.constructor.${name}.delegation`,
          S("delegation", hex(name), val("valB")),
        );
      };
      await ctor("ctorOk", tokens("3"), tokens("2"));
      await ctor("ctorOverspend", tokens("1"), tokens("2"));
    },

    // ====================================================================== windows: deposit period, voting period
    async gov() {
      const id = (s) => `gov.${s}`;
      const govAcc = acc("module:gov");
      const msgSend = (o = {}) => ({
        "@type": "/cosmos.bank.v1beta1.MsgSend",
        from_address: o.from ?? govAcc,
        to_address: acc("erin"),
        amount: [{ denom, amount: (o.amount ?? tokens("1000000")).toString() }], // more than the module can ever own
      });
      const json = (o = {}) => ({
        messages: [msgSend()],
        metadata: "ipfs://CID",
        title: "title",
        summary: "summary",
        expedited: false,
        ...o,
      });
      const text = (title) =>
        json({ messages: [], title, summary: `summary of ${title}` });
      const bytes = (x) =>
        "0x" +
        Buffer.from(
          typeof x === "string" ? x : JSON.stringify(x),
          "utf8",
        ).toString("hex");
      const min = w.minDeposit;
      const half = min - min / 2n;
      const submit = (who, body, ...coins) =>
        G("submitProposal", hex(who), bytes(body), coins);
      const deposit = (who, n, ...coins) => G("deposit", hex(who), n, coins);
      const vote = (who, n, option, metadata = "") =>
        G("vote", hex(who), n, option, metadata);
      const weighted = (who, n, options, metadata = "") =>
        G("voteWeighted", hex(who), n, options, metadata);
      const cancel = (who, n) => G("cancelProposal", hex(who), n);
      const proposal = (n) => G("getProposal", n);
      const open = async (step, from, spec, o) => {
        const r = await ok(step, from, spec, o);
        const got = event(r, "SubmitProposal")?.proposalId;
        const n = got === undefined ? w.nextProposal : BigInt(got);
        if (got !== undefined) w.nextProposal = n + 1n;
        return n;
      };

      await view(id("getParams.ok"), G("getParams"));
      await view(id("getConstitution.ok"), G("getConstitution"));
      await refuse(id("getProposal.missing"), "relayer", proposal(999));
      await refuse(id("getProposal.zero"), "relayer", proposal(0));
      await ask(
        id("getProposals.none"),
        G("getProposals", 0, ZERO, ZERO, page()),
      );
      await refuse(
        id("getVote.missingProposal"),
        "relayer",
        G("getVote", 999, hex("alice")),
      );
      await ask(id("getVotes.missingProposal"), G("getVotes", 999, page()));
      await ask(
        id("getDeposit.missingProposal"),
        G("getDeposit", 999, hex("alice")),
      );
      await ask(
        id("getDeposits.missingProposal"),
        G("getDeposits", 999, page()),
      );
      await ask(id("getTallyResult.missingProposal"), G("getTallyResult", 999));

      // submitProposal: refused
      const s = (x) => id(`submit.${x}`);
      const no = (x, body, ...coins) =>
        refuse(
          s(x),
          "alice",
          submit("alice", body, ...(coins.length ? coins : [coin(half)])),
        );
      await bad(
        s("badJson"),
        "alice",
        submit("alice", "{not json", coin(half)),
      );
      await no("emptyJson", "");
      await no("emptyObject", "{}");
      await no("jsonArray", "[]");
      await no(
        "unknownType",
        json({ messages: [{ "@type": "/cosmos.nothing.v1.MsgNothing" }] }),
      );
      await no("noType", json({ messages: [{ from_address: govAcc }] }));
      await no(
        "unknownField",
        json({ messages: [{ ...msgSend(), surprise: 1 }] }),
      );
      await bad(
        s("wrongSigner"),
        "alice",
        submit(
          "alice",
          json({ messages: [msgSend({ from: acc("alice") })] }),
          coin(half),
        ),
      );
      await no(
        "badAddress",
        json({ messages: [{ ...msgSend(), from_address: "nonsense" }] }),
      );
      await no("noTitle", json({ title: "" }));
      await no("noSummary", json({ summary: "" }));
      await no("noMessagesNoMetadata", json({ messages: [], metadata: "" }));
      await no("longMetadata", json({ metadata: "m".repeat(256) }));
      await ask(
        s("longTitle"),
        submit("alice", json({ title: "t".repeat(256) }), coin(half)),
        { from: "alice" },
      );
      await bad(
        s("otherDenom"),
        "alice",
        submit("alice", json(), coin(half, "uother")),
      );
      await bad(s("tooSmall"), "alice", submit("alice", json(), coin(1n)));
      await no("zeroDeposit", json(), coin(0n));
      await ask(s("noDeposit"), submit("alice", json()), { from: "alice" });
      await no("duplicateCoins", json(), coin(half), coin(half));
      await bad(s("mismatch"), "bob", submit("alice", json(), coin(half)));
      await refuse(
        s("overBalance"),
        "gina",
        submit("gina", json(), coin(min + tokens("51"))),
      );
      await refuse(
        s("zeroProposer"),
        "alice",
        G("submitProposal", ZERO, bytes(json()), [coin(half)]),
      );
      await ask(
        s("unknownEnvelopeField"),
        submit("alice", json({ surprise: 1 }), coin(half)),
        { from: "alice" },
      );
      await ask(
        s("metadataOtherTitle"),
        submit(
          "alice",
          json({
            metadata: JSON.stringify({ title: "other", summary: "summary" }),
          }),
          coin(half),
        ),
        { from: "alice" },
      );

      // P1: in the deposit period
      const P1 = await open(
        s("ok.P1"),
        "alice",
        submit("alice", json(), coin(half)),
      );
      await view(id("P1.deposit.getProposal"), proposal(P1));
      await ask(id("P1.deposit.getTally"), G("getTallyResult", P1));
      await view(id("P1.deposit.getDeposits"), G("getDeposits", P1, page()));
      await bad(id("vote.beforeVoting"), "alice", vote("alice", P1, 1));
      await refuse(
        id("voteWeighted.beforeVoting"),
        "alice",
        weighted("alice", P1, [[1, "1.0"]]),
      );
      const d = (x) => id(`deposit.${x}`);
      await bad(
        d("otherDenom"),
        "bob",
        deposit("bob", P1, coin(half, "uother")),
      );
      await refuse(d("zero"), "bob", deposit("bob", P1, coin(0n)));
      await ask(d("noCoins"), deposit("bob", P1), { from: "bob" });
      await refuse(d("tooSmall"), "bob", deposit("bob", P1, coin(1n)));
      await bad(d("unknownProposal"), "bob", deposit("bob", 999, coin(half)));
      await bad(d("mismatch"), "bob", deposit("alice", P1, coin(half)));
      await refuse(
        d("overBalance"),
        "gina",
        deposit("gina", P1, coin(min + tokens("51"))),
      );
      await refuse(
        d("zeroDepositor"),
        "bob",
        G("deposit", ZERO, P1, [coin(half)]),
      );
      const cp = (x) => id(`cancel.${x}`);
      await refuse(cp("unknownProposal"), "alice", cancel("alice", 999));
      await bad(cp("notProposer"), "bob", cancel("bob", P1));
      await refuse(cp("mismatch"), "bob", cancel("alice", P1));

      // --- its voting period opens with the deposit that reaches the minimum
      await ok(d("reachesMinimum"), "bob", deposit("bob", P1, coin(half)));
      const p1 = await view(id("P1.voting.getProposal"), proposal(P1));
      const p1End = num(p1.value?.proposal?.votingEndTime);
      await ok(
        d("duringVoting"),
        "carol",
        deposit("carol", P1, coin(min / 4n)),
      );
      await ok(d("again"), "carol", deposit("carol", P1, coin(min / 4n)));

      const v = (x) => id(`vote.${x}`);
      await ok(v("yes"), "alice", vote("alice", P1, 1));
      await ok(v("dave"), "dave", vote("dave", P1, 1, "with metadata"));
      await ok(v("noStake"), "erin", vote("erin", P1, 2));
      await ok(v("contract"), "relayer", act("probe", vote("probe", P1, 4)));
      const vw = (x) => id(`voteWeighted.${x}`);
      await ok(
        vw("ok"),
        "bob",
        weighted(
          "bob",
          P1,
          [
            [1, "0.6"],
            [3, "0.4"],
          ],
          "split",
        ),
      );
      await view(id("getVote.alice"), G("getVote", P1, hex("alice")));
      await view(id("getVote.dave"), G("getVote", P1, hex("dave")));
      await view(id("getVote.bob"), G("getVote", P1, hex("bob")));
      await ok(v("changed"), "alice", vote("alice", P1, 3));
      await view(id("getVote.aliceChanged"), G("getVote", P1, hex("alice")));
      await bad(v("invalidOption"), "alice", vote("alice", P1, 5));
      await refuse(v("optionZero"), "alice", vote("alice", P1, 0));
      await refuse(v("unknownProposal"), "alice", vote("alice", 999, 1));
      await refuse(v("proposalZero"), "alice", vote("alice", 0, 1));
      await bad(v("mismatch"), "bob", vote("alice", P1, 1));
      await refuse(
        v("contractForAlice"),
        "alice",
        act("probe", vote("alice", P1, 1)),
      );
      await refuse(v("zeroVoter"), "alice", G("vote", ZERO, P1, 1, ""));
      await refuse(
        v("longMetadata"),
        "alice",
        vote("alice", P1, 1, "m".repeat(256)),
      );
      await bad(
        vw("sumBelow1"),
        "bob",
        weighted("bob", P1, [
          [1, "0.5"],
          [3, "0.4"],
        ]),
      );
      await refuse(
        vw("sumAbove1"),
        "bob",
        weighted("bob", P1, [
          [1, "0.7"],
          [3, "0.4"],
        ]),
      );
      await refuse(
        vw("duplicate"),
        "bob",
        weighted("bob", P1, [
          [1, "0.5"],
          [1, "0.5"],
        ]),
      );
      await refuse(vw("notANumber"), "bob", weighted("bob", P1, [[1, "abc"]]));
      await refuse(
        vw("zeroWeight"),
        "bob",
        weighted("bob", P1, [
          [1, "0"],
          [3, "1"],
        ]),
      );
      await refuse(
        vw("negativeWeight"),
        "bob",
        weighted("bob", P1, [
          [1, "-1"],
          [3, "2"],
        ]),
      );
      await refuse(vw("invalidOption"), "bob", weighted("bob", P1, [[9, "1"]]));
      await refuse(vw("noOptions"), "bob", weighted("bob", P1, []));
      await refuse(vw("mismatch"), "bob", weighted("alice", P1, [[1, "1"]]));
      await view(id("getVote.bobUnchanged"), G("getVote", P1, hex("bob")));
      await refuse(
        id("getVote.notVoted"),
        "relayer",
        G("getVote", P1, hex("frank")),
      );
      await view(id("getVotes.all"), G("getVotes", P1, page()));
      const vp = await view(
        id("getVotes.limit2"),
        G("getVotes", P1, page({ limit: 2, countTotal: true })),
      );
      await view(
        id("getVotes.next"),
        G(
          "getVotes",
          P1,
          page({ limit: 2, key: vp.value?.pageResponse?.nextKey ?? "0x" }),
        ),
      );
      await view(
        id("getVotes.reverse"),
        G("getVotes", P1, page({ limit: 2, reverse: true })),
      );
      await view(id("getDeposits.all"), G("getDeposits", P1, page()));
      const dp = await view(
        id("getDeposits.limit1"),
        G("getDeposits", P1, page({ limit: 1, countTotal: true })),
      );
      await view(
        id("getDeposits.next"),
        G(
          "getDeposits",
          P1,
          page({ limit: 1, key: dp.value?.pageResponse?.nextKey ?? "0x" }),
        ),
      );
      await view(id("getDeposit.bob"), G("getDeposit", P1, hex("bob")));
      await view(
        id("getDeposit.carolTwice"),
        G("getDeposit", P1, hex("carol")),
      );
      await refuse(
        id("getDeposit.none"),
        "relayer",
        G("getDeposit", P1, hex("frank")),
      );
      await view(id("getTallyResult.voting"), G("getTallyResult", P1));
      await ctx.estimate("estimate.gov.vote", vote("frank", P1, 2), {
        from: "frank",
      });
      await ctx.estimate(
        "estimate.gov.deposit",
        deposit("frank", P1, coin(min / 10n)),
        { from: "frank", exact: false },
      );
      await ctx.window("gov.voting.P1", p1End || null);

      // cancelProposal
      const P2 = await open(
        s("ok.P2"),
        "bob",
        submit("bob", text("to be cancelled"), coin(half)),
      );
      await bad(cp("other"), "alice", cancel("alice", P2));
      await ok(cp("own"), "bob", cancel("bob", P2));
      await bad(cp("twice"), "bob", cancel("bob", P2));
      await refuse(cp("getProposal"), "relayer", proposal(P2));
      await ask(cp("getDeposits"), G("getDeposits", P2, page()));
      const P3 = await open(
        s("ok.P3"),
        "bob",
        submit("bob", text("cancelled while voting"), coin(min)),
      );
      await ok(
        cp("voting.deposit"),
        "carol",
        deposit("carol", P3, coin(min / 3n + 1n)),
      );
      await ok(cp("voting.vote"), "alice", vote("alice", P3, 1));
      await ok(cp("voting.own"), "bob", cancel("bob", P3));
      await ask(cp("voting.getVotes"), G("getVotes", P3, page()));
      const P4 = await open(
        s("contract.P4"),
        "relayer",
        around("probe", submit("probe", text("of a contract"), coin(half))),
      );
      await ok(cp("contract"), "relayer", around("probe", cancel("probe", P4)));

      // expedited: needs more, so the ordinary minimum leaves it in the deposit period where the genesis says so
      const P5 = await open(
        s("expedited.P5"),
        "bob",
        submit("bob", { ...text("expedited"), expedited: true }, coin(min)),
      );
      await view(id("expedited.getProposal"), proposal(P5));
      await ok(cp("expedited"), "bob", cancel("bob", P5));

      // A view inside a transaction may write (suspected: the tally removes the votes). Recorded, not compared.
      const PW = await open(
        s("ok.wart"),
        "carol",
        submit("carol", text("tally in a transaction"), coin(min)),
      );
      await ok(id("wart.vote"), "dave", vote("dave", PW, 1));
      await ctx.tx(
        id("wart.tallyInTx"),
        kind("probe", 0, G("getTallyResult", PW)),
        { informative: true },
      );
      await ctx.call(id("wart.votesAfterTally"), G("getVotes", PW, page()), {
        informative: true,
      });
      await ok(id("wart.cancel"), "carol", cancel("carol", PW));

      // --- the proposals whose end is watched
      const P6 = await open(
        s("ok.P6passes"),
        "carol",
        submit("carol", text("passes"), coin(min)),
      );
      await ok(v("P6.dave"), "dave", vote("dave", P6, 1));
      const P7 = await open(
        s("ok.P7noQuorum"),
        "carol",
        submit("carol", text("no quorum"), coin(min)),
      );
      const P8 = await open(
        s("ok.P8veto"),
        "carol",
        submit("carol", text("veto"), coin(min)),
      );
      await ok(v("P8.dave"), "dave", vote("dave", P8, 4));
      const P9 = await open(
        s("ok.P9rejected"),
        "carol",
        submit("carol", text("rejected"), coin(min)),
      );
      await ok(
        vw("P9.dave"),
        "dave",
        weighted("dave", P9, [
          [3, "0.75"],
          [1, "0.25"],
        ]),
      );
      const P10 = await open(
        s("ok.P10expires"),
        "erin",
        submit("erin", text("never gets its deposit"), coin(half)),
      );
      const P11 = await open(
        s("ok.P11poolSpend"),
        "carol",
        submit(
          "carol",
          json({
            title: "spend",
            messages: [
              {
                "@type": "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend",
                authority: govAcc,
                recipient: acc("erin"),
                amount: [{ denom, amount: T.toString() }],
              },
            ],
          }),
          coin(min),
        ),
      );
      await ok(v("P11.dave"), "dave", vote("dave", P11, 1));
      const all = (o = {}) =>
        G(
          "getProposals",
          o.status ?? 0,
          o.voter ?? ZERO,
          o.depositor ?? ZERO,
          page(o.page),
        );
      const gp = (x) => id(`getProposals.${x}`);
      await view(gp("all"), all());
      await view(gp("deposit"), all({ status: 1 }));
      await view(gp("voting"), all({ status: 2 }));
      await view(gp("passedNone"), all({ status: 3 }));
      await ask(gp("badStatus"), all({ status: 9 }));
      await view(gp("voterAlice"), all({ voter: hex("alice") }));
      await view(gp("depositorErin"), all({ depositor: hex("erin") }));
      await view(
        gp("voterAndDepositor"),
        all({ voter: hex("dave"), depositor: hex("carol") }),
      );
      const pp = await view(
        gp("limit2"),
        all({ page: { limit: 2, countTotal: true } }),
      );
      await view(
        gp("next"),
        all({
          page: { limit: 2, key: pp.value?.pageResponse?.nextKey ?? "0x" },
        }),
      );
      await view(gp("offset"), all({ page: { limit: 2, offset: 2 } }));
      await view(gp("reverse"), all({ page: { limit: 2, reverse: true } }));

      const end = await view(id("P11.getProposal"), proposal(P11));
      const exp = await view(id("P10.getProposal"), proposal(P10));
      const until = Math.max(
        num(end.value?.proposal?.votingEndTime),
        num(exp.value?.proposal?.depositEndTime),
      );
      await ctx.window(
        "gov.deposit.P10",
        num(exp.value?.proposal?.depositEndTime) || null,
      );
      await ctx.advance(id("end.advance"), {
        until,
        seconds: Math.max(num(p.votingPeriod), num(p.depositPeriod), 1),
      });
      for (const [n, x] of Object.entries({ P1, P6, P7, P8, P9, P11 }))
        await view(id(`end.${n}`), proposal(x));
      await refuse(id("end.P10gone"), "relayer", proposal(P10));
      await view(id("end.tally.P1"), G("getTallyResult", P1));
      await ask(id("end.votes.P1"), G("getVotes", P1, page()));
      await ask(id("end.deposits.P1"), G("getDeposits", P1, page()));
      await ask(id("end.getVote.P1"), G("getVote", P1, hex("alice")));
      for (const st of [1, 2, 3, 4, 5])
        await view(id(`end.status${st}`), all({ status: st }));
      await bad(id("end.vote"), "alice", vote("alice", P1, 1));
      await refuse(id("end.deposit"), "bob", deposit("bob", P1, coin(half)));
      await refuse(id("end.cancel"), "alice", cancel("alice", P1));
      await ask(id("end.communityPool"), D("communityPool"));
    },

    // =================================================================== window: unbonding period, to the very end
    async jailed() {
      const id = (s) => `jailed.${s}`;
      // valC falls below its own minimum self-delegation (1 token) and is jailed
      const un = await ok(
        id("undelegateSelf"),
        "valC",
        S("undelegate", hex("valC"), val("valC"), tokens("19.5")),
      );
      await view(id("validator"), S("validator", hex("valC")));
      await view(
        id("validators.bonded"),
        S("validators", "BOND_STATUS_BONDED", page()),
      );
      await view(
        id("validators.unbonding"),
        S("validators", "BOND_STATUS_UNBONDING", page()),
      );
      await ok(
        id("delegateTo"),
        "erin",
        S("delegate", hex("erin"), val("valC"), T),
      );
      const fromUnbonding = await ok(
        id("undelegate"),
        "bob",
        S("undelegate", hex("bob"), val("valC"), tokens("0.5")),
      );
      await bad(
        id("cancel"),
        "bob",
        S(
          "cancelUnbondingDelegation",
          hex("bob"),
          val("valC"),
          tokens("0.1"),
          BigInt(fromUnbonding.block ?? 1),
        ),
      );
      await ok(
        id("redelegateFrom"),
        "bob",
        S("redelegate", hex("bob"), val("valC"), val("valB"), tokens("0.5")),
      );
      await view(
        id("redelegation"),
        S("redelegation", hex("bob"), val("valC"), val("valB")),
      );
      await view(
        id("unbonding"),
        S("unbondingDelegation", hex("bob"), val("valC")),
      );
      await ask(
        id("redelegateTo"),
        S("redelegate", hex("alice"), val("valB"), val("valC"), tokens("0.5")),
        { from: "alice" },
      );
      await ask(
        id("edit"),
        S(
          "editValidator",
          ["still here", KEEP, KEEP, KEEP, KEEP],
          hex("valC"),
          -1n,
          -1n,
        ),
        { from: "valC" },
      );
      await ok(
        id("withdraw"),
        "bob",
        D("withdrawDelegatorRewards", hex("bob"), val("valC")),
      );

      // gas: one transaction method of each sort. Only valA and frank are touched.
      const who = hex("frank");
      const est = (name, spec, o) =>
        ctx.estimate(`estimate.${name}`, spec, { from: "frank", ...o });
      const half = w.minDeposit - w.minDeposit / 2n;
      await est(
        "staking.delegateNew",
        S("delegate", who, val("valA"), tokens("4")),
        { exact: false },
      );
      await est("staking.delegate", S("delegate", who, val("valA"), T));
      await est(
        "staking.undelegate",
        S("undelegate", who, val("valA"), tokens("0.5")),
      );
      await est(
        "staking.redelegate",
        S("redelegate", who, val("valA"), val("valB"), tokens("0.5")),
        { exact: false },
      );
      await est(
        "staking.contract",
        act("probe", S("delegate", hex("probe"), val("valA"), tokens("0.1"))),
        { from: "relayer" },
      );
      await est(
        "distribution.withdraw",
        D("withdrawDelegatorRewards", who, val("valA")),
      );
      await est("distribution.claim", D("claimRewards", who, 10));
      await est(
        "distribution.setWithdrawAddress",
        D("setWithdrawAddress", who, acc("frank")),
      );
      await est(
        "distribution.fund",
        D("fundCommunityPool", who, [coin(1000n)]),
      );
      await est(
        "distribution.pool",
        D("depositValidatorRewardsPool", who, val("valA"), [
          coin(tokens("0.001")),
        ]),
      );
      const body =
        "0x" +
        Buffer.from(
          JSON.stringify({
            messages: [],
            metadata: "ipfs://CID",
            title: "gas",
            summary: "gas",
            expedited: false,
          }),
        ).toString("hex");
      const made = await est(
        "gov.submitProposal",
        G("submitProposal", who, body, [coin(half)]),
      );
      for (const [i, r] of (made.all ?? []).entries()) {
        const n = event(r, "SubmitProposal")?.proposalId;
        // informative: whether the first of the two exists depends on gas
        if (n !== undefined)
          await tx(
            `estimate.cleanup.${i}`,
            "frank",
            G("cancelProposal", who, n),
            { informative: true },
          );
      }
      await est("view.validators", S("validators", "", page()), {
        exact: false,
      });
      await est("revert", S("delegate", hex("alice"), val("valA"), T), {
        exact: false,
      });

      // --- everything matures, valC becomes unbonded
      const completion = num(event(un, "Unbond")?.completionTime);
      await ctx.window("jailed.unbonding", completion || null);
      const head = num(ctx.lastTime());
      await ctx.advance(id("advance"), {
        until: p.unbondingTime ? head + p.unbondingTime + 1 : completion,
        seconds: 1,
      });
      await view(id("unbonded.validator"), S("validator", hex("valC")));
      await view(
        id("unbonded.validators"),
        S("validators", "BOND_STATUS_UNBONDED", page()),
      );
      await ok(
        id("unbonded.delegate"),
        "erin",
        S("delegate", hex("erin"), val("valC"), tokens("0.5")),
      );
      // from a validator which is not bonded any more
      await ok(
        id("unbonded.undelegate"),
        "bob",
        S("undelegate", hex("bob"), val("valC"), tokens("0.5")),
      );
      await ok(
        id("unbonded.redelegate"),
        "bob",
        S("redelegate", hex("bob"), val("valC"), val("valB"), tokens("0.5")),
      );
      await ask(
        id("unbonded.unbonding"),
        S("unbondingDelegation", hex("bob"), val("valC")),
      );
      await ask(
        id("unbonded.redelegation"),
        S("redelegation", hex("bob"), val("valC"), val("valB")),
      );
      await view(
        id("unbonded.delegation"),
        S("delegation", hex("bob"), val("valC")),
      );
      const b = await view("end.validator.valB", S("validator", hex("valB")));
      if (b.value?.validator?.jailed)
        ctx.warnings.push(
          "valB has been jailed: signed_blocks_window in the genesis is too short",
        );
      await ctx.balances("end.balances");
    },
  };

  for (const [name, run] of Object.entries(sections)) {
    try {
      await run();
    } catch (e) {
      ctx.warnings.push(`section ${name} ended early: ${e?.stack ?? e}`);
    }
  }
}
