import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { LruCache } from '../../lib/lru-cache.ts';
import { foldName } from '../../lib/names/names.ts';
import { normalized } from '../../lib/names/normalized.ts';

/** The part of an open folder needed to read its names. */
interface NamedFolder {
  readonly stats: BigIntStats;
  at(name: string): string;
}

/** Most names in memory, over all folders. */
const KEPT_NAMES = 200_000;
/**
 * Milliseconds for which a folder's names are valid while its time stays the same. Not longer: two changes within one tick of a
 * disk's clock have the same time, and some folders of FAT have none.
 */
const BELIEVED = 1_000;

interface Names {
  /** The folder's modification time when it had these names. */
  changed: bigint;
  /** When they were read, milliseconds since the epoch. */
  readonly read: number;
  /** By the form in which a case-insensitive disk compares names. */
  readonly byFold: Map<string, string[]>;
}

/**
 * A cache of the names in folders, to find those a new one would collide with. Reading a folder of thousands for every new file
 * would be most of the work.
 */
export class FolderNames {
  readonly #kept = new LruCache<Names>(KEPT_NAMES, ({ byFold }) => byFold.size + 1);
  readonly #loose = new LruCache<boolean>(1_000);

  /**
   * The existing name that this one would collide with: itself first, then a name that differs in case or composition only.
   * @param except the item to be renamed, which is no obstacle to itself
   */
  twinOf(folder: NamedFolder, name: string, except: string | null = null): string | null {
    const exact = lstatSync(folder.at(name), { throwIfNoEntry: false });
    const twins = (fromMemory: boolean) => this.#alike(folder, name, fromMemory).filter((other) => other !== except);
    const remembered = twins(true);
    // On a case-insensitive disk the exact lookup finds the variant as well; its spelling on the disk counts.
    if (exact !== undefined && remembered.includes(name)) return name;
    // A cached name may have disappeared since, and one that was added within the same tick of the disk's clock is not cached.
    const present = remembered.length > 0 || exact !== undefined ? twins(false) : [];
    if (exact !== undefined && present.includes(name)) return name;
    return present[0] ?? (exact === undefined || except !== null ? null : name);
  }

  /** How the disk spells a name: exactly these bytes first, then the same text in another composition; null for neither. */
  spellingOf(folder: NamedFolder, name: string): string | null {
    const composed = normalized(name, 'NFC');
    const among = (names: readonly string[]) =>
      names.find((other) => other === name) ?? names.find((other) => normalized(other, 'NFC') === composed) ?? null;
    return among(this.#alike(folder, name, true)) ?? among(this.#alike(folder, name, false));
  }

  /**
   * Whether a folder's disk ignores case. The disk itself is asked, because every system can have either kind.
   * @param known a name in it, with a letter
   */
  isLoose(folder: NamedFolder, known: string): boolean {
    const key = keyOf(folder);
    let loose = this.#loose.get(key);
    if (loose === undefined) {
      const [own, other] = [known, swapCase(known)].map((name) =>
        lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false }),
      );
      const isFound = own !== undefined && other !== undefined && own.ino === other.ino && own.dev === other.dev;
      // Two existing names of one file look the same, but then both are listed.
      loose = isFound && !readdirSync(folder.at('.')).includes(swapCase(known));
      this.#loose.set(key, loose);
    }
    return loose;
  }

  /** Called after we added a new name to a folder whose names were just read. */
  added(folder: NamedFolder, name: string): void {
    const key = keyOf(folder);
    const names = this.#kept.get(key);
    if (names === undefined) return;
    this.#kept.delete(key);
    if (names.changed !== folder.stats.mtimeNs) return;
    const fold = foldName(name);
    names.byFold.set(fold, [...(names.byFold.get(fold) ?? []), name]);
    names.changed = lstatSync(folder.at('.'), { bigint: true }).mtimeNs;
    this.#kept.set(key, names);
  }

  #alike(folder: NamedFolder, name: string, fromMemory: boolean): readonly string[] {
    const key = keyOf(folder);
    const kept = fromMemory ? this.#kept.get(key) : undefined;
    const now = Date.now();
    const isBelieved = kept?.changed === folder.stats.mtimeNs && Math.abs(now - kept.read) < BELIEVED;
    const names = kept !== undefined && isBelieved ? kept : this.#read(folder, key, now);
    return names.byFold.get(foldName(name)) ?? [];
  }

  #read(folder: NamedFolder, key: string, now: number): Names {
    const byFold = new Map<string, string[]>();
    for (const name of readdirSync(folder.at('.'))) {
      const fold = foldName(name);
      const same = byFold.get(fold);
      if (same === undefined) byFold.set(fold, [name]);
      else same.push(name);
    }
    const names: Names = { changed: folder.stats.mtimeNs, read: now, byFold };
    this.#kept.set(key, names);
    return names;
  }
}

function swapCase(name: string): string {
  return name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
}

function keyOf({ stats: { dev, ino } }: NamedFolder): string {
  return `${dev}:${ino}`;
}
