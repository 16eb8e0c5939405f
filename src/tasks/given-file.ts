import { readFile } from "node:fs/promises";

import { DualstackError } from "../support/errors.js";
import { errorText } from "../support/text.js";

/**
 * Reads a file that the user named.
 *
 * @throws DualstackError naming the file when it cannot be read
 */
export async function readGivenFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new DualstackError(
      `the file ${file} cannot be read: ${isMissing ? "it does not exist" : errorText(cause)}`,
      {
        fix: `Give the path of a file that you may read, absolute or from ${process.cwd()}.`,
      },
    );
  }
}
