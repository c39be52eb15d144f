/** A folder that cannot be the appliance's. The message says what to do. */
export class FolderProblem extends Error {}
