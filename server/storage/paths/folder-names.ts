import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { LruCache } from '../../lib/lru-cache.ts';
import { foldName } from '../../lib/names/names.ts';
import { normalized } from '../../lib/names/normalized.ts';

/** As much of an open folder as its names are read through. */
export interface NamedFolder {
  readonly stats: BigIntStats;
  at(name: string): string;
}

/** Names that are kept in memory, over all folders. */
const KEPT_NAMES = 200_000;
/**
 * How long a folder's names are believed while its time stays the same. Milliseconds. Not longer: two changes within one
 * tick of a disk's clock carry the same time, and some folders of FAT carry none.
 */
const BELIEVED = 1_000;

interface Names {
  /** The folder's modification time when these were its names. */
  changed: bigint;
  /** When they were read, milliseconds since the epoch. */
  readonly read: number;
  /** By what a disk that ignores case takes a name for. */
  readonly byFold: Map<string, string[]>;
}

/**
 * The names in folders, to find those that a new one would collide with. Reading a folder of thousands for every file that
 * is put into it would be most of the work, so the names are kept for a moment.
 */
export class FolderNames {
  readonly #kept = new LruCache<Names>(KEPT_NAMES, ({ byFold }) => byFold.size + 1);
  readonly #loose = new LruCache<boolean>(1_000);

  /**
   * What this name would collide with: itself first, then a name that differs in case or composition only.
   * @param except the item that is to get the name: it does not stand in its own way
   */
  twinOf(folder: NamedFolder, name: string, except: string | null = null): string | null {
    const exact = lstatSync(folder.at(name), { throwIfNoEntry: false });
    const twins = (fromMemory: boolean) => this.#alike(folder, name, fromMemory).filter((other) => other !== except);
    const remembered = twins(true);
    // On a disk that ignores case the exact look finds the twin as well; its own spelling is the one that counts.
    if (exact !== undefined && remembered.includes(name)) return name;
    // What stands in the way may be gone since it was remembered: of that memory is no witness.
    const twin = remembered.length > 0 ? twins(false)[0] : undefined;
    return twin ?? (exact === undefined || except !== null ? null : name);
  }

  /** How the disk spells a name: exactly these bytes first, then the same text in another composition; null for neither. */
  spellingOf(folder: NamedFolder, name: string): string | null {
    const composed = normalized(name, 'NFC');
    const among = (names: readonly string[]) =>
      names.find((other) => other === name) ?? names.find((other) => normalized(other, 'NFC') === composed) ?? null;
    return among(this.#alike(folder, name, true)) ?? among(this.#alike(folder, name, false));
  }

  /**
   * Whether the disk of a folder finds a file under a spelling that differs in case from its own. Asked of the disk itself:
   * every system can have disks of either kind.
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
      // Two names of one file look the same, but there both of them are listed.
      loose = isFound && !readdirSync(folder.at('.')).includes(swapCase(known));
      this.#loose.set(key, loose);
    }
    return loose;
  }

  /** Told after we have put a new name into a folder whose names were just looked at. */
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
