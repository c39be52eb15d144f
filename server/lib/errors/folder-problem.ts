/** A folder that cannot be used as the data folder. The message says what to do. */
export class FolderProblem extends Error {}
