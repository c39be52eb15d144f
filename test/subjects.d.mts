/** The subjects of one changed file, by its path in the project. */
export function subjectsOf(path: string): string[];

/** The folders of `test/` with files or matrices that only the full form runs in whole. */
export function subjectsWithFullForm(): Set<string>;
