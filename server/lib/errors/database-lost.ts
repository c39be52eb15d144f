/** An installation without its database: a start would make an empty one in its place. The message says how it is found. */
export class DatabaseLost extends Error {}
