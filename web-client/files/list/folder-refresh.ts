// The folder that is shown is read again while files come into it, but not for each of them.

import { afterChange } from '../changes.ts';
import { listing } from './items.ts';

/** Milliseconds: between two times, before the first one, and after the last file. */
const INTERVAL = 3_000;
const DELAY = 300;
const LAST_DELAY = 100;

const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | null = null;
let refreshedAt = Number.NEGATIVE_INFINITY;

/** Something is new in a folder. */
export function refreshSoon(folder: string): void {
  changed.add(folder);
  timer ??= setTimeout(refreshChanged, Math.max(DELAY, refreshedAt + INTERVAL - performance.now()));
}

/** Nothing more will be new for now. */
export function refreshLast(): void {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(refreshChanged, LAST_DELAY);
}

function refreshChanged(): void {
  timer = null;
  refreshedAt = performance.now();
  // A new folder shows in the ones above it.
  const isAffected = (shown: string) => [...changed].some((path) => path === shown || path.startsWith(`${shown}/`));
  const { path, search } = listing()?.dataset ?? {};
  const isShown = path !== undefined && search === undefined && isAffected(path);
  changed.clear();
  if (isShown) void afterChange();
}
