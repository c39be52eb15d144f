import type { Household } from '../support/households/household.ts';
import type { Client } from './client.ts';
import type { Listed, Observation, Observed, ObservedContent, ObservedFolder, Path } from './history.ts';
import { type Disk, type ItemRecord, type Records, type Rows, readDisk, type Stored } from './records.ts';

/** What there is when nothing is under way, and in which points its tellers contradict each other. */
export interface Observing {
  readonly observation: Observation;
  readonly problems: readonly string[];
}

/**
 * Asks everyone who knows: the disk, the database, a recursive listing, and at the end of a round also a listing of every
 * folder and the doctor. The rows are read before the first listing, which would bring them in line.
 */
export async function observe(household: Household, rows: Rows, client: Client, isEnd: boolean): Promise<Observing> {
  const problems = (await rows.settled()).map((entry) => `left in the journal: ${entry}`);
  const disk = await readDisk(household.folder, household.home);
  problems.push(...strayRows(await rows.read(), disk), ...(await rows.miscounted()));
  const { listed = [], code } = await client.perform({ kind: 'browse', path: [], recursive: true });
  if (code !== null) problems.push(`the home cannot be listed: ${code}`);
  const records = await rows.read();
  problems.push(...(await rows.miscounted()));
  const seen = new Observer(records, disk);
  const observation = seen.observation();
  problems.push(...seen.problems, ...listingProblems(observation.root, listed));
  if (isEnd) problems.push(...(await endProblems(household, rows, client, { records, listed })));
  return { observation, problems };
}

/** Before anything was listed, a row may be missing, but none may be there for nothing. */
function strayRows({ items }: Records, disk: Disk): string[] {
  return items
    .filter((item) => item.parent_id !== null)
    .filter((item) => {
      const path = pathOf(items, item);
      const stored = path === null ? undefined : atPath(path[0] === 'trash' ? disk.trash : disk.home, path.slice(1));
      return (
        stored === undefined || (typeof stored !== 'string') !== (item.is_dir === 1) || item.missing_since !== null
      );
    })
    .map((item) => `a row of what is not there: ${JSON.stringify(pathOf(items, item))} ${JSON.stringify(item)}`);
}

/** The name of the root it is under, '' or `trash`, and the way from there. */
function pathOf(items: readonly ItemRecord[], item: ItemRecord): Path | null {
  if (item.parent_id === null) return [item.name];
  const parent = items.find(({ id }) => id === item.parent_id);
  const path = parent === undefined ? null : pathOf(items, parent);
  return path === null ? null : [...path, item.name];
}

function atPath(top: ReadonlyMap<string, Stored>, path: Path): Stored | undefined {
  let found: Stored | undefined = top;
  for (const name of path) found = typeof found === 'object' ? found.get(name) : undefined;
  return found;
}

/** Puts disk and rows together. */
class Observer {
  readonly problems: string[] = [];
  readonly #records: Records;
  readonly #disk: Disk;

  constructor(records: Records, disk: Disk) {
    this.#records = records;
    this.#disk = disk;
  }

  observation(): Observation {
    const { items, versions, trash, uploads } = this.#records;
    const { problems } = this;
    const [root, trashRoot] = ['', 'trash'].map((top) =>
      items.find((one) => one.parent_id === null && one.name === top),
    );
    const same = (what: string, known: readonly string[], kept: ReadonlyMap<string, Stored>) => {
      if ([...known].sort().join() !== [...kept.keys()].sort().join())
        problems.push(`${what}: rows ${[...known].sort().join()}, on the disk ${[...kept.keys()].sort().join()}`);
    };
    same(
      'versions',
      versions.map(({ id }) => id),
      this.#disk.versions,
    );
    same(
      'trash',
      trash.map(({ id }) => id),
      this.#disk.trash,
    );
    same(
      'incoming',
      uploads.map(({ id }) => id),
      this.#disk.incoming,
    );
    const home = this.#folder('', root, this.#disk.home, true);
    return {
      root: home,
      trash: trash.map(({ id, item_id, original_path, original_parent_id }) => {
        const row = items.find((item) => item.id === item_id);
        if (row?.parent_id !== trashRoot?.id || row?.name !== id) problems.push(`the row of ${id} is not in the trash`);
        const parent = items.find((item) => item.id === original_parent_id);
        return {
          id,
          name: original_path.slice(original_path.lastIndexOf('/') + 1),
          parentUuid: parent === undefined || parent.parent_id === null ? null : parent.uuid,
          item: this.#observed(id, row, this.#disk.trash.get(id) ?? '', false),
        };
      }),
      uploads: uploads.map(({ id, path, total_size }) => {
        const text = this.#disk.incoming.get(id);
        return { key: `${path} ${total_size}`, total: total_size, text: typeof text === 'string' ? text : '' };
      }),
    };
  }

  /** @param isListed whether everything has been listed, so that everything has a row */
  #observed(name: string, row: ItemRecord | undefined, stored: Stored, isListed: boolean): Observed {
    if (row === undefined && isListed) this.problems.push(`no row of ${name}`);
    if (typeof stored !== 'string') return this.#folder(name, row, stored, isListed);
    if (row !== undefined && (row.size !== stored.length || row.is_dir === 1))
      this.problems.push(`the row of ${name} says ${JSON.stringify(row)}, the disk has ${stored}`);
    const history = this.#records.versions.filter(({ item_id }) => item_id === row?.id);
    return {
      isDir: false,
      name,
      uuid: row?.uuid ?? null,
      version: row?.version ?? 1,
      text: stored,
      isSigned: typeof row?.changed_by === 'number',
      history: history.map(({ id, version, size, changed_by }): ObservedContent => {
        const text = this.#disk.versions.get(id);
        if (typeof text !== 'string' || text.length !== size)
          this.problems.push(`version ${version} of ${name}: ${text}`);
        return { version, text: `${text}`, isSigned: changed_by !== null };
      }),
    };
  }

  #folder(
    name: string,
    row: ItemRecord | undefined,
    stored: ReadonlyMap<string, Stored>,
    isListed: boolean,
  ): ObservedFolder {
    const below = this.#records.items.filter(({ parent_id }) => row !== undefined && parent_id === row.id);
    for (const child of below)
      if (!stored.has(child.name)) this.problems.push(`a row of what is not there: ${child.name} in ${name}`);
    const children = [...stored].map(([child, inside]) =>
      this.#observed(
        child,
        below.find((one) => one.name === child),
        inside,
        isListed,
      ),
    );
    return { isDir: true, name, uuid: row?.uuid ?? null, children };
  }
}

/** One line for each item, to be compared as text. */
function lines(folder: ObservedFolder, path: Path = []): string[] {
  return folder.children.flatMap((child) => {
    const here = [...path, child.name];
    const line = child.isDir ? [here, child.uuid] : [here, child.uuid, child.text.length, child.version];
    return [JSON.stringify(line), ...(child.isDir ? lines(child, here) : [])];
  });
}

function listedLines(listed: readonly Listed[]): string[] {
  return listed.map(({ path, isDir, uuid, size, version }) =>
    JSON.stringify(isDir ? [path, uuid] : [path, uuid, size, version]),
  );
}

function listingProblems(root: ObservedFolder, listed: readonly Listed[]): string[] {
  const [known, told] = [lines(root).sort(), listedLines(listed).sort()];
  return known.join('\n') === told.join('\n')
    ? []
    : [`disk and rows:\n${known.join('\n')}\nlisted:\n${told.join('\n')}`];
}

async function endProblems(
  household: Household,
  rows: Rows,
  client: Client,
  { records, listed }: { records: Records; listed: readonly Listed[] },
): Promise<string[]> {
  const problems: string[] = [];
  const one = [...listedLines(listed)].sort().join('\n');
  const folders = [[], ...listed.filter(({ isDir }) => isDir).map(({ path }) => path)];
  const each = await Promise.all(folders.map((path) => client.perform({ kind: 'browse', path, recursive: false })));
  const told = each
    .flatMap(({ listed: entries = [] }) => listedLines(entries))
    .sort()
    .join('\n');
  if (one !== told) problems.push(`listed at once:\n${one}\nfolder by folder:\n${told}`);
  const after = await rows.read();
  if (JSON.stringify(after) !== JSON.stringify(records))
    problems.push('listing changed rows although nothing happened');
  const doctor = await household.control('doctor');
  if (doctor.ok !== true) problems.push(`the doctor says: ${JSON.stringify(doctor.problems)}`);
  const leftovers = JSON.stringify(doctor.notes ?? []);
  if (/belongs? to nothing|interrupted/.test(leftovers)) problems.push(`the doctor notes: ${leftovers}`);
  return problems;
}
