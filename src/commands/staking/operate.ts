import { parseAddress } from "../../address/index.js";
import type { Validator } from "../../framework/query/answers.js";
import { validator as validatorQuestion } from "../../framework/query/staking.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import { cleanText } from "../../support/text.js";
import {
  type Money,
  nativeMoney,
  parseSomeNative,
  tokens,
} from "../shared/money.js";
import { ModuleReader } from "../modules/reader.js";
import { type ModuleReport, transact } from "../modules/transact.js";
import {
  nameOf,
  percent,
  type ValidatorName,
  validatorText,
} from "../modules/values.js";
import { type Sender, senderOf, type SendOptions } from "../shared/sending.js";
import type { Ui } from "../shared/ui.js";

/** The texts of a validator's description, with the chain's limits in bytes. */
const TEXTS = {
  moniker: { title: "moniker", most: 70 },
  identity: { title: "identity", most: 3000 },
  website: { title: "website", most: 140 },
  securityContact: { title: "security contact", most: 140 },
  details: { title: "details", most: 280 },
} as const;
type TextName = keyof typeof TEXTS;
const TEXT_NAMES = Object.keys(TEXTS) as TextName[];

/** What the chain reads as "leave it as it is". */
const KEEP = { text: "[do-not-modify]", number: -1n } as const;

const WHOLE = 10n ** 18n;
const KEY_BYTES = 32;

/** What the framework's own command line fills in, in percent. */
export const DEFAULT_COMMISSION = {
  commission: "10%",
  maxCommission: "20%",
  maxCommissionChange: "1%",
} as const;

export type DescriptionOptions = Readonly<Partial<Record<TextName, string>>>;

export interface CreateOptions extends SendOptions, DescriptionOptions {
  readonly moniker: string;
  /** Base64 of the 32 bytes of the node's ed25519 key, or the JSON that the node prints. */
  readonly pubkey: string;
  /** The self-delegation, as people write it. */
  readonly amount: string;
  /** A percentage (`5%`) or a fraction (`0.05`), like the next two. */
  readonly commission?: string;
  readonly maxCommission?: string;
  /** Per day. */
  readonly maxCommissionChange?: string;
  /** As people write it; default: one base unit. */
  readonly minSelfDelegation?: string;
}

export interface CreateReport extends ModuleReport {
  readonly validator: ValidatorName;
  readonly amount: Money;
  readonly minSelfDelegation: Money;
  /** Percent, like the next two. */
  readonly commission: string;
  readonly maxCommission: string;
  /** Per day. */
  readonly maxCommissionChange: string;
  /** Base64. */
  readonly consensusKey: string;
}

export interface EditOptions extends SendOptions, DescriptionOptions {
  /** A percentage (`5%`) or a fraction (`0.05`). */
  readonly commission?: string;
  /** As people write it; it can only rise. */
  readonly minSelfDelegation?: string;
}

/** One value that an edit changes, as people read it. */
export interface Change {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

export interface EditReport extends ModuleReport {
  readonly validator: ValidatorName;
  readonly changes: readonly Change[];
}

/**
 * Makes the sending account the operator of a new validator.
 *
 * @throws DualstackError for a wrong key, text or rate, or if the account
 * operates a validator already
 */
export async function createValidator(
  sender: Sender,
  ui: Ui,
  options: CreateOptions,
): Promise<CreateReport> {
  const { name: network, facts } = sender.network;
  const texts = descriptionOf(options);
  const pubkey = parseKey(options.pubkey);
  const rates = {
    rate: parseRate(options.commission ?? DEFAULT_COMMISSION.commission),
    maxRate: parseRate(
      options.maxCommission ?? DEFAULT_COMMISSION.maxCommission,
    ),
    maxChangeRate: parseRate(
      options.maxCommissionChange ?? DEFAULT_COMMISSION.maxCommissionChange,
    ),
  };
  requireWithin("commission", rates.rate, rates.maxRate);
  requireWithin("daily change", rates.maxChangeRate, rates.maxRate);
  const amount = nativeMoney(parseSomeNative(options.amount, facts), facts);
  const least = nativeMoney(
    options.minSelfDelegation === undefined
      ? 1n
      : parseSomeNative(options.minSelfDelegation, facts),
    facts,
  );
  if (amount.baseUnits < least.baseUnits) {
    throw new DualstackError(
      `the self-delegation of ${tokens(amount)} is below its own minimum, ${tokens(least)}`,
      { network, fix: "Delegate more, or give a lower --min-self-delegation." },
    );
  }
  const { operator, found } = await ownValidator(sender);
  if (found !== null) {
    throw new DualstackError(
      `the account operates a validator already: ${validatorText(nameOf(found.operator, found.description))}`,
      {
        network,
        address: operator.hex,
        fix: `Change it with ${taskCommand("staking edit", network)}, or choose another account with --from.`,
      },
    );
  }
  const validator = nameOf(operator, { moniker: options.moniker });
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "staking",
      method: "createValidator",
      args: [
        {
          identity: "",
          website: "",
          securityContact: "",
          details: "",
          ...texts,
          moniker: options.moniker,
        },
        rates,
        least.baseUnits,
        operator.hex,
        pubkey,
        amount.baseUnits,
      ],
      what: `creating the validator ${validator.moniker} with ${tokens(amount)}`,
      order: `Create the validator ${validatorText(validator)} with ${tokens(amount)} of your own`,
      debited: amount.baseUnits,
    },
    options,
  );
  return {
    ...report,
    validator,
    amount,
    minSelfDelegation: least,
    commission: percent(rates.rate),
    maxCommission: percent(rates.maxRate),
    maxCommissionChange: percent(rates.maxChangeRate),
    consensusKey: pubkey,
  };
}

/**
 * Changes the validator that the sending account operates. Values that are not
 * given stay as they are.
 *
 * @throws DualstackError if the account operates none, or there is nothing to
 * change
 */
export async function editValidator(
  sender: Sender,
  ui: Ui,
  options: EditOptions,
): Promise<EditReport> {
  const { name: network, facts } = sender.network;
  const texts = descriptionOf(options);
  const rate =
    options.commission === undefined
      ? undefined
      : parseRate(options.commission);
  const least =
    options.minSelfDelegation === undefined
      ? undefined
      : parseSomeNative(options.minSelfDelegation, facts);
  if (
    Object.keys(texts).length === 0 &&
    rate === undefined &&
    least === undefined
  ) {
    throw new DualstackError("there is nothing to change", {
      network,
      fix: "Name what to change, such as --moniker, --website or --commission.",
    });
  }
  const { operator, found } = await ownValidator(sender);
  if (found === null) {
    throw new DualstackError("the account operates no validator", {
      network,
      address: operator.hex,
      fix: `Choose its operator with --from, or make one with ${taskCommand("staking create", network)}.`,
    });
  }
  const changes = changesOf(found, texts, rate);
  if (least !== undefined) {
    const [now, next, held] = [
      found.minSelfDelegation,
      least,
      found.tokens,
    ].map((value) => tokens(nativeMoney(value, facts)));
    if (least <= found.minSelfDelegation) {
      throw new DualstackError(
        `the minimum self-delegation can only rise: it is ${now}`,
        { network, address: operator.valoper, fix: "Give more than that." },
      );
    }
    if (least > found.tokens) {
      throw new DualstackError(
        `the minimum self-delegation of ${next} is more than the validator has: ${held}`,
        { network, address: operator.valoper, fix: "Delegate to it first." },
      );
    }
    changes.push({
      what: "minimum self-delegation",
      from: now ?? "",
      to: next ?? "",
    });
  }
  const validator = nameOf(found.operator, found.description);
  if (changes.length === 0) {
    throw new DualstackError(
      `${validatorText(validator)} has these values already`,
      { network, fix: "Give a value that differs." },
    );
  }
  const keep = Object.fromEntries(
    TEXT_NAMES.map((name) => [name, KEEP.text]),
  ) as Record<TextName, string>;
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "staking",
      method: "editValidator",
      args: [
        { ...keep, ...texts },
        operator.hex,
        rate === undefined || rate === found.commissionRate
          ? KEEP.number
          : rate,
        least ?? KEEP.number,
      ],
      what: `changing ${validatorText(validator)}`,
      order: `Change ${changes.map(({ what }) => what).join(", ")} of ${validatorText(validator)}`,
    },
    options,
  );
  return { ...report, validator, changes };
}

/** The sending account, and the validator that it operates. */
async function ownValidator(sender: Sender) {
  const operator = parseAddress(await senderOf(sender), {
    prefix: sender.network.facts.bech32Prefix,
  });
  const found = await new ModuleReader(sender).ask(validatorQuestion, {
    validator: operator.valoper,
  });
  return { operator, found };
}

function changesOf(
  { description, commissionRate }: Validator,
  texts: DescriptionOptions,
  rate: bigint | undefined,
): Change[] {
  const changed = TEXT_NAMES.flatMap((name) => {
    const to = texts[name];
    return to === undefined || to === description[name]
      ? []
      : [
          {
            what: TEXTS[name].title,
            from: cleanText(description[name], TEXTS[name].most),
            to: cleanText(to, TEXTS[name].most),
          },
        ];
  });
  return rate === undefined || rate === commissionRate
    ? changed
    : [
        ...changed,
        {
          what: "commission",
          from: `${percent(commissionRate)} %`,
          to: `${percent(rate)} %`,
        },
      ];
}

/** The given texts, checked against the chain's limits. */
function descriptionOf(options: DescriptionOptions): DescriptionOptions {
  const given: Partial<Record<TextName, string>> = {};
  for (const name of TEXT_NAMES) {
    const text = options[name];
    if (text === undefined) {
      continue;
    }
    const { title, most } = TEXTS[name];
    const bytes = Buffer.byteLength(text);
    if (bytes > most) {
      throw new DualstackError(
        `the ${title} has ${bytes} bytes; the chain allows ${most}`,
        { fix: "Shorten it." },
      );
    }
    if (name === "moniker" && text.trim() === "") {
      throw new DualstackError("the moniker is empty", {
        fix: "Give the name that people know the validator by.",
      });
    }
    given[name] = text;
  }
  return given;
}

/** @returns base64 */
function parseKey(given: string): string {
  const text = /"key"\s*:\s*"([^"]*)"/.exec(given)?.[1] ?? given.trim();
  const bytes = Buffer.from(text, "base64");
  if (
    bytes.length !== KEY_BYTES ||
    bytes.toString("base64").replace(/=+$/, "") !== text.replace(/=+$/, "")
  ) {
    throw new DualstackError(
      `the consensus key is not base64 of ${KEY_BYTES} bytes: "${cleanText(text, 60)}"`,
      {
        fix: 'Give the key that "comet show-validator" prints on the validator\'s node.',
      },
    );
  }
  return bytes.toString("base64");
}

/**
 * @param text a percentage (`5%`) or a fraction (`0.05`)
 * @returns a decimal with 18 places: 10 ** 18 is 100 %
 */
function parseRate(text: string): bigint {
  const [, whole = "", fraction, sign] =
    /^\s*(\d{1,3})(?:\.(\d{1,18}))?\s*(%)?\s*$/.exec(text) ?? [];
  const digits = sign === undefined ? 18 : 16;
  // A bare 1 could mean one percent or all.
  const clear =
    whole !== "" &&
    (fraction?.length ?? 0) <= digits &&
    (sign !== undefined || fraction !== undefined || /^0+$/.test(whole));
  const rate = clear
    ? BigInt(whole + (fraction ?? "").padEnd(digits, "0"))
    : WHOLE + 1n;
  if (rate > WHOLE) {
    throw new DualstackError(
      `"${cleanText(text, 40)}" is not a rate from 0 to 100 %`,
      { fix: 'Write a percentage ("5%") or a fraction ("0.05").' },
    );
  }
  return rate;
}

function requireWithin(what: string, rate: bigint, most: bigint): void {
  if (rate > most) {
    throw new DualstackError(
      `the ${what} of ${percent(rate)} % is above the maximum commission, ${percent(most)} %`,
      { fix: "Lower it, or give a higher --max-commission." },
    );
  }
}
