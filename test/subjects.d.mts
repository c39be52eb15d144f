/** The subjects of one changed file, by its path in the project. */
export function subjectsOf(path: string): string[];

/** The files of tests of which the full form runs more than `npm test`, by their paths in the project. */
export function filesWithFullForm(): string[];

/** The folders of `test/` with such files. */
export function subjectsWithFullForm(): Set<string>;
