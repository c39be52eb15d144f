import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { foldName, newNameProblem } from '../../../dist/server/lib/names/names.js';
import { Random } from '../../model/random.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { DavClient } from '../../support/webdav/dav-client.ts';
import { connectedApp, requestsIn, runClient, treeOf } from '../support.ts';
import { type Expected, editShared, foundIn } from './conflicts.ts';
import { Edits } from './edits.ts';
import { differenceOf, type Tree } from './trees.ts';

/** What came of some rounds. */
export interface SyncReport {
  readonly gets: number;
  readonly puts: number;
  readonly refused: number;
  readonly copies: number;
  /** Folders in which the client had forgotten a file. */
  readonly forgotten: number;
  /** What must not be, in sentences. */
  readonly complaints: readonly string[];
  /** Of the round that has complaints: its edits, and what Larder listed before and after. Empty without complaints. */
  readonly history: string;
}

/** Computers on which the desktop client runs. */
const COMPUTERS = ['one', 'other'] as const;
type Computer = (typeof COMPUTERS)[number];
const SHARED = 'shared';
const STEPS = 8;

/**
 * Rounds in which two computers and the disk are edited at the same time, and then synchronized. Each has a folder of its own, which
 * is in the end everywhere as it was edited, and all of them edit one together.
 * @param seed the same seed gives the same edits
 */
export async function syncRounds({ rounds, seed }: { rounds: number; seed: number }): Promise<SyncReport> {
  const household = await openHousehold({ config: { hashDelay: 0.01, hashRate: 1_000 } });
  const folder = await mkdtemp(join(tmpdir(), 'larder-sync-'));
  try {
    const app = await connectedApp(household);
    const play = new SyncRounds(household, app, folder, new Random(seed));
    await play.begin();
    for (let round = 1; round <= rounds && play.complaints.length === 0; round += 1) await play.round(round);
    return play.report();
  } finally {
    await household.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class SyncRounds {
  readonly complaints: string[] = [];
  readonly #household: Household;
  readonly #app: DavClient;
  readonly #folder: string;
  readonly #random: Random;
  readonly #edits: Edits;
  #round = 0;
  #counts = { gets: 0, puts: 0, refused: 0, copies: 0, forgotten: 0 };
  /** Files that clients have sent as new ones in this round: see `mistakenIn`. */
  #mistaken = new Set<string>();
  #history = '';
  /** What each client has printed in this round. */
  #said: Record<Computer, string> = { one: '', other: '' };

  constructor(household: Household, app: DavClient, folder: string, random: Random) {
    [this.#household, this.#app, this.#folder] = [household, app, folder];
    [this.#random, this.#edits] = [random, new Edits(random, join(folder, 'removed'))];
  }

  report(): SyncReport {
    return { ...this.#counts, complaints: this.complaints, history: this.#history };
  }

  async begin(): Promise<void> {
    for (const computer of COMPUTERS) await mkdir(this.#at(computer));
    const { home } = this.#household;
    // Without anything that stays, the client asks before it changes everything.
    await writeFile(join(home, 'stays.txt'), 'here');
    await mkdir(join(home, SHARED));
    await this.#synchronizeAll();
  }

  async round(round: number): Promise<void> {
    this.#round = round;
    this.#said = { one: '', other: '' };
    this.#mistaken = new Set();
    // Larder takes what a program does within a minute for one save, in which a new file may take the place of another one.
    this.#household.clock.advance(2 * MINUTE);
    const { home } = this.#household;
    const before = await treeOf(home);
    const listed = await this.#listed();
    this.#edits.beginRound();
    for (const computer of COMPUTERS) await this.#edits.make(this.#own(computer), STEPS, true);
    await this.#edits.make(join(home, 'from disk'), STEPS, false);
    const places = [this.#at('one'), this.#at('other'), home];
    const expected = await editShared(
      places.map((place) => join(place, SHARED)),
      this.#edits,
      this.#random,
    );
    const edited = await this.#ownTrees();
    await this.#synchronizeAll();
    this.#expectSame('a computer changed its own folder', await this.#ownTrees(), edited);
    // What is in a refused folder may be refused in its turn.
    while (await this.#renameRefused(before)) await this.#synchronizeAll();
    if (await this.#wakeForgotten(before)) await this.#synchronizeAll();
    await this.#expectAgreement(await this.#ownTrees(), expected);
    if (this.complaints.length === 0) return;
    const parts = { edits: this.#edits.done, before: listed, after: await this.#listed() };
    this.#history = Object.entries(parts)
      .map(([name, lines]) => [`${name}:`, ...lines].join('\n  '))
      .join('\n');
  }

  /** What Larder lists, in lines. */
  async #listed(): Promise<string[]> {
    const api = await this.#household.signIn();
    const details = { 'details[]': ['uuid', 'etag', 'sha256'] };
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME', recursive: 1, ...details });
    const files: { path: string; uuid: string; etag: string; sha256?: string | null }[] = body.data.files;
    return files.map(({ path, uuid, etag, sha256 }) => `${path} ${uuid} ${etag} ${sha256?.slice(0, 8) ?? ''}`);
  }

  #at(computer: Computer): string {
    return join(this.#folder, computer);
  }

  #own(computer: Computer): string {
    return join(this.#at(computer), `from ${computer}`);
  }

  /** The folders that one place alone edits, as they are there. */
  async #ownTrees(): Promise<Record<string, Tree>> {
    const disk = await treeOf(join(this.#household.home, 'from disk'));
    const [one, other] = await Promise.all(COMPUTERS.map((computer) => treeOf(this.#own(computer))));
    return { 'from one': one ?? {}, 'from other': other ?? {}, 'from disk': disk };
  }

  /** Until everyone has what the others have sent. */
  async #synchronizeAll(): Promise<void> {
    // What another program did on the disk counts once Larder has seen it.
    const api = await this.#household.signIn();
    await api.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
    // Once Larder has read a file, it knows its content again where another program moves it.
    await expect.poll(async () => (await this.#household.control('hashing.get', {})).state).toBe('done');
    for (const computer of ['one', 'other', 'one', 'other'] as const) await this.#synchronize(computer);
  }

  async #synchronize(computer: Computer): Promise<void> {
    const before = { home: await treeOf(this.#household.home), computer: await treeOf(this.#at(computer)) };
    const logged = this.#household.logged().length;
    const { said } = await runClient(this.#household, this.#app, this.#at(computer), join(this.#folder, 'config'));
    this.#said[computer] += said;
    for (const path of mistakenIn(said)) this.#mistaken.add(path);
    const after = { home: await treeOf(this.#household.home) };
    const prefix = `/remote.php/dav/files/${this.#app.username}/`;
    const paths = (method: string) =>
      requestsIn(this.#household.logged().slice(logged))
        .filter((request) => request.method === method && request.status < 300 && request.path.startsWith(prefix))
        .map(({ path }) => decodeURIComponent(path.slice(prefix.length)));
    const [gets, puts] = [paths('GET'), paths('PUT')];
    this.#counts.gets += gets.length;
    this.#counts.puts += puts.length;
    this.#complainOfTransfers(`${computer} sends`, puts, after.home, before.home);
    this.#complainOfTransfers(`${computer} gets`, gets, before.home, before.computer);
  }

  /**
   * No content is transferred to where it is already, unless it replaces another file there, nor twice. Where a file was moved and
   * its name given to another one, the name keeps the item, and the file is a new one; the same where the folder was moved, too.
   * @param source where the paths have the contents that were transferred
   * @param target as it was before
   */
  #complainOfTransfers(who: string, paths: readonly string[], source: Tree, target: Tree): void {
    for (const path of paths) {
      const content = source[path] ?? null;
      const former = Object.keys(target).filter((other) => target[other] === content);
      const isGivenAway = (other: string) => other in source || this.#laterPaths(other).some((one) => one in source);
      const isNew = this.#mistaken.has(path) || former.every(isGivenAway);
      const isNamedAnew = path in target || this.#formerPaths(path).some((one) => one in target);
      const isMoved = content !== null && !isNamedAnew && !isNew;
      if (content === null || content === target[path] || isMoved) this.#complain(`${who} ${path} without need`);
    }
    for (const path of new Set(paths.filter((one, at) => paths.indexOf(one) !== at))) {
      this.#complain(`${who} ${path} twice`);
    }
  }

  /** Where a path would have been before folders were moved, in any of the places that are edited. */
  #formerPaths(path: string): string[] {
    return this.#elsewhere(path, (one) => this.#edits.formerPath(one));
  }

  /** Where it would be after that. */
  #laterPaths(path: string): string[] {
    return this.#elsewhere(path, (one) => this.#edits.laterPath(one));
  }

  #elsewhere(path: string, move: (path: string) => string): string[] {
    const places = [this.#household.home, ...COMPUTERS.map((computer) => this.#at(computer))];
    return places.map((place) => relative(place, move(join(place, path)))).filter((one) => one !== path);
  }

  /**
   * Everything that is not on the server has a name that Larder refuses, and the client has said so. Its person gives it another name.
   * @param before the files of the home before the round
   */
  async #renameRefused(before: Tree): Promise<boolean> {
    const home = await treeOf(this.#household.home);
    const known = { ...before, ...home };
    let isAny = false;
    for (const computer of COMPUTERS) {
      const top = `from ${computer}`;
      const paths = Object.keys(await treeOf(this.#own(computer))).map((path) => `${top}/${path}`);
      const missing = paths.filter((path) => !(path in home)).sort();
      // With a folder, all that is in it.
      const refused = missing.filter((path) => !missing.includes(dirname(path)));
      for (const path of refused) {
        isAny = true;
        this.#counts.refused += 1;
        if (!isRefused(path, known)) this.#complain(`${computer} has not sent ${path}`);
        if (!this.#said[computer].includes(`Could not complete propagation of "${path}"`)) {
          this.#complain(`the client on ${computer} does not report ${path}`);
        }
        const [from, to] = [path, join(dirname(path), this.#edits.freshName())];
        await rename(join(this.#at(computer), from), join(this.#at(computer), to));
      }
    }
    return isAny;
  }

  /**
   * A file is moved out of a folder, another one gets its name there, and the folder is moved: the client takes the new file for the one
   * that it moves, up to the present version (`ProcessDirectoryJob::processFile`, "Ignoring renamed"). It gets the file as soon as
   * anything in the folder changes.
   * @param before the files of the home before the round
   * @returns whether such files are missing on a computer: then something has changed in their folders
   */
  async #wakeForgotten(before: Tree): Promise<boolean> {
    const { home } = this.#household;
    const [tree, one, other] = await Promise.all([treeOf(home), ...COMPUTERS.map((name) => treeOf(this.#at(name)))]);
    const isMissing = (path: string) => [one, other].some((there) => !(path in (there ?? {})));
    const forgotten = Object.keys(tree).filter(
      (path) => tree[path] !== null && isMissing(path) && this.#formerPaths(path).some((former) => former in before),
    );
    for (const folder of new Set(forgotten.map((path) => dirname(path)))) {
      this.#counts.forgotten += 1;
      await this.#edits.write(join(home, folder, this.#edits.freshName()));
    }
    return forgotten.length > 0;
  }

  async #expectAgreement(own: Record<string, Tree>, expected: Expected): Promise<void> {
    const { home } = this.#household;
    const tree = await treeOf(home);
    for (const computer of COMPUTERS) {
      this.#expectSame(`${computer} and the home differ`, await treeOf(this.#at(computer)), tree);
    }
    for (const [name, wanted] of Object.entries(own)) {
      this.#expectSame(`${name} differs`, await treeOf(join(home, name)), wanted);
    }
    const found = await foundIn(join(home, SHARED));
    this.#expectSame('the shared folder differs', found, expected);
    this.#counts.copies += found.copies;
    const names = await readdir(home);
    if (names.length !== 6) this.#complain(`the home has ${names.join(', ')}`);
  }

  #expectSame(what: string, found: object, expected: object): void {
    const difference = differenceOf(found, expected);
    if (difference !== null) this.#complain(`${what}: ${difference}`);
  }

  #complain(text: string): void {
    this.complaints.push(`round ${this.#round}: ${text}`);
  }
}

/**
 * Files that the client has not recognized as moved. It finds them by their inodes, and takes the first that it remembers with this
 * one: that may be a file that is gone, and whose inode the system has used again.
 * @param said what it has printed
 */
function mistakenIn(said: string): string[] {
  let path = '';
  const mistaken: string[] = [];
  for (const line of said.split('\n')) {
    path = /Processing "(.*?)" \| \(db/.exec(line)?.[1] ?? path;
    if (line.includes('Not a move, mtime or size differs')) mistaken.push(path);
  }
  return mistaken;
}

/** Whether Larder refuses an item beside those it knows. */
function isRefused(path: string, known: Tree): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isTwin = (other: string) =>
    other !== path && dirname(other) === dirname(path) && foldName(other) === foldName(path);
  return newNameProblem(name) !== null || Object.keys(known).some(isTwin);
}
