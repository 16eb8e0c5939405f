import type { Addressable, Signer } from "ethers";
import type { Artifact } from "hardhat/types/artifacts";

import type { DualstackConfig } from "./config/resolve.js";
import type { DualstackUserConfig } from "./config/user-config.js";
import type { PrecompileName } from "./precompiles/addresses.js";
import type { PRECOMPILES } from "./precompiles/catalog.js";
import type { TypedContract } from "./precompiles/ethers/types.js";
import type { InterfaceName } from "./precompiles/interfaces.js";
import type {
  ConnectionPrecompiles,
  DualstackConnection,
  DualstackEnvironment,
  DualstackNetworkOptions,
} from "./hardhat3/types.js";
import type {
  DualstackTaskArguments,
  DualstackTaskId,
  DualstackTaskReport,
} from "./tasks/typed.js";

// So that projects with this plugin have the types of `connection.ethers`.
export type * from "@nomicfoundation/hardhat-ethers";

declare module "hardhat/types/config" {
  interface HardhatUserConfig {
    /** Settings of hardhat-dualstack: networks, gas buffer and facts of the chain. */
    dualstack?: DualstackUserConfig;
  }

  interface HardhatConfig {
    dualstack: DualstackConfig;
  }

  interface HttpNetworkConfig {
    /** Only on the plugin's networks. */
    dualstack?: DualstackNetworkOptions;
  }

  interface EdrNetworkForkingUserConfig {
    /** The name of one of the chain's networks, instead of its URL. */
    network?: string;
  }

  interface EdrNetworkConfig {
    /** Only on the plugin's local network. */
    dualstack?: DualstackNetworkOptions;
  }
}

type InterfaceAbis = {
  [N in PrecompileName as InterfaceName<N>]: (typeof PRECOMPILES)[N]["abi"];
};

declare module "@nomicfoundation/hardhat-ethers/types" {
  interface HardhatEthersHelpers {
    /**
     * A precompile by the name of its interface; `connection.precompiles` has
     * all of them with their addresses.
     */
    getContractAt<Name extends keyof InterfaceAbis>(
      name: Name,
      address: string | Addressable,
      signer?: Signer,
    ): Promise<TypedContract<InterfaceAbis[Name]>>;
  }
}

type InterfaceArtifacts = {
  [Name in keyof InterfaceAbis as `hardhat-dualstack/contracts/${Name}.sol:${Name}`]: Artifact<
    InterfaceAbis[Name]
  >;
};

declare module "hardhat/types/artifacts" {
  // By their full names only: a project may have an interface of the same bare name.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a map can only be added to as an interface
  interface ArtifactMap extends InterfaceArtifacts {}
}

declare module "hardhat/types/tasks" {
  /** A task of hardhat-dualstack, for code that runs it. */
  interface DualstackTask<Id extends DualstackTaskId> extends Task {
    /**
     * Runs the task as the command line does.
     *
     * @returns the figures that it prints
     */
    run(
      ...given: object extends DualstackTaskArguments<Id>
        ? [taskArguments?: DualstackTaskArguments<Id>]
        : [taskArguments: DualstackTaskArguments<Id>]
    ): Promise<DualstackTaskReport<Id>>;
  }

  interface TaskManager {
    getTask<Id extends DualstackTaskId>(taskId: Id): DualstackTask<Id>;
  }
}

declare module "hardhat/types/hre" {
  interface HardhatRuntimeEnvironment {
    /** What hardhat-dualstack offers outside connections. */
    dualstack: DualstackEnvironment;
  }
}

declare module "hardhat/types/network" {
  interface NetworkConnection<
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the declarations of an interface must agree in their parameters
    ChainTypeT extends ChainType | string = DefaultChainType,
  > {
    /** The chain's precompiles as typed contracts. */
    readonly precompiles: ConnectionPrecompiles;
    /** Everything else that hardhat-dualstack offers on this connection. */
    readonly dualstack: DualstackConnection;
  }
}
