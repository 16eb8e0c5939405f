// The precompiles that a network need not have: bank and slashing. A validator that never signs is jailed, and leaves
// again. On a chain the genesis needs the local network's parameters of slashing (a signed_blocks_window of 100,
// slash_fraction_downtime 0.01), a downtime_jail_duration as long as the other periods, and the native coin's token pair.
import { PUBKEYS, T, tokens } from "./world.mjs";

const NATIVE_TOKEN = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const NOBODY = "0x00000000000000000000000000000000000000aa";
const FRACTION = "0.01";

const page = ({
  key = "0x",
  offset = 0,
  limit = 0,
  countTotal = false,
  reverse = false,
} = {}) => [key, offset, limit, countTotal, reverse];
const word = (hex) => hex.replace(/^0x/, "").padStart(64, "0");

export async function scenario(ctx) {
  const { hex, val } = ctx;
  ctx.precompile("bank", "0x0000000000000000000000000000000000000804");
  ctx.precompile("slashing", "0x0000000000000000000000000000000000000806");
  const on =
    (target) =>
    (fn, ...args) =>
      ctx.enc(target, fn, args);
  const S = on("staking");
  const B = on("bank");
  const L = on("slashing");
  const ok = (id, from, spec, o) =>
    ctx.tx(id, spec, { from, expect: "ok", ...o });
  const bad = (id, from, spec, o) =>
    ctx.tx(id, spec, { from, expect: "revert", ...o });
  const tx = (id, from, spec, o) => ctx.tx(id, spec, { from, ...o });
  const ask = (id, spec, o) => ctx.call(id, spec, o);
  const raw = (target, data, label) => ctx.raw(target, data, label);
  const probe = (fn, args, inner) => ctx.enc("probe", fn, args, inner);
  const act = (c) => probe("act", [c.to, c.data], c);
  const kind = (k, c) => probe("callKind", [k, c.to, c.data], c);

  await ctx.balances("setup.balances");
  await ok(
    "setup.stake.dave",
    "dave",
    S("delegate", hex("dave"), val("valA"), tokens("5000")),
  );
  await ctx.deploy("setup.deploy.probe", "probe", "Probe");
  await ok("setup.fund.probe", "relayer", raw("probe", "0x", "transfer"), {
    value: tokens("50"),
  });
  const genesis = await ask("setup.valA", S("validator", hex("valA")));
  ctx.consensus("consA", genesis.value.validator.consensusPubkey);
  ctx.consensus("consB", PUBKEYS.valB);
  ctx.consensus("consC", PUBKEYS.valC);

  // ---- bank
  for (const n of [
    "alice",
    "dave",
    "probe",
    "module:bonded_tokens_pool",
    "module:not_bonded_tokens_pool",
    "module:distribution",
    "module:gov",
    "module:fee_collector",
    "staking",
    "bank",
  ])
    await ask(`bank.balances.${n}`, B("balances", hex(n)));
  await ask("bank.balances.nobody", B("balances", NOBODY));
  await ask("bank.balances.zero", B("balances", `0x${"00".repeat(20)}`));
  await ask("bank.totalSupply", B("totalSupply"));
  await ask("bank.supplyOf.native", B("supplyOf", NATIVE_TOKEN));
  await ask("bank.supplyOf.nobody", B("supplyOf", NOBODY));
  await ask("bank.supplyOf.probe", B("supplyOf", hex("probe")));
  const balances = B("balances", hex("alice")).data;
  const selector = balances.slice(0, 10);
  await ask("bank.raw.empty", raw("bank", "0x", "no data"));
  await ask("bank.raw.short", raw("bank", "0x1234", "two bytes"));
  await ask("bank.raw.unknown", raw("bank", "0x12345678", "unknown method"));
  await ask("bank.raw.noArgument", raw("bank", selector, "no argument"));
  await ask(
    "bank.raw.half",
    raw("bank", balances.slice(0, 50), "half an argument"),
  );
  await ask(
    "bank.raw.dirty",
    raw(
      "bank",
      selector + "ff".repeat(12) + hex("alice").slice(2),
      "dirty address",
    ),
  );
  await ask("bank.raw.more", raw("bank", `${balances}00`, "a byte more"));
  await ask("bank.value", B("totalSupply"), { value: 1n });
  await ok("bank.tx.balances", "alice", B("balances", hex("alice")));
  await bad("bank.tx.unknown", "alice", raw("bank", "0x12345678", "unknown"));
  await bad("bank.tx.value", "alice", B("totalSupply"), { value: 5n });
  for (const k of [0, 1, 2, 3])
    await ask(`bank.kind.${k}`, kind(k, B("balances", hex("probe"))));
  await tx("bank.probe.tx", "relayer", act(B("balances", hex("probe"))));
  await ask(
    "bank.probe.moved",
    probe(
      "multi",
      [
        [hex("staking"), hex("bank")],
        [
          S("delegate", hex("probe"), val("valA"), tokens("3")).data,
          B("balances", hex("probe")).data,
        ],
      ],
      [],
    ),
  );
  await ask("bank.probe.many", probe("many", [hex("bank"), balances, 22], []));
  await ask("bank.code", raw("bank", balances, "balances"), {
    gas: 1_000_000n,
  });

  // ---- slashing, of validators that sign
  const { value: slashing } = await ask("slashing.params", L("getParams"));
  ctx.params.downtimeJailDuration = Number(
    slashing?.params.downtimeJailDuration ?? 0,
  );
  const look = async (at) => {
    for (const n of ["consA", "consB", "consC"])
      await ask(`slashing.${at}.${n}`, L("getSigningInfo", hex(n)));
    await ask(
      `slashing.${at}.all`,
      L("getSigningInfos", page({ countTotal: true })),
    );
  };
  await look("genesis");
  await ask("slashing.info.nobody", L("getSigningInfo", NOBODY));
  await ask("slashing.info.zero", L("getSigningInfo", `0x${"00".repeat(20)}`));
  await ask("slashing.info.operator", L("getSigningInfo", hex("valA")));
  await ask("slashing.raw.empty", raw("slashing", "0x", "no data"));
  await ask("slashing.raw.unknown", raw("slashing", "0x12345678", "unknown"));
  await ask(
    "slashing.raw.noArgument",
    raw("slashing", L("unjail", hex("valA")).data.slice(0, 10), "no argument"),
  );
  await ask(
    "slashing.raw.noPage",
    raw(
      "slashing",
      L("getSigningInfos", page()).data.slice(0, 10),
      "no argument",
    ),
  );
  await ask(
    "slashing.raw.badPage",
    raw(
      "slashing",
      L("getSigningInfos", page()).data.slice(0, 10) +
        word("20") +
        word("ffff"),
      "an offset past the end",
    ),
  );
  await bad("slashing.unjail.bonded", "valA", L("unjail", hex("valA")));
  await bad("slashing.unjail.nobody", "alice", L("unjail", hex("alice")));
  await bad("slashing.unjail.other", "alice", L("unjail", hex("valA")));
  await bad(
    "slashing.unjail.zero",
    "alice",
    L("unjail", `0x${"00".repeat(20)}`),
  );
  await bad("slashing.unjail.probe", "relayer", act(L("unjail", hex("probe"))));
  await ask("slashing.unjail.static", kind(1, L("unjail", hex("probe"))));
  await bad("slashing.unjail.value", "valA", L("unjail", hex("valA")), {
    value: 1n,
  });

  // ---- a validator that never signs
  const create = (name, self, least, o) =>
    ok(
      `slashing.create.${name}`,
      name,
      S(
        "createValidator",
        [`validator ${name}`, "", "", "", ""],
        [tokens("0.1"), tokens("0.2"), tokens("0.01")],
        least,
        hex(name),
        PUBKEYS[name],
        self,
      ),
      o,
    );
  await create("valB", tokens("20"), tokens("5"));
  await ok(
    "slashing.delegate.alice",
    "alice",
    S("delegate", hex("alice"), val("valB"), tokens("7")),
  );
  await bad("slashing.unjail.signing", "valB", L("unjail", hex("valB")));
  await ask(
    "slashing.pages.first",
    L("getSigningInfos", page({ limit: 1, countTotal: true })),
  );
  await ask(
    "slashing.pages.offset",
    L("getSigningInfos", page({ offset: 1, limit: 1 })),
  );
  await ask(
    "slashing.pages.reverse",
    L("getSigningInfos", page({ limit: 1, reverse: true })),
  );
  await ask(
    "slashing.pages.beyond",
    L("getSigningInfos", page({ offset: 9, limit: 1, countTotal: true })),
  );
  await ask(
    "slashing.pages.both",
    L("getSigningInfos", page({ key: "0x01", offset: 1 })),
  );
  await ask(
    "slashing.pages.key",
    L("getSigningInfos", page({ key: `0x14${hex("consB").slice(2)}` })),
  );
  await ask(
    "slashing.pages.foreign",
    L("getSigningInfos", page({ key: "0xffff" })),
  );

  const jailing = await ctx.slash("slashing.jailed", "valB", FRACTION);
  const until = (jailing.time ?? 0) + ctx.params.downtimeJailDuration;
  await ask("slashing.jailed.info", L("getSigningInfo", hex("consB")));
  await ask("slashing.jailed.validator", S("validator", hex("valB")));
  await ask("slashing.jailed.supply", B("totalSupply"));
  await ask(
    "slashing.jailed.pool",
    B("balances", hex("module:not_bonded_tokens_pool")),
  );
  await bad("slashing.early", "valB", L("unjail", hex("valB")));
  await bad("slashing.early.other", "alice", L("unjail", hex("valB")));
  await ok(
    "slashing.lessThanMinimum.undelegate",
    "valB",
    S("undelegate", hex("valB"), val("valB"), tokens("16")),
  );
  // What it undelegated is paid out as well when it is no longer unbonding, at nearly the same time.
  await ctx.advance("slashing.wait", { until: until + 10 });
  await bad("slashing.lessThanMinimum", "valB", L("unjail", hex("valB")));
  await ok(
    "slashing.lessThanMinimum.delegate",
    "valB",
    S("delegate", hex("valB"), val("valB"), tokens("2")),
  );
  await ok("slashing.unjail", "valB", L("unjail", hex("valB")));
  await ask("slashing.free.info", L("getSigningInfo", hex("consB")));
  await ask("slashing.free.validator", S("validator", hex("valB")));
  await ask(
    "slashing.free.delegation",
    S("delegation", hex("alice"), val("valB")),
  );
  await bad("slashing.unjail.again", "valB", L("unjail", hex("valB")));
  await ok(
    "slashing.free.delegate",
    "alice",
    S("delegate", hex("alice"), val("valB"), T),
  );
  await ctx.slash("slashing.jailed2", "valB", FRACTION);
  await ask("slashing.jailed2.info", L("getSigningInfo", hex("consB")));
  await ask("slashing.jailed2.validator", S("validator", hex("valB")));

  // ---- one without a delegation of its own
  await ok(
    "slashing.noSelf.undelegate",
    "valB",
    S("undelegate", hex("valB"), val("valB"), tokens("5.5")),
  );
  await ask(
    "slashing.noSelf.delegation",
    S("delegation", hex("valB"), val("valB")),
  );
  await look("end");
}
