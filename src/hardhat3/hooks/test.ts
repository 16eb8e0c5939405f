import type { TestHooks } from "hardhat/types/hooks";

export default async (): Promise<Partial<TestHooks>> => ({
  onTestRunStart: async (context, id, next) => {
    if (id === "solidity") {
      const { tellOfForks } = await import("../solidity-forks.js");
      await tellOfForks(context);
    }
    await next(context, id);
  },
});
