import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { compileJson } from "../helpers/solc.js";

/** A source that was submitted for verification. */
export interface Submission {
  readonly address: string;
  readonly contract: string;
  /** As hex without 0x; empty if the explorer has to find them. */
  readonly constructorArguments: string;
}

/**
 * An explorer that verifies contracts with Blockscout's API: it compiles the
 * submitted source, and compares the result with the code on the chain.
 */
export class Explorer {
  readonly submissions: Submission[] = [];
  readonly #verified = new Set<string>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then((body) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(body)),
    );
  });

  readonly #codeAt: (address: string) => Promise<string>;

  private constructor(codeAt: (address: string) => Promise<string>) {
    this.#codeAt = codeAt;
  }

  static async start(
    codeAt: (address: string) => Promise<string>,
  ): Promise<Explorer> {
    const explorer = new Explorer(codeAt);
    await new Promise<void>((resolve) =>
      explorer.#server.listen(0, "127.0.0.1", resolve),
    );
    return explorer;
  }

  /** How many contracts it has verified. */
  get verified(): number {
    return this.#verified.size;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const url = new URL(request.url ?? "", this.url);
    const ok = (result: unknown) => ({ status: "1", message: "OK", result });
    // Releases differ in where they put their fields.
    const form = new URLSearchParams(await bodyOf(request));
    const action = url.searchParams.get("action") ?? form.get("action");
    switch (url.pathname === "/api" ? action : undefined) {
      case "getsourcecode": {
        const address = url.searchParams.get("address")?.toLowerCase() ?? "";
        return ok([
          this.#verified.has(address) ? { SourceCode: "contract …" } : {},
        ]);
      }
      case "verifysourcecode": {
        const field = (name: string) => form.get(name) ?? "";
        const address = field("contractaddress");
        const contract = field("contractname");
        this.submissions.push({
          address,
          contract,
          constructorArguments:
            form.get("constructorArguments") ?? field("constructorArguements"),
        });
        const [, source = "", name = ""] = /^(.*):(.*)$/.exec(contract) ?? [];
        const { contracts } = JSON.parse(compileJson(field("sourceCode")));
        const code = contracts?.[source]?.[name]?.evm.deployedBytecode.object;
        const deployed = await this.#codeAt(address);
        if (withoutMetadata(`0x${code}`) === withoutMetadata(deployed)) {
          this.#verified.add(address.toLowerCase());
        }
        return ok(address);
      }
      case "checkverifystatus": {
        const guid = url.searchParams.get("guid")?.toLowerCase() ?? "";
        return ok(
          this.#verified.has(guid)
            ? "Pass - Verified"
            : "Fail - Unable to verify",
        );
      }
      default:
        return { status: "0", message: "Unknown action", result: null };
    }
  }
}

/**
 * Only the code: the hash after it also covers the addresses of libraries, and
 * explorers ignore it.
 */
const withoutMetadata = (code: string): string =>
  code.slice(0, -2 * (Number.parseInt(code.slice(-4), 16) + 2) || undefined);

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += String(chunk);
  }
  return body;
}
