/** Whose work it is: kinds take turns, and so do the owners of one kind. */
export interface Owner {
  readonly kind: string;
  readonly id: string;
}

/**
 * A queue of limited length in which kinds of owners take turns, and within a kind the owners, so that an owner with much work
 * delays only itself. When it is full, the newest work of the largest owner of the largest kind gives way.
 */
export class TurnQueue<Work> {
  readonly #most: number;
  readonly #kinds = new Map<string, Map<string, Work[]>>();
  #length = 0;

  /** @param most entries */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  /** @returns what has to give way: possibly the new work itself; null if there was room */
  push(owner: Owner, work: Work): Work | null {
    const isFull = this.#length >= this.#most;
    const evicted = isFull ? this.#makeRoom(owner) : null;
    if (isFull && evicted === null) return work;
    const owners = this.#kinds.get(owner.kind) ?? new Map<string, Work[]>();
    const own = owners.get(owner.id) ?? [];
    own.push(work);
    owners.set(owner.id, own);
    this.#kinds.set(owner.kind, owners);
    this.#length += 1;
    return evicted;
  }

  /** The work of the kind, and in it of the owner, whose last turn is longest ago. */
  shift(): Work | undefined {
    for (const [kind, owners] of this.#kinds) {
      this.#kinds.delete(kind);
      for (const [id, works] of owners) {
        owners.delete(id);
        const first = works.shift();
        if (works.length > 0) owners.set(id, works);
        if (owners.size > 0) this.#kinds.set(kind, owners);
        this.#length -= 1;
        return first;
      }
    }
    return undefined;
  }

  /** Removes everything. */
  drain(): Work[] {
    const all = [...this.#kinds.values()].flatMap((owners) => [...owners.values()].flat());
    this.#kinds.clear();
    this.#length = 0;
    return all;
  }

  /** @returns null if the new owner is among the largest itself */
  #makeRoom({ kind, id }: Owner): Work | null {
    const own = this.#kinds.get(kind) ?? new Map<string, Work[]>();
    let [largest, most] = [own, countIn(own) + 1];
    for (const owners of this.#kinds.values()) {
      if (countIn(owners) > most) [largest, most] = [owners, countIn(owners)];
    }
    let works: Work[] = [];
    for (const one of largest.values()) if (one.length > works.length) works = one;
    if (largest === own && works.length <= (own.get(id)?.length ?? 0) + 1) return null;
    const evicted = works.pop() ?? null;
    this.#length -= 1;
    return evicted;
  }
}

function countIn(owners: ReadonlyMap<string, readonly unknown[]>): number {
  return [...owners.values()].reduce((sum, { length }) => sum + length, 0);
}
