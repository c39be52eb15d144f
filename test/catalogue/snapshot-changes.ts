import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { FolderContent } from '../../dist/server/catalogue/catalogue.js';
import type { Random } from '../model/random.ts';

/** What a listing must say of a folder: name, type, size, inode and time of each entry. */
export function onDisk(root: string, segments: readonly string[]): string[] {
  const folder = join(root, ...segments);
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.larder-'))
    .map((name) => ({ name, stats: lstatSync(join(folder, name), { bigint: true }) }))
    .filter(({ stats }) => stats.isFile() || stats.isDirectory())
    .map(({ name, stats }) => line(name, stats.isDirectory(), Number(stats.size), stats.ino, stats.mtimeNs))
    .sort();
}

/** The same from a listing. */
export function listed({ listing }: FolderContent): string[] {
  const { names, folderCount, sizes, inodes, changes } = listing;
  return names
    .map((name, at) => line(name, at < folderCount, sizes[at] ?? -1, inodes[at] ?? 0n, changes[at] ?? 0n))
    .sort();
}

function line(name: string, isDir: boolean, size: number, inode: bigint, time: bigint): string {
  return `${name} ${isDir ? 'folder' : size} ${inode} ${time}`;
}

/** Changes by other programs in `a/b`, by what they do; all of them change the listing of `a/b`, or of `a`. */
export const CHANGES: Readonly<Record<string, (root: string) => void>> = {
  'creates a file': (root) => writeFileSync(join(root, 'a/b/new.txt'), 'new'),
  'deletes a file': (root) => rmSync(join(root, 'a/b/old.txt')),
  'appends to a file': (root) => appendFileSync(join(root, 'a/b/old.txt'), 'more'),
  'writes over a file with as many bytes': (root) => writeFileSync(join(root, 'a/b/old.txt'), 'OLD', { flag: 'r+' }),
  'truncates a file': (root) => truncateSync(join(root, 'a/b/old.txt')),
  'sets the time of a file': (root) => utimesSync(join(root, 'a/b/old.txt'), 1, 1),
  'renames a file': (root) => renameSync(join(root, 'a/b/old.txt'), join(root, 'a/b/other.txt')),
  'moves a file out': (root) => renameSync(join(root, 'a/b/old.txt'), join(root, 'old.txt')),
  'moves a file in': (root) => renameSync(join(root, 'elsewhere.txt'), join(root, 'a/b/elsewhere.txt')),
  'replaces a file by another': (root) => renameSync(join(root, 'elsewhere.txt'), join(root, 'a/b/old.txt')),
  'replaces a file by a link': (root) => {
    rmSync(join(root, 'a/b/old.txt'));
    symlinkSync('/etc/passwd', join(root, 'a/b/old.txt'));
  },
  'creates a folder': (root) => mkdirSync(join(root, 'a/b/folder')),
  'deletes a folder': (root) => rmSync(join(root, 'a/b/c'), { recursive: true }),
  'adds to a subfolder': (root) => writeFileSync(join(root, 'a/b/c/deep.txt'), 'deep'),
  'sets the time of a subfolder': (root) => utimesSync(join(root, 'a/b/c'), 1, 1),
  'replaces the folder by another': (root) => {
    renameSync(join(root, 'a/b'), join(root, 'away'));
    renameSync(join(root, 'spare'), join(root, 'a/b'));
  },
  'replaces the folder and writes into the new one': (root) => {
    renameSync(join(root, 'a/b'), join(root, 'away'));
    renameSync(join(root, 'spare'), join(root, 'a/b'));
    writeFileSync(join(root, 'a/b/late.txt'), 'late');
  },
  'replaces the folder above': (root) => {
    renameSync(join(root, 'a'), join(root, 'away'));
    mkdirSync(join(root, 'a'));
    renameSync(join(root, 'spare'), join(root, 'a/b'));
  },
  'moves the folder away and back with another content': (root) => {
    renameSync(join(root, 'a/b'), join(root, 'away'));
    writeFileSync(join(root, 'away/meanwhile.txt'), 'meanwhile');
    renameSync(join(root, 'away'), join(root, 'a/b'));
  },
};

export function prepareTree(root: string): void {
  for (const folder of ['a/b/c', 'spare']) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['a/b/old.txt', 'a/b/same.txt', 'elsewhere.txt', 'spare/inside.txt', 'a/beside.txt'])
    writeFileSync(join(root, file), 'old');
}

/** A tree under random changes by another program. */
export class ChangingTree {
  readonly #root: string;
  readonly #random: Random;
  readonly folders: string[][] = [[]];
  #next = 0;

  constructor(root: string, random: Random, { folders, files }: { folders: number; files: number }) {
    this.#root = root;
    this.#random = random;
    for (let count = 0; count < folders; count += 1) {
      const folder = [...random.pick(this.folders.slice(0, 8)), this.#name('folder')];
      mkdirSync(this.#at(folder));
      this.folders.push(folder);
    }
    for (let count = 0; count < files; count += 1) this.#create(random.pick(this.folders));
  }

  /** One change. @returns the folders whose listings it has changed */
  change(): string[][] {
    const folder = this.#random.pick(this.folders);
    const file = this.#fileIn(folder);
    const kind = this.#random.weighted({ create: 3, remove: 2, edit: 4, move: 4, swapFolders: 0.5, mode: 0.5 });
    if (kind === 'create' || file === null) {
      this.#create(folder);
      return [folder, folder.slice(0, -1)];
    }
    if (kind === 'remove') rmSync(file);
    else if (kind === 'edit') appendFileSync(file, 'x');
    else if (kind === 'mode') chmodSync(file, 0o600);
    else if (kind === 'move') {
      const target = this.#random.pick(this.folders);
      renameSync(file, join(this.#at(target), this.#name('moved')));
      return [folder, folder.slice(0, -1), target, target.slice(0, -1)];
    } else return this.#swapFolders();
    return [folder, folder.slice(0, -1)];
  }

  /** Two folders exchange their names. */
  #swapFolders(): string[][] {
    const leaves = this.folders.filter(
      (folder) =>
        folder.length > 0 && !this.folders.some((other) => other.length > folder.length && isBelow(other, folder)),
    );
    const [one, other] = [this.#random.pick(leaves), this.#random.pick(leaves)];
    if (one.join('/') === other.join('/')) return [one];
    const aside = join(this.#root, this.#name('aside'));
    renameSync(this.#at(one), aside);
    renameSync(this.#at(other), this.#at(one));
    renameSync(aside, this.#at(other));
    return [one, other, one.slice(0, -1), other.slice(0, -1)];
  }

  #create(folder: readonly string[]): void {
    writeFileSync(join(this.#at(folder), this.#name('file')), 'content');
  }

  #fileIn(folder: readonly string[]): string | null {
    const files = readdirSync(this.#at(folder), { withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.larder-'),
    );
    return files.length === 0 ? null : join(this.#at(folder), this.#random.pick(files).name);
  }

  #name(kind: string): string {
    return `${kind} ${this.#next++}`;
  }

  #at(folder: readonly string[]): string {
    return join(this.#root, ...folder);
  }
}

function isBelow(folder: readonly string[], above: readonly string[]): boolean {
  return above.every((segment, at) => segment === folder[at]);
}
