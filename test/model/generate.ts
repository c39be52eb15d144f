import type { Operation, Path } from './history.ts';
import type { Random } from './random.ts';

const COMPOSED = '\u00e9';
const DECOMPOSED = 'e\u0301';

/** Few names, so that operations meet: twins in case, twins in Unicode form, and what a restore makes of a taken name. */
const NAMES = ['a', 'A', 'b', 'c.txt', 'C.txt', COMPOSED, DECOMPOSED, 'd.txt', 'a (restored)'] as const;
/** In some rounds still fewer: nearly everything is in the way of something then. */
const FEWER_NAMES = ['a', 'b', 'c.txt'] as const;
const REFUSED_NAMES = ['a.', 'b:c'];

/** A request that is about to be made. What only a reply can tell is chosen when it is sent, by a number below 1. */
export type Planned =
  | Exclude<Operation, { kind: 'trash/restore' | 'trash/delete' | 'observe' }>
  | { readonly kind: 'trash/restore' | 'trash/delete'; readonly choice: number };

const WEIGHTS: Record<Planned['kind'], number> = {
  createfolder: 10,
  upload: 22,
  rename: 11,
  move: 12,
  copy: 7,
  delete: 11,
  'trash/restore': 7,
  'trash/delete': 2,
  'trash/list': 2,
  'versions/list': 5,
  'versions/restore': 5,
  'versions/delete': 3,
  download: 8,
  browse: 8,
};

/**
 * Makes up the operations of a round. It keeps a rough idea of which paths there are, as if all had succeeded one after the
 * other, so that most operations find something.
 */
export class Generator {
  readonly #random: Random;
  readonly #files = new Map<string, Path>();
  readonly #folders = new Map<string, Path>([['', []]]);
  readonly #names: readonly string[];
  #contents = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#names = random.chance(0.5) ? NAMES : FEWER_NAMES;
  }

  /** Of what lies there before the first operation. */
  know(path: Path, isDir: boolean): void {
    this.#add(path, isDir);
  }

  /** A content like no other, of a length that tells it from most. */
  content(): string {
    this.#contents += 1;
    return `${this.#contents}.`.padEnd(1 + this.#random.below(60), 'x');
  }

  next(client: number): Planned[] {
    const random = this.#random;
    const kind = random.weighted(WEIGHTS);
    switch (kind) {
      case 'createfolder':
        return [this.#createFolder()];
      case 'upload':
        return random.chance(0.12) ? this.#pieces(client) : [this.#upload()];
      case 'rename':
      case 'move':
      case 'copy':
        return [this.#relocation(kind)];
      case 'delete':
        return [{ kind, path: this.#gone(this.#item()), permanent: random.chance(0.25) }];
      case 'trash/restore':
      case 'trash/delete':
        return [{ kind, choice: random.next() }];
      case 'trash/list':
        return [{ kind }];
      case 'versions/list':
        return [{ kind, path: this.#file() }];
      case 'versions/restore':
      case 'versions/delete':
        return [{ kind, path: this.#file(), version: 1 + random.below(4) }];
      case 'download':
        return [{ kind, path: this.#file(), version: random.chance(0.4) ? 1 + random.below(4) : null }];
      case 'browse':
        return [{ kind, path: this.#folder(), recursive: random.chance(0.5) }];
    }
  }

  #createFolder(): Planned {
    const path = this.#folder();
    const name = this.#random.chance(0.03) ? this.#random.pick(REFUSED_NAMES) : this.#random.pick(this.#names);
    this.#add([...path, name], true);
    return { kind: 'createfolder', path, name };
  }

  #upload(): Planned {
    const random = this.#random;
    const makesFolders = random.chance(0.4);
    const deeper = makesFolders && random.chance(0.5) ? [random.pick(this.#names)] : [];
    const isAgain = random.chance(0.5) && this.#files.size > 0;
    const path = isAgain ? this.#file() : [...this.#folder(), ...deeper, random.pick(this.#names)];
    this.#add(path, false);
    return { kind: 'upload', path, text: this.content(), makesFolders };
  }

  /** Under names that only this client uploads in pieces: a second one would end the upload of the first. */
  #pieces(client: number): Planned[] {
    const path = [...this.#folder(), `p${client}`];
    const text = this.content();
    const makesFolders = this.#random.chance(0.5);
    const cut = this.#random.below(text.length);
    const whole = { kind: 'upload' as const, path, makesFolders };
    const first = { ...whole, text: text.slice(0, cut), piece: { start: 0, total: text.length } };
    const second = { ...whole, text: text.slice(cut), piece: { start: cut, total: text.length } };
    this.#add(path, false);
    if (this.#random.chance(0.2)) return [first];
    return this.#random.chance(0.1) ? [second] : [first, second];
  }

  #relocation(kind: 'rename' | 'move' | 'copy'): Planned {
    const random = this.#random;
    const path = this.#item();
    const overwrite = random.chance(0.5);
    if (kind === 'rename') {
      const newName = random.chance(0.03) ? random.pick(REFUSED_NAMES) : random.pick(this.#names);
      this.#moved(path, [...path.slice(0, -1), newName]);
      return { kind, path, newName, overwrite };
    }
    // Copies of copies would grow without end.
    const size = [...this.#files.values(), ...this.#folders.values()].filter((one) => isBelow(one, path)).length;
    if (kind === 'copy' && size > 6) return { kind: 'browse', path, recursive: true };
    // Now and then into itself.
    const to = random.chance(0.08) ? path : this.#folder();
    if (to !== path) this.#moved(path, [...to, path.at(-1) ?? '']);
    return { kind, path, to, overwrite };
  }

  #add(path: Path, isDir: boolean): void {
    if (path.length > (this.#names === NAMES ? 4 : 3) || path.some((name) => REFUSED_NAMES.includes(name))) return;
    for (let depth = 1; depth < path.length; depth += 1)
      this.#folders.set(path.slice(0, depth).join('/'), path.slice(0, depth));
    (isDir ? this.#folders : this.#files).set(path.join('/'), path);
  }

  #moved(from: Path, to: Path): void {
    for (const known of [this.#files, this.#folders])
      for (const path of [...known.values()])
        if (isBelow(path, from)) this.#add([...to, ...path.slice(from.length)], known === this.#folders);
    this.#gone(from);
  }

  #gone(path: Path): Path {
    // Not always: what was deleted may be restored, and what was moved may come back.
    if (this.#random.chance(0.3)) return path;
    for (const known of [this.#files, this.#folders])
      for (const [key, one] of [...known]) if (one.length > 0 && isBelow(one, path)) known.delete(key);
    return path;
  }

  #folder(): Path {
    const path = this.#random.pick([...this.#folders.values()]);
    return path.length > 3 ? [] : path;
  }

  #file(): Path {
    if (this.#random.chance(0.06)) return this.#item();
    return this.#files.size === 0 ? [this.#random.pick(this.#names)] : this.#random.pick([...this.#files.values()]);
  }

  #item(): Path {
    const random = this.#random;
    if (random.chance(0.1)) return [...this.#folder(), random.pick(this.#names)];
    const path = random.chance(0.6) ? this.#file() : this.#folder();
    return path.length === 0 ? [random.pick(this.#names)] : path;
  }
}

function isBelow(path: Path, top: Path): boolean {
  return top.every((segment, at) => path[at] === segment);
}
