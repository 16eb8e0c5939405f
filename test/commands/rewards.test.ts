import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { parseAddress } from "../../src/address/index.js";
import {
  claimText,
  rewardsText,
  setWithdrawAddressText,
  withdrawAddressText,
  withdrawText,
} from "../../src/commands/rewards/messages.js";
import {
  claimRewards,
  setWithdrawAddress,
  showRewards,
  showWithdrawAddress,
  withdrawCommission,
  withdrawRewards,
} from "../../src/commands/rewards/rewards.js";
import { delegate } from "../../src/commands/staking/delegate.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/index.js";
import { RecordingUi } from "./helpers.js";
import {
  DAY,
  LARGE,
  LOCALNET,
  LocalChain,
  MIDDLE,
  SMALL,
  TOKEN,
} from "./modules.js";

const OWNER = parseAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266");
const OTHER = parseAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");

describe("rewards of more validators than the chain pays at once", () => {
  let chain: LocalChain;
  before(async () => {
    chain = await LocalChain.start({ ...LOCALNET, maxValidators: 2 });
    for (const [validator, amount] of [
      [LARGE.hex, "100"],
      [MIDDLE.hex, "100"],
      // Takes the place of the middle one, where rewards are already due.
      [SMALL.hex, "1500"],
    ] as const) {
      await delegate(chain.sender(), new RecordingUi(), { validator, amount });
      await chain.control.advance(DAY);
    }
  });
  after(() => chain.close());

  it("are claimed by further transactions", async () => {
    const dry = await claimRewards(chain.sender(), new RecordingUi(), {
      dryRun: true,
    });
    assert.equal(dry.validators, 3);
    assert.equal(dry.further, undefined);
    const before = await chain.balance(OWNER.hex);
    const report = await claimRewards(chain.sender(), new RecordingUi(), {});
    const { further } = report;
    assert.equal(report.validators, 3);
    assert.equal(
      (await chain.balance(OWNER.hex)) - before,
      (report.received?.baseUnits ?? 0n) -
        (report.paid?.baseUnits ?? 0n) -
        (further?.paid.baseUnits ?? 0n),
    );
    assert.ok(
      (report.received?.baseUnits ?? 0n) >= (report.due[0]?.baseUnits ?? 1n),
    );
    assert.match(
      claimText(report).join("\n"),
      /^ *Validators +3\n *Further +1 transaction for 0\.\d+ NATIVE of fees, the last 0x/m,
    );
  });

  it("are summed up over the given number of validators", async () => {
    await chain.control.advance(DAY);
    const { rewards } = await showRewards(chain.reader, OWNER.hex);
    const two = await claimRewards(chain.sender(), new RecordingUi(), {
      max: "2",
      dryRun: true,
    });
    assert.ok(two.due.length <= 1, "a sum, not an amount for each");
    assert.equal(
      two.due[0]?.baseUnits ?? 0n,
      rewards
        .slice(0, 2)
        .reduce((sum, row) => sum + (row.due[0]?.baseUnits ?? 0n), 0n),
    );
  });

  it("that were claimed are reported when a later transaction fails", async () => {
    await chain.control.advance(DAY);
    const sender = chain.sender();
    let sent = 0;
    const failing = {
      ...sender,
      provider: {
        request: async (request: { method: string; params?: any[] }) => {
          if (request.method === "eth_sendTransaction" && ++sent === 2) {
            throw new Error("the line is dead");
          }
          return await sender.provider.request(request);
        },
      },
    };
    await assert.rejects(
      claimRewards(failing, new RecordingUi(), {}),
      /rewards from \d of 3 validators were claimed, then: the line is dead.*Claim again/,
    );
  });
});

describe("rewards commands", () => {
  let chain: LocalChain;
  before(async () => {
    chain = await LocalChain.start();
    for (const validator of [LARGE.hex, MIDDLE.hex]) {
      await delegate(chain.sender(), new RecordingUi(), {
        validator,
        amount: "100",
      });
    }
    await chain.control.advance(DAY);
  });
  after(() => chain.close());

  it("show what is due, and where it is paid", async () => {
    const report = await showRewards(chain.reader, OWNER.account);
    assert.deepEqual(report.rewards.map(({ moniker }) => moniker).sort(), [
      "Large",
      "Middle",
    ]);
    const [total] = report.total;
    assert.equal(
      total?.baseUnits,
      report.rewards.reduce(
        (sum, row) => sum + (row.due[0]?.baseUnits ?? 0n),
        0n,
      ),
    );
    // A day's rewards at 10 % a year on 200 tokens, less commission.
    assert.ok((total?.baseUnits ?? 0n) > TOKEN / 25n, total?.tokens);
    assert.equal(report.withdrawAddress, OWNER.hex);
    assert.equal(report.commission, undefined);
    const text = rewardsText(report).join("\n");
    assert.match(text, /^Rewards on localnet/);
    assert.match(text, /Paid to +the account itself$/m);
    assert.doesNotMatch(text, /Commission/);
    const operator = await showRewards(chain.reader, LARGE.hex);
    assert.ok((operator.commission?.[0]?.baseUnits ?? 0n) > 0n);
    assert.match(
      rewardsText(operator).join("\n"),
      /Commission due +0\.\d+ NATIVE$/m,
    );
  });

  it("withdraw from one validator what the chain says it paid", async () => {
    const before = await chain.balance(OWNER.hex);
    const report = await withdrawRewards(chain.sender(), new RecordingUi(), {
      validator: LARGE.account,
    });
    const received = report.received?.baseUnits ?? 0n;
    assert.ok(received >= (report.due[0]?.baseUnits ?? 1n));
    assert.equal(
      (await chain.balance(OWNER.hex)) - before,
      received - (report.paid?.baseUnits ?? 0n),
    );
    assert.equal(report.call, "distribution.withdrawDelegatorRewards");
    const text = withdrawText("Rewards")(report).join("\n");
    assert.match(text, /^Rewards withdrawn on localnet/);
    assert.match(text, /Received +0\.\d+ NATIVE$/m);
    await chain.refused(
      withdrawRewards(chain.sender(), new RecordingUi(), {
        validator: SMALL.hex,
      }),
      /has delegated nothing to Small.*rewards show/,
    );
  });

  it("claim from all validators, or from some", async () => {
    await chain.control.advance(DAY);
    const dry = await claimRewards(chain.sender(), new RecordingUi(), {
      max: "1",
      dryRun: true,
    });
    assert.equal(dry.validators, 1);
    assert.match(claimText(dry).join("\n"), /^Rewards would be claimed/);
    const before = await chain.balance(OWNER.hex);
    const report = await claimRewards(chain.sender(), new RecordingUi(), {});
    assert.equal(report.validators, 2);
    assert.ok((report.due[0]?.baseUnits ?? 0n) > (dry.due[0]?.baseUnits ?? 0n));
    assert.equal(
      (await chain.balance(OWNER.hex)) - before,
      (report.received?.baseUnits ?? 0n) - (report.paid?.baseUnits ?? 0n),
    );
    await chain.refused(
      claimRewards(chain.sender(), new RecordingUi(), { max: "0" }),
      /"0" is not a number of validators/,
    );
    await chain.refused(
      claimRewards(chain.sender(OTHER.hex), new RecordingUi(), {}),
      /the account has delegated nothing.*Only delegations earn/,
    );
  });

  it("withdraw commission, for operators only", async () => {
    const sender = chain.sender(MIDDLE.hex);
    const report = await withdrawCommission(sender, new RecordingUi(), {});
    assert.equal(report.validator.moniker, "Middle");
    assert.ok((report.received?.baseUnits ?? 0n) > 0n);
    assert.match(
      withdrawText("Commission")(report).join("\n"),
      /^Commission withdrawn on localnet[^]*Received +0\.\d+ NATIVE$/m,
    );
    await chain.refused(
      withdrawCommission(chain.sender(), new RecordingUi(), {}),
      /the account operates no validator/,
    );
    await chain.control.setRewardRate(0);
    await chain.refused(
      withdrawCommission(sender, new RecordingUi(), {}),
      /withdrawing commission would fail: no commission is due/,
    );
    await chain.control.setRewardRate(0.1);
  });

  it("let rewards be paid to another account", async () => {
    const report = await setWithdrawAddress(chain.sender(), new RecordingUi(), {
      address: OTHER.account,
    });
    assert.equal(report.before, OWNER.hex);
    assert.equal(report.withdrawAddress, OTHER.hex);
    assert.match(
      setWithdrawAddressText(report).join("\n"),
      /^Withdraw address set on localnet/,
    );
    const shown = await showWithdrawAddress(chain.reader, OWNER.hex);
    assert.equal(shown.withdrawAccount, OTHER.account);
    assert.match(
      withdrawAddressText(shown).join("\n"),
      new RegExp(`Paid to +${OTHER.hex}\\n +${OTHER.account}$`),
    );
    await chain.control.advance(DAY);
    const before = await chain.balance(OTHER.hex);
    const claimed = await claimRewards(chain.sender(), new RecordingUi(), {});
    assert.equal(claimed.paidTo, OTHER.hex);
    assert.equal(
      (await chain.balance(OTHER.hex)) - before,
      claimed.received?.baseUnits,
    );
    for (const [address, message] of [
      [MODULE_ACCOUNTS.governance, /is the module account governance: rewards/],
      [chain.network().precompiles.staking, /is the staking precompile/],
      ["0x1", /the withdraw address "0x1" is not 0x followed by 40/],
    ] as const) {
      await chain.refused(
        setWithdrawAddress(chain.sender(), new RecordingUi(), { address }),
        message,
      );
    }
  });
});
