import { lstatSync, readdirSync } from 'node:fs';
import { LruCache } from '../lib/lru-cache.ts';
import { foldName } from '../lib/names.ts';
import type { FolderHandle } from './folder-handle.ts';

/** Names that are kept in memory, over all folders. */
const KEPT_NAMES = 200_000;
/** Two changes closer to each other than this may carry the same time. Milliseconds; file systems tick in up to ten. */
const TICK = 50;
/** How long a folder's names are believed while we ourselves add to it. Milliseconds. */
const BURST = 1_000;

interface Names {
  /** The folder's modification time when these were its names. */
  changed: bigint;
  /** When they were read, milliseconds since the epoch. */
  readonly read: number;
  /** Whether a change by another program would show in the time: not when it may have come within the same tick. */
  isSettled: boolean;
  /** By what a disk that ignores case takes a name for. */
  readonly byFold: Map<string, string[]>;
}

/**
 * The names in folders, to find those that a new one would collide with. Reading a folder of thousands for every file that
 * is put into it would be most of the work, so the names are kept for as long as the folder's time says that they are right.
 */
export class FolderNames {
  readonly #kept = new LruCache<Names>(KEPT_NAMES, ({ byFold }) => byFold.size + 1);

  /**
   * What this name would collide with: itself first, then a name that differs in case or composition only.
   * @param except the item that is to get the name: it does not stand in its own way
   */
  twinOf(folder: FolderHandle, name: string, except: string | null = null): string | null {
    const exact = lstatSync(folder.at(name), { throwIfNoEntry: false });
    const twins = (this.#namesOf(folder).byFold.get(foldName(name)) ?? []).filter((other) => other !== except);
    // On a disk that ignores case the exact look finds the twin as well; its own spelling is the one that counts.
    if (exact !== undefined && twins.includes(name)) return name;
    return twins[0] ?? (exact === undefined || except !== null ? null : name);
  }

  /** Told after we have put a new name into a folder whose names were just looked at. */
  added(folder: FolderHandle, name: string): void {
    const key = keyOf(folder);
    const names = this.#kept.get(key);
    if (names === undefined) return;
    this.#kept.delete(key);
    if (names.changed !== folder.stats.mtimeNs) return;
    const fold = foldName(name);
    names.byFold.set(fold, [...(names.byFold.get(fold) ?? []), name]);
    names.changed = lstatSync(folder.at('.'), { bigint: true }).mtimeNs;
    names.isSettled = false;
    this.#kept.set(key, names);
  }

  #namesOf(folder: FolderHandle): Names {
    const key = keyOf(folder);
    const kept = this.#kept.get(key);
    const { mtimeNs } = folder.stats;
    const now = Date.now();
    if (kept?.changed === mtimeNs && (kept.isSettled || Math.abs(now - kept.read) < BURST)) return kept;
    const byFold = new Map<string, string[]>();
    for (const name of readdirSync(folder.at('.'))) {
      const fold = foldName(name);
      const same = byFold.get(fold);
      if (same === undefined) byFold.set(fold, [name]);
      else same.push(name);
    }
    const isSettled = Math.abs(now - Number(folder.stats.mtimeMs)) > TICK;
    const names: Names = { changed: mtimeNs, read: now, isSettled, byFold };
    this.#kept.set(key, names);
    return names;
  }
}

function keyOf({ stats: { dev, ino } }: FolderHandle): string {
  return `${dev}:${ino}`;
}
