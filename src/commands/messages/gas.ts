import type { GasReport } from "../sending.js";

/** Estimate, limit and what was used of it. */
export function gasText({ estimate, limit, used }: GasReport): string {
  const parts = [`estimate ${estimate}`, `limit ${limit}`];
  return [...parts, ...(used === undefined ? [] : [`used ${used}`])].join(", ");
}
