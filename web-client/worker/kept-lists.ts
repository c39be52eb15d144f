// The lists that a person has seen last, kept on a device that they have called their own: as JSON, without tokens and contents.
//
// Every reply below `/files` that is for this account on its own device says so in a header (server/web/files/last-seen/mark.ts).
// Any other reply means that somebody else uses the device, or that the account has ended, and clears everything. The header also
// changes with what others share with the account: the next reply clears what is kept of shares.

import type { SeenList } from '../../server/web/files/last-seen/seen-list.ts';

/** What the page without a server gets. */
export interface KeptAnswer {
  readonly list: KeptList | null;
  /** All lists, the newest first. */
  readonly places: readonly Pick<KeptList, 'path' | 'name' | 'seenAt'>[];
}

export interface KeptList extends Omit<SeenList, 'account' | 'isShared'> {
  /** When it was seen, by the clock of this device, in milliseconds since the epoch. */
  readonly seenAt: number;
}

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly seenAt: number;
  readonly isShared: boolean;
  /** Characters of its JSON. */
  readonly length: number;
}

interface State {
  readonly account: string;
  /** The digests of the header. */
  readonly own: string;
  readonly shared: string;
  /** The latest time at which this was used: the clock cannot have been before it. */
  readonly usedAt: number;
  /** The newest first. */
  readonly entries: readonly Entry[];
}

interface KeptLists {
  /** What a request notes when it begins: its reply says nothing of what was decided since. */
  begun(): number;
  /**
   * Decides by a reply whether what is kept may stay.
   * @param begun of its request @returns whether the account that it is for may keep lists here
   */
  review(status: number, headers: Headers, begun: number): Promise<boolean>;
  /** Asks the server whose device this is, if anything is kept, or if it has changed. @returns like `review` */
  ask(isChanged: boolean): Promise<boolean>;
  /** Keeps the present list of a folder, or forgets it if there is none now. */
  keep(path: string): Promise<void>;
  /** A reply with a `KeptAnswer`. */
  answer(path: string | null): Promise<Response>;
}

/** Removed together with the worker, by the beginning of its name. */
const CACHE = 'larder-lists';
const HEADER = 'X-Kept-Lists';
const MAX_LISTS = 40;
/** Characters of one list, and of all of them. */
const MAX_LENGTH = 200_000;
const MAX_TOTAL = 1_000_000;
/** Milliseconds after which a list is forgotten. */
const LIFETIME = 7 * 24 * 60 * 60 * 1_000;
/** How far back a clock may be set when it is corrected, in milliseconds. */
const CORRECTION = 5 * 60 * 1_000;

/** The same for every way to write a path. */
const plain = (path: string) => `/${path.split('/').filter(Boolean).join('/')}`;

/**
 * @param base the address of the file pages, without a trailing slash
 * @param lists the address of the lists, which is also their key in the cache
 */
export function keptLists({ base, lists }: { readonly base: string; readonly lists: string }): KeptLists {
  const keyOf = (path: string) => `${lists}?${new URLSearchParams({ path })}`;
  let last: Promise<unknown> = Promise.resolve();
  let asking: Promise<boolean> | null = null;
  let isAskedAgain = false;
  /** How often the lists were deleted by a reply. */
  let deletions = 0;

  /** One after the other, so that nothing is written over what was decided meanwhile. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  const clear = () => caches.delete(CACHE);

  async function write(state: State): Promise<void> {
    const cache = await caches.open(CACHE);
    try {
      await cache.put(lists, Response.json({ ...state, usedAt: Math.max(state.usedAt, Date.now()) }));
    } catch (error) {
      // Without room, nothing is kept: what has no state would never be deleted.
      await clear();
      throw error;
    }
  }

  /** What is kept now. Lists that are too old are forgotten; with a clock that was set back, nobody knows how old they are. */
  async function read(): Promise<State | null> {
    if (!(await caches.has(CACHE))) return null;
    const cache = await caches.open(CACHE);
    const state: State | undefined = await (await cache.match(lists))?.json().catch(() => undefined);
    const now = Date.now();
    if (state === undefined || now < state.usedAt - CORRECTION) {
      await clear();
      return null;
    }
    const rest = await without(state, ({ seenAt }) => now - seenAt >= LIFETIME);
    const isFresh = rest === state && now - state.usedAt < LIFETIME;
    if (rest.entries.length > 0 || isFresh) return rest;
    await clear();
    return null;
  }

  async function without(state: State, isGone: (entry: Entry) => boolean): Promise<State> {
    const gone = state.entries.filter(isGone);
    if (gone.length === 0) return state;
    const cache = await caches.open(CACHE);
    await Promise.all(gone.map(({ path }) => cache.delete(keyOf(path))));
    const rest = { ...state, entries: state.entries.filter((entry) => !isGone(entry)) };
    await write(rest);
    return rest;
  }

  /** @returns what is kept for the account of the reply, and whether it is as before; null for a reply that is of nobody here */
  async function decide(
    status: number,
    headers: Headers,
    begun: number,
  ): Promise<{ state: State; isSame: boolean } | null> {
    // What the account itself is refused has the header, too.
    const [account, own, shared] = status === 401 ? [] : (headers.get(HEADER) ?? '').split(' ');
    if (account === undefined || own === undefined || shared === undefined) {
      deletions += 1;
      await clear();
      return null;
    }
    const state = await read();
    if (state === null || state.account !== account || state.own !== own) {
      // A reply that was on its way when the lists were deleted must not begin them again.
      if (begun !== deletions) return null;
      await clear();
      const fresh = { account, own, shared, usedAt: Date.now(), entries: [] };
      await write(fresh);
      return { state: fresh, isSame: state === null };
    }
    if (state.shared === shared) {
      if (Date.now() - state.usedAt > CORRECTION) await write(state);
      return { state, isSame: true };
    }
    const changed = { ...(await without(state, ({ isShared }) => isShared)), shared };
    await write(changed);
    return { state: changed, isSame: false };
  }

  /** A server that is too busy, or a proxy without a server, says nothing of accounts. */
  const saysNothing = (status: number) => status >= 500 || status === 429;

  function review(status: number, headers: Headers, begun: number): Promise<boolean> {
    return inTurn(async () => !saysNothing(status) && (await decide(status, headers, begun)) !== null);
  }

  const request = (address: string) =>
    fetch(address, { headers: { Accept: 'application/json' }, redirect: 'manual', cache: 'no-store' }).catch(
      () => null,
    );

  async function askUntilAnswered(): Promise<boolean> {
    let isOwn = false;
    try {
      do {
        isAskedAgain = false;
        const begun = deletions;
        const reply = await request(`${base}/session`);
        isOwn = reply !== null && (await review(reply.status, reply.headers, begun));
      } while (isAskedAgain);
    } finally {
      asking = null;
    }
    return isOwn;
  }

  async function keep(written: string): Promise<void> {
    const path = plain(written);
    const begun = deletions;
    const reply = await request(`${base}/last-seen?${new URLSearchParams({ path })}`);
    if (reply === null || saysNothing(reply.status)) return;
    const body: { readonly data?: SeenList } | null = reply.ok ? await reply.json().catch(() => null) : null;
    await inTurn(async () => {
      const decided = await decide(reply.status, reply.headers, begun);
      if (decided === null) return;
      const { state, isSame } = decided;
      const rest = await without(state, (entry) => entry.path === path);
      const list = body?.data;
      // What was shared when it was read may not be any more. It is kept when it is seen the next time.
      if (!isSame || list === undefined || String(list.account) !== state.account) return;
      const { account: _, isShared, ...shown } = list;
      const seenAt = Date.now();
      const text = JSON.stringify({ ...shown, seenAt } satisfies KeptList);
      if (text.length > MAX_LENGTH) return;
      const entry = { path, name: list.name, seenAt, isShared, length: text.length };
      const bounded = await within({ ...rest, entries: [entry, ...rest.entries] });
      // The entry comes first: what has none would never be forgotten.
      await write(bounded);
      const cache = await caches.open(CACHE);
      const type = { headers: { 'Content-Type': 'application/json' } };
      // Without room, the device keeps less.
      await cache.put(keyOf(path), new Response(text, type)).catch(() => without(bounded, (one) => one.path === path));
    });
  }

  /** Forgets what was seen longest ago. */
  function within(state: State): Promise<State> {
    let total = 0;
    const kept = new Set<string>();
    for (const { path, length } of state.entries.slice(0, MAX_LISTS)) {
      total += length;
      if (total > MAX_TOTAL) break;
      kept.add(path);
    }
    return without(state, ({ path }) => !kept.has(path));
  }

  return {
    begun: () => deletions,
    review,
    async ask(isChanged) {
      if (!isChanged && !(await caches.has(CACHE))) return false;
      // An answer on its way may be older than the question.
      if (asking !== null) isAskedAgain = true;
      else asking = askUntilAnswered();
      return asking;
    },
    keep,
    answer(written) {
      const path = written === null ? null : plain(written);
      return inTurn(async () => {
        const state = await read();
        const found =
          state === null || path === null ? undefined : await caches.match(keyOf(path), { cacheName: CACHE });
        if (state !== null) await write(state);
        const list: KeptList | null = (await found?.json().catch(() => null)) ?? null;
        const places = state?.entries.map(({ path: at, name, seenAt }) => ({ path: at, name, seenAt })) ?? [];
        return Response.json({ list, places } satisfies KeptAnswer, { headers: { 'Cache-Control': 'no-store' } });
      });
    },
  };
}
