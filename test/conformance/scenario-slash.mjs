// A validator loses part of its stake and is jailed: exchange rates other than 1, rewards across the slash, undelegating
// and redelegating from it. On a chain the validator is slashed because it never signs: the genesis needs a
// signed_blocks_window of about 60 blocks and slash_fraction_downtime 0.013.
import { PUBKEYS, T, tokens } from "./world.mjs";

export const FRACTION = "0.013";
const page = ["0x", 0, 0, false, false];

export async function scenario(ctx) {
  const { hex, val } = ctx;
  const on =
    (target) =>
    (fn, ...args) =>
      ctx.enc(target, fn, args);
  const S = on("staking");
  const D = on("distribution");
  const act = (c) => ctx.enc("probe", "act", [c.to, c.data], c);
  const coin = (amount) => [ctx.denom, BigInt(amount)];
  const ok = (id, from, spec, o) =>
    ctx.tx(`slash.${id}`, spec, { from, expect: "ok", ...o });
  const tx = (id, from, spec, o) => ctx.tx(`slash.${id}`, spec, { from, ...o });
  const ask = (id, spec, o) => ctx.call(`slash.${id}`, spec, o);
  const owners = ["alice", "bob", "carol", "probe", "valB"];

  const look = async (at) => {
    await ask(`${at}.validator`, S("validator", hex("valB")));
    for (const n of owners) {
      await ask(`${at}.delegation.${n}`, S("delegation", hex(n), val("valB")));
      await ask(
        `${at}.rewards.${n}`,
        D("delegationRewards", hex(n), val("valB")),
      );
    }
    await ask(
      `${at}.unbonding.alice`,
      S("unbondingDelegation", hex("alice"), val("valB")),
    );
    await ask(
      `${at}.redelegation.carol`,
      S("redelegation", hex("carol"), val("valB"), val("valA")),
    );
    await ask(
      `${at}.delegation.carol.valA`,
      S("delegation", hex("carol"), val("valA")),
    );
    await ask(
      `${at}.outstanding`,
      D("validatorOutstandingRewards", val("valB")),
    );
    await ask(`${at}.commission`, D("validatorCommission", val("valB")));
    await ask(`${at}.info`, D("validatorDistributionInfo", val("valB")));
    await ask(`${at}.pool`, D("communityPool"));
  };

  await ctx.balances("slash.balances");
  await ok(
    "stake.dave",
    "dave",
    S("delegate", hex("dave"), val("valA"), tokens("5000")),
    { essential: true },
  );
  await ctx.deploy("slash.deploy.probe", "probe", "Probe");
  await ok("fund.probe", "relayer", ctx.raw("probe", "0x", "plain transfer"), {
    value: tokens("50"),
    essential: true,
  });
  await ok(
    "create",
    "valB",
    S(
      "createValidator",
      ["validator B", "", "", "", ""],
      [tokens("0.1"), tokens("0.2"), tokens("0.01")],
      T,
      hex("valB"),
      PUBKEYS.valB,
      tokens("20"),
    ),
    { essential: true },
  );
  await ok(
    "delegate.alice",
    "alice",
    S("delegate", hex("alice"), val("valB"), tokens("7")),
  );
  await ok(
    "delegate.bob",
    "bob",
    S("delegate", hex("bob"), val("valB"), tokens("3.333333333333333333")),
  );
  await ok(
    "delegate.probe",
    "relayer",
    act(S("delegate", hex("probe"), val("valB"), tokens("5"))),
  );
  await ok(
    "delegate.carol",
    "carol",
    S("delegate", hex("carol"), val("valB"), tokens("2.5")),
  );
  await ok(
    "rewards.before",
    "frank",
    D("depositValidatorRewardsPool", hex("frank"), val("valB"), [
      coin(tokens("0.9")),
    ]),
  );
  await ok(
    "undelegate.alice",
    "alice",
    S("undelegate", hex("alice"), val("valB"), tokens("1.7")),
  );
  await ok(
    "redelegate.carol",
    "carol",
    S("redelegate", hex("carol"), val("valB"), val("valA"), tokens("1.1")),
  );
  await look("before");

  await ctx.slash("slash.slash", "valB", FRACTION);
  await look("after");
  await ask("slashes", D("validatorSlashes", val("valB"), 0, 1_000_000, page));
  await ask(
    "validators.unbonding",
    S("validators", "BOND_STATUS_UNBONDING", page),
  );

  // the jailed validator goes on holding stake, at a rate other than 1
  await tx(
    "jailed.delegate",
    "alice",
    S("delegate", hex("alice"), val("valB"), tokens("1")),
  );
  await tx(
    "jailed.delegate.odd",
    "bob",
    S("delegate", hex("bob"), val("valB"), 1_000_000_000_000_000_007n),
  );
  await tx(
    "jailed.delegate.dust",
    "erin",
    S("delegate", hex("erin"), val("valB"), 1n),
  );
  await ask(
    "jailed.delegation.erin",
    S("delegation", hex("erin"), val("valB")),
  );
  await tx(
    "jailed.undelegate.dust",
    "erin",
    S("undelegate", hex("erin"), val("valB"), 1n),
  );
  await tx(
    "jailed.rewards",
    "frank",
    D("depositValidatorRewardsPool", hex("frank"), val("valB"), [
      coin(tokens("0.77")),
    ]),
  );
  await look("later");
  await tx(
    "jailed.withdraw.bob",
    "bob",
    D("withdrawDelegatorRewards", hex("bob"), val("valB")),
  );
  await tx(
    "jailed.undelegate.alice",
    "alice",
    S("undelegate", hex("alice"), val("valB"), 2_000_000_000_000_000_001n),
  );
  await tx(
    "jailed.undelegate.tooMuch",
    "alice",
    S("undelegate", hex("alice"), val("valB"), tokens("7")),
  );
  await tx(
    "jailed.redelegate.probe",
    "relayer",
    act(S("redelegate", hex("probe"), val("valB"), val("valA"), tokens("1.5"))),
  );
  await tx(
    "jailed.claim.probe",
    "relayer",
    act(D("claimRewards", hex("probe"), 10)),
  );
  const left = await ask(
    "jailed.left.bob",
    S("delegation", hex("bob"), val("valB")),
  );
  if (left.value)
    await tx(
      "jailed.undelegate.bob.all",
      "bob",
      S(
        "undelegate",
        hex("bob"),
        val("valB"),
        BigInt(left.value.balance.amount),
      ),
    );
  await ask("jailed.left.bob.after", S("delegation", hex("bob"), val("valB")));
  await tx(
    "jailed.commission",
    "valB",
    D("withdrawValidatorCommission", val("valB")),
  );
  await tx(
    "jailed.selfUndelegate",
    "valB",
    S("undelegate", hex("valB"), val("valB"), tokens("19")),
  );
  await look("end");
}
