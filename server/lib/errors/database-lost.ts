/** An installation without its database: a start would create an empty one. The message says how it was found. */
export class DatabaseLost extends Error {
  /** @param how what to say of the file, after its path */
  constructor(file: string, how: string) {
    super(
      `The database ${file} ${how}, with all accounts and what is remembered of the files. Nothing is started without it: a new one would know nobody.`,
    );
  }
}
