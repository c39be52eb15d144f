import { mkdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '../model/random.ts';

/** A tree that other programs change. Every file contains which file it is: paths and inodes change. */
export class OutsideTree {
  readonly #root: string;
  readonly #random: Random;
  readonly files = new Map<string, string>();
  readonly folders: string[] = [''];
  /** Files that were only renamed or moved since the last round began, by identity. */
  readonly moved = new Set<string>();
  /** Files with another change: each file changes once per round, so that the expected result is clear. */
  readonly #touched = new Set<string>();
  #next = 0;

  constructor(root: string, random: Random) {
    this.#root = root;
    this.#random = random;
  }

  async grow(folders: number, files: number): Promise<void> {
    for (let count = 0; count < folders; count += 1) {
      const path = this.#freePath(this.#random.pick(this.folders.slice(0, 12)), 'folder');
      await mkdir(join(this.#root, path));
      this.folders.push(path);
    }
    for (let count = 0; count < files; count += 1)
      await this.#create(this.#freePath(this.#random.pick(this.folders), 'file'));
  }

  newRound(): void {
    this.moved.clear();
    this.#touched.clear();
  }

  isTouched(token: string): boolean {
    return this.#touched.has(token);
  }

  /** One change by a person or program to files not yet changed in this round. */
  async change(): Promise<void> {
    const path = this.#pickFile();
    const kind = this.#random.weighted({
      rename: 1,
      move: 3,
      swap: 1,
      createAnew: 2,
      save: 1,
      edit: 1,
      chain: 1,
      folder: 0.1,
    });
    if (kind === 'rename' || kind === 'move') {
      const folder = kind === 'rename' ? dirOf(path) : this.#random.pick(this.folders);
      this.moved.add(this.files.get(path) ?? '');
      await this.#move(path, this.#freePath(folder, 'moved'));
    } else if (kind === 'swap') await this.#swap(path, this.#pickFile());
    else if (kind === 'createAnew') await this.#createAnew(path);
    else if (kind === 'save') await this.#save(path);
    else if (kind === 'edit') await writeFile(join(this.#root, path), this.files.get(path) ?? '', { flag: 'r+' });
    else if (kind === 'folder') await this.#moveFolder();
    else await this.#chain([path, this.#pickFile(), this.#pickFile()]);
  }

  #pickFile(): string {
    for (;;) {
      const path = this.#random.pick([...this.files.keys()]);
      const token = this.files.get(path) ?? '';
      if (this.#touched.has(token)) continue;
      this.#touched.add(token);
      return path;
    }
  }

  async #create(path: string): Promise<void> {
    const token = `file ${String(this.#next++).padStart(8, '0')}`;
    await writeFile(join(this.#root, path), token, { flag: 'wx' });
    this.files.set(path, token);
    this.#touched.add(token);
  }

  async #move(from: string, to: string): Promise<void> {
    await rename(join(this.#root, from), join(this.#root, to));
    const token = this.files.get(from) ?? '';
    this.files.delete(from);
    this.files.set(to, token);
  }

  async #swap(a: string, b: string): Promise<void> {
    if (a === b) return;
    const aside = this.#freePath('', 'aside');
    for (const [from, to] of [
      [a, aside],
      [b, a],
      [aside, b],
    ] as const)
      await this.#move(from, to);
  }

  /** A different file of the same size and time elsewhere, right after the first one was deleted, so that its inode is free. */
  async #createAnew(path: string): Promise<void> {
    const { atime, mtime } = await stat(join(this.#root, path));
    await unlink(join(this.#root, path));
    this.files.delete(path);
    const to = this.#freePath(this.#random.pick(this.folders), 'anew');
    await this.#create(to);
    await utimes(join(this.#root, to), atime, mtime);
  }

  /** Like editors: a new file takes the name. */
  async #save(path: string): Promise<void> {
    const aside = this.#freePath(dirOf(path), 'saving');
    await this.#create(aside);
    const token = this.files.get(aside) ?? '';
    this.files.delete(aside);
    await rename(join(this.#root, aside), join(this.#root, path));
    this.files.set(path, token);
  }

  /** Like log rotation: each takes the name of the next, and the first is a new one. */
  async #chain(paths: readonly string[]): Promise<void> {
    let to = this.#freePath(dirOf(paths[0] ?? ''), 'last');
    for (const from of [...paths].reverse()) {
      await this.#move(from, to);
      to = from;
    }
    await this.#create(to);
  }

  async #moveFolder(): Promise<void> {
    const path = this.#random.pick(this.folders.slice(1));
    const parents = this.folders.filter((folder) => folder !== path && !folder.startsWith(`${path}/`));
    const to = this.#freePath(this.#random.pick(parents), 'moved folder');
    await rename(join(this.#root, path), join(this.#root, to));
    const renamed = (old: string) => (old === path || old.startsWith(`${path}/`) ? to + old.slice(path.length) : old);
    this.folders.splice(0, this.folders.length, ...this.folders.map(renamed));
    for (const [old, token] of [...this.files]) {
      if (renamed(old) === old) continue;
      this.files.delete(old);
      this.files.set(renamed(old), token);
    }
  }

  #freePath(folder: string, kind: string): string {
    const name = `${kind} ${this.#next++}`;
    return folder === '' ? name : `${folder}/${name}`;
  }
}

function dirOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}
