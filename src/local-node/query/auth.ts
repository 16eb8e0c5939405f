import {
  BaseAccount,
  ModuleAccount,
} from "cosmjs-types/cosmos/auth/v1beta1/auth";
import * as auth from "cosmjs-types/cosmos/auth/v1beta1/query";

import { hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";

import { parseAddress } from "../../address/index.js";
import type { Account } from "../books/books.js";
import { invalidArgument, notFound, plainFault } from "../fault.js";
import {
  account,
  given,
  method,
  type Question,
  type Service,
} from "./method.js";
import { paginate } from "./paging.js";

async function accountOf(question: Question, text: string): Promise<Account> {
  const wanted = account(question, text);
  const found = await question.books.auth.account(wanted);
  if (found === undefined) {
    throw notFound(`account ${text} not found`);
  }
  return found;
}

function anyOf({ module, ...base }: Account) {
  return module === undefined
    ? {
        typeUrl: "/cosmos.auth.v1beta1.BaseAccount",
        value: BaseAccount.encode(BaseAccount.fromPartial(base)).finish(),
      }
    : {
        typeUrl: "/cosmos.auth.v1beta1.ModuleAccount",
        value: ModuleAccount.encode(
          ModuleAccount.fromPartial({ baseAccount: base, ...module }),
        ).finish(),
      };
}

const bytesOf = (address: string) =>
  hexToBytes(parseAddress(address).hex.slice(2).toLowerCase());

/** Queries of the auth module. */
export const AUTH: Service = {
  Account: method(
    auth.QueryAccountRequest,
    auth.QueryAccountResponse,
    async (question, { address }) => ({
      account: anyOf(
        await accountOf(question, given(address, "Address cannot be empty")),
      ),
    }),
  ),
  AccountInfo: method(
    auth.QueryAccountInfoRequest,
    auth.QueryAccountInfoResponse,
    async (question, { address }) => {
      given(address, "address cannot be empty");
      const { module: _, ...info } = await accountOf(question, address);
      // The framework repeats the address as it was written.
      return { info: { ...info, address } };
    },
  ),
  Accounts: method(
    auth.QueryAccountsRequest,
    auth.QueryAccountsResponse,
    async ({ books }, { pagination }) => {
      const page = paginate(
        await books.auth.accounts(),
        pagination,
        ({ address }) => bytesOf(address),
        plainFault,
      );
      return { accounts: page.items.map(anyOf), pagination: page.pagination };
    },
  ),
  AccountAddressByID: method(
    auth.QueryAccountAddressByIDRequest,
    auth.QueryAccountAddressByIDResponse,
    async ({ books }, { id, accountId }) => {
      if (id !== 0n) {
        throw invalidArgument(
          "requesting with id isn't supported, try to request using account-id",
        );
      }
      const found = (await books.auth.accounts()).find(
        ({ accountNumber }) => accountNumber === accountId,
      );
      if (found === undefined) {
        throw notFound(
          `account address not found with account number ${accountId}`,
        );
      }
      return { accountAddress: found.address };
    },
  ),
  ModuleAccountByName: method(
    auth.QueryModuleAccountByNameRequest,
    auth.QueryModuleAccountByNameResponse,
    async ({ books }, { name }) => {
      given(name, "module name is empty");
      const found = (await books.auth.moduleAccounts()).find(
        ({ module }) => module?.name === name,
      );
      if (found === undefined) {
        throw notFound(`account ${name} not found`);
      }
      return { account: anyOf(found) };
    },
  ),
  ModuleAccounts: method(
    auth.QueryModuleAccountsRequest,
    auth.QueryModuleAccountsResponse,
    async ({ books }) => ({
      accounts: (await books.auth.moduleAccounts()).map(anyOf),
    }),
  ),
  Bech32Prefix: method(
    auth.Bech32PrefixRequest,
    auth.Bech32PrefixResponse,
    async ({ ledger: { prefix } }) =>
      await Promise.resolve({ bech32Prefix: prefix }),
  ),
  AddressBytesToString: method(
    auth.AddressBytesToStringRequest,
    auth.AddressBytesToStringResponse,
    async ({ ledger: { prefix } }, { addressBytes }) => {
      if (addressBytes.length === 0) {
        throw plainFault("empty address bytes is not allowed");
      }
      const words = bech32.toWords(addressBytes);
      return await Promise.resolve({
        addressString: bech32.encode(prefix, words, false),
      });
    },
  ),
  AddressStringToBytes: method(
    auth.AddressStringToBytesRequest,
    auth.AddressStringToBytesResponse,
    async (question, { addressString }) => {
      if (addressString.trim() === "") {
        throw plainFault("empty address string is not allowed");
      }
      return await Promise.resolve({
        addressBytes: bytesOf(account(question, addressString)),
      });
    },
  ),
  Params: method(auth.QueryParamsRequest, auth.QueryParamsResponse, async () =>
    Promise.resolve({
      params: {
        maxMemoCharacters: 256n,
        txSigLimit: 7n,
        txSizeCostPerByte: 10n,
        sigVerifyCostEd25519: 590n,
        sigVerifyCostSecp256k1: 1000n,
      },
    }),
  ),
};
