import type { AccountRecord } from '../accounts/accounts.ts';
import type { Home, Homes } from '../catalogue/homes.ts';
import { ApiError } from '../http/errors.ts';
import type { Actor } from '../lib/events.ts';

/** An account that asks, and by which way. */
export interface Asker extends Actor {
  readonly account: AccountRecord;
}

/** What a virtual path leads to, for the one who asks. */
export type Target =
  /** `/` or `/ROOT`: the list of top-level entries. */
  | { readonly kind: 'top' }
  /** `/TRASH`: what was deleted from the asker's home. */
  | { readonly kind: 'trash'; readonly home: Home }
  /** Items from everywhere that the asker may see. */
  | { readonly kind: 'list'; readonly list: ListTree; readonly home: Home }
  | { readonly kind: 'item'; readonly item: ItemTarget };

/** A place in somebody's home. It need not exist. */
export interface ItemTarget {
  readonly home: Home;
  /** Below the root of the home; empty for the root itself. */
  readonly segments: readonly string[];
  /** The virtual path of the root, without a slash at its end. */
  readonly base: string;
}

export interface Access {
  /** @throws ApiError `not_found` for what does not exist or is none of the asker's business: the same for both */
  resolve(account: AccountRecord, segments: readonly string[]): Promise<Target>;
  /** The same where only a file or folder will do. @throws ApiError also `invalid_path` for a list such as `/ROOT` */
  resolveItem(account: AccountRecord, segments: readonly string[]): Promise<ItemTarget>;
  /** The work area for content that arrives before its path does. */
  homeOf(account: AccountRecord): Promise<Home>;
}

/** The trees that are lists of what lies elsewhere, by their names in paths (§2.1). */
export const LIST_TREES = ['STARRED', 'PHOTOS', 'MUSIC'] as const;
export type ListTree = (typeof LIST_TREES)[number];

export const HOME_BASE = '/ROOT/HOME';
export const TRASH_BASE = '/TRASH';

export function createAccess(homes: Homes): Access {
  async function homeOf(account: AccountRecord): Promise<Home> {
    const home = account.homeId === null ? null : await homes.byId(account.homeId);
    if (home === null) throw notFound();
    return home;
  }

  async function resolve(account: AccountRecord, segments: readonly string[]): Promise<Target> {
    // `/ROOT/TRASH` is the same as `/TRASH`, and `/` the same as `/ROOT`.
    const [tree, ...rest] = segments[0] === 'ROOT' ? segments.slice(1) : segments;
    if (tree === undefined) return { kind: 'top' };
    if (tree === 'HOME' && segments[0] === 'ROOT') {
      return { kind: 'item', item: { home: await homeOf(account), segments: rest, base: HOME_BASE } };
    }
    if (tree === 'TRASH' && rest.length === 0) return { kind: 'trash', home: await homeOf(account) };
    const list = LIST_TREES.find((name) => name === tree);
    if (list !== undefined && rest.length === 0) return { kind: 'list', list, home: await homeOf(account) };
    throw notFound();
  }

  return {
    resolve,
    homeOf,
    async resolveItem(account, segments) {
      const target = await resolve(account, segments);
      if (target.kind === 'item') return target.item;
      throw new ApiError('invalid_path', 'This path is a list, not a file or folder.');
    },
  };
}

export function notFound(): ApiError {
  return new ApiError('not_found', 'There is no such file or folder.');
}

/** The virtual path of something below a target's root. */
export function virtualPathOf(base: string, segments: readonly string[]): string {
  return [base, ...segments].join('/');
}
