import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { foldName } from '../../../dist/server/lib/names/names.js';
import type { Random } from '../../model/random.ts';

/**
 * Names of files and of folders; those that are equal when folded are one to Larder. No name is in both: version 3.7 of the client
 * keeps a file twice that was moved into a new folder which has the name of a file that is gone.
 */
const FILES = ['Plum.txt', 'plum.txt', 'plum jam.txt', 'ä ö.txt', 'ä ö.txt'.normalize('NFD'), 'Ä Ö.txt', 'z.txt'];
const FOLDERS = ['Plums', 'plums', 'é', 'é'.normalize('NFD'), 'Ü'.normalize('NFD'), 'deep'];
/** What no new item may be called. */
const REFUSED = ['con', 'nul.txt', 'a:b', 'what?', 'x.', 'y '];
/** More than that, and items are removed. */
const MANY = 24;

interface Found {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Random edits of files and folders. Every content is new: it says by itself who has made it. */
export class Edits {
  readonly #random: Random;
  readonly #bin: string;
  #contents = 0;
  #names = 0;
  #removed = 0;
  /** The paths before these edits. */
  #before: readonly string[] = [];
  /** The paths of folders that were moved or removed by these edits, before and after. */
  #moved: string[] = [];
  /** Folders of these edits with names that Larder refuses. */
  #refused: string[] = [];
  /** The folders that were moved since `beginRound`, in order: from where, and to where. */
  #folderMoves: (readonly [from: string, to: string])[] = [];

  /** @param bin a folder outside, on the same disk, which is made when it is needed */
  constructor(random: Random, bin: string) {
    [this.#random, this.#bin] = [random, bin];
  }

  /** Writes a content that was nowhere before. */
  async write(path: string): Promise<string> {
    this.#contents += 1;
    // The client recognizes a change by size and time in seconds.
    const content = `${this.#contents} ${'x'.repeat(this.#contents % 1_000)}`;
    this.done.push(`write ${path}: ${this.#contents}`);
    await writeFile(path, content);
    await utimes(path, this.#seconds, this.#seconds);
    return content;
  }

  /** What was done since `beginRound`, in order. */
  readonly done: string[] = [];

  beginRound(): void {
    this.done.length = 0;
    this.#folderMoves = [];
  }

  /** Where something would have been before the moves of folders of this round. */
  formerPath(path: string): string {
    return this.#folderMoves.reduceRight(
      (at, [from, to]) => (at.startsWith(`${to}/`) ? `${from}${at.slice(to.length)}` : at),
      path,
    );
  }

  /** Where something would be after them. */
  laterPath(path: string): string {
    return this.#folderMoves.reduce(
      (at, [from, to]) => (at.startsWith(`${from}/`) ? `${to}${at.slice(from.length)}` : at),
      path,
    );
  }

  /** A name that nothing else has. */
  freshName(): string {
    this.#names += 1;
    return `fresh ${this.#names}`;
  }

  /** @param refused also gives items names that Larder refuses */
  async make(folder: string, steps: number, refused: boolean): Promise<void> {
    await mkdir(folder, { recursive: true });
    this.#before = (await itemsOf(folder)).map(({ path }) => path);
    this.#moved = [];
    this.#refused = [];
    for (let step = 0; step < steps; step += 1) await this.#one(folder, refused);
  }

  async #one(folder: string, mayBeRefused: boolean): Promise<void> {
    const random = this.#random;
    const items = await itemsOf(folder);
    const files = items.filter(({ isFolder }) => !isFolder);
    const folders = [folder, ...items.filter(({ isFolder }) => isFolder).map(({ path }) => path)];
    const weights = { create: 4, change: 3, rename: 2, move: 3, remove: items.length > MANY ? 9 : 1.5, folder: 2 };
    const kind = random.weighted({ ...weights, refused: mayBeRefused ? 1 : 0 });
    const item = items.length === 0 ? null : random.pick(items);
    const inside = random.pick(folders);
    if (kind === 'refused') return this.#makeRefused(inside);
    const name = random.pick(kind === 'folder' || (kind !== 'create' && item?.isFolder) ? FOLDERS : FILES);
    if (kind === 'change' && files.length > 0) return void (await this.write(random.pick(files).path));
    if (item !== null && kind === 'remove') return this.#remove(item);
    if (item !== null && kind === 'rename') return this.#move(item, dirname(item.path), name);
    if (item !== null && kind === 'move')
      return this.#move(item, inside, random.chance(0.5) ? basename(item.path) : name);
    const isFolder = FOLDERS.includes(name);
    if ((await twinsOf(inside, name)).length > 0) return;
    // If the client is cut off while it moves the item that had the name, it moves it back: then the new one is refused.
    if (!mayBeRefused && this.#isHeld(name)) return;
    if (isFolder) {
      this.done.push(`make ${join(inside, name)}`);
      await mkdir(join(inside, name));
    } else await this.write(join(inside, name));
  }

  /** A folder goes to the bin: the client recognizes folders by their inodes, and would take one that is new for this one, moved. */
  async #remove({ path, isFolder }: Found): Promise<void> {
    if (isFolder && this.#isNested(path)) return;
    this.done.push(`remove ${path}`);
    if (!isFolder) return rm(path);
    this.#moved.push(path);
    this.#removed += 1;
    await mkdir(this.#bin, { recursive: true });
    await rename(path, join(this.#bin, String(this.#removed)));
  }

  async #makeRefused(folder: string): Promise<void> {
    const random = this.#random;
    const there = await readdir(folder);
    // Of an item that comes here with these edits, either one could be refused: which one is sent first is up to the client.
    const known = there.filter((name) => this.#before.includes(join(folder, name)));
    const twins = known.flatMap(otherSpellings).filter((name) => !there.includes(name));
    const name = random.pick(twins.length > 0 && random.chance(0.5) ? twins : REFUSED);
    if (there.includes(name)) return;
    if (random.chance(0.7)) return void (await this.write(join(folder, name)));
    this.#refused.push(join(folder, name));
    await mkdir(join(folder, name));
    await this.write(join(folder, name, 'inside.txt'));
  }

  /** Moves an item, unless its name is taken there or it would be inside itself. */
  async #move({ path, isFolder }: Found, folder: string, name: string): Promise<void> {
    const target = join(folder, name);
    if (`${target}/`.startsWith(`${path}/`)) return;
    // Version 3.7 of the client forgets a file that was moved from a folder that it moves into one that is refused.
    if (this.#refused.some((refused) => `${folder}/`.startsWith(`${refused}/`))) return;
    const isSpelling = folder === dirname(path) && foldName(name) === foldName(basename(path));
    // The client deletes and renames last, and undoes a move whose name another item still has to Larder.
    if (this.#isHeld(name) && !isSpelling) return;
    const twins = (await twinsOf(folder, name)).filter((twin) => join(folder, twin) !== path);
    if (twins.length > 0 || (isFolder && this.#isNested(path))) return;
    if (isFolder) {
      this.#moved.push(path, target);
      this.#folderMoves.push([path, target]);
    }
    this.done.push(`move ${path} to ${target}`);
    await rename(path, target);
  }

  /**
   * Whether a folder is inside one that was moved or removed, or the reverse: version 3.7 of the client forgets to remove a folder that
   * was in one that it moves.
   */
  #isNested(path: string): boolean {
    return this.#moved.some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  }

  /** Whether another spelling of a name was somewhere before these edits. */
  #isHeld(name: string): boolean {
    return this.#before.map((path) => basename(path)).some((one) => one !== name && foldName(one) === foldName(name));
  }

  /** Of the last content: no two are of the same second. */
  get #seconds(): number {
    return 1_700_000_000 + this.#contents;
  }
}

async function twinsOf(folder: string, name: string): Promise<string[]> {
  return (await readdir(folder)).filter((other) => foldName(other) === foldName(name));
}

function otherSpellings(name: string): string[] {
  return [name.toUpperCase(), name.normalize('NFC'), name.normalize('NFD')].filter((other) => other !== name);
}

async function itemsOf(folder: string): Promise<Found[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
