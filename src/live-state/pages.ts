import type { AtBlock, Fields, View } from "./at-block.js";
import { fields } from "./values.js";
import { UnreadError } from "./unreadable.js";

/** Entries of a page. */
const LIMIT = 100n;
/** No chain has so many of anything that is read here. */
const MAX_PAGES = 200;

/** All pages of a view whose last argument says which one. */
export async function allPages(
  at: AtBlock,
  view: View,
  first?: Fields,
): Promise<Fields[]> {
  const pages: Fields[] = [];
  const seen = new Set<string>();
  let page = first ?? (await at.view(pageOf(view, "0x")));
  for (;;) {
    pages.push(page);
    const key = String(fields(page.pageResponse).nextKey ?? "0x");
    if (key === "0x") return pages;
    if (seen.has(key) || pages.length >= MAX_PAGES) {
      throw new UnreadError(
        `${view.precompile}.${view.method} has no end: the node gives page after page`,
        { fix: "Fork from another node." },
      );
    }
    seen.add(key);
    page = await at.view(pageOf(view, key));
  }
}

/** The view's page that begins at a key. */
export const pageOf = (view: View, key: string): View => ({
  ...view,
  args: [...(view.args ?? []), [key, 0n, LIMIT, false, false]],
});

/** The first page as the node has it by itself. */
export const firstPageOf = (view: View): View => ({
  ...view,
  args: [...(view.args ?? []), ["0x", 0n, 0n, false, false]],
});
