// One entry of a list.

export interface Item {
  readonly path: string;
  readonly name: string;
  readonly isDir: boolean;
  readonly isStarred: boolean;
  /** Whether it cannot be opened. */
  readonly isClosed: boolean;
  /** Whether it is a text that can be edited here. */
  readonly isText: boolean;
  /** Actions of the list that its share does not allow. */
  readonly cannot: readonly string[];
  /** What a photo stands for beside itself, in its folder: names, and of a film that of its photo. */
  readonly parts: readonly Part[];
}

/** The name may be a path; then the label is the name as it is shown. `hasFilm` is 1 for a photo with a film inside of its file. */
export type Part = readonly [name: string, filmOf?: string | null, label?: string | null, hasFilm?: number];

/** The path of a part of a photo. */
export const partPath = (path: string, name: string): string =>
  name.startsWith('/') ? name : `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;

/** Empty before the row was prepared. */
export const pathOf = (row: HTMLElement): string => row.dataset.path ?? '';
export const nameOf = (row: HTMLElement): string => row.querySelector('.name')?.textContent ?? '';

export function itemOf(row: HTMLElement): Item {
  return {
    path: pathOf(row),
    name: nameOf(row),
    isDir: row.classList.contains('dir'),
    isStarred: row.dataset.starred !== undefined,
    isClosed: row.dataset.closed !== undefined,
    isText: row.dataset.text !== undefined,
    cannot: row.dataset.cannot?.split(' ') ?? [],
    parts: partsOf(row),
  };
}

export const partsOf = ({ dataset: { parts = '[]' } }: HTMLElement): readonly Part[] => JSON.parse(parts);
