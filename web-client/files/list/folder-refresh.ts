// Refreshes the shown folder during uploads, but not for each file.

import { afterChange } from '../actions/changes.ts';
import { refreshStorage } from '../storage.ts';
import { listing } from './items.ts';

/** Milliseconds: between two refreshes, before the first, and after the last file. */
const INTERVAL = 3_000;
const DELAY = 300;
const LAST_DELAY = 100;

const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | null = null;
let refreshedAt = Number.NEGATIVE_INFINITY;

/** Something was added to a folder. */
export function refreshSoon(folder: string): void {
  changed.add(folder);
  timer ??= setTimeout(refreshChanged, Math.max(DELAY, refreshedAt + INTERVAL - performance.now()));
}

/** The uploads have ended. */
export function refreshLast(): void {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(refreshChanged, LAST_DELAY);
}

function refreshChanged(): void {
  timer = null;
  refreshedAt = performance.now();
  // A new subfolder shows in its parent folders.
  const isAffected = (shown: string) => [...changed].some((path) => path === shown || path.startsWith(`${shown}/`));
  const { path, search } = listing()?.dataset ?? {};
  const isShown = path !== undefined && search === undefined && isAffected(path);
  changed.clear();
  // On other pages, only the storage has changed.
  void (isShown ? afterChange() : refreshStorage());
}
