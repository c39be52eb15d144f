/** An installation without its database: a start would make an empty one in its place. The message says how it is found. */
export class DatabaseLost extends Error {
  /** @param how what is to be said of the file, after its path */
  constructor(file: string, how: string) {
    super(
      `The database ${file} ${how}, with all accounts and what is remembered of the files. Nothing is started without it: a new one would know nobody.`,
    );
  }
}
