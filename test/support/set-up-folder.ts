import { copyTemplateForProcess, type SetUp } from './household-template.ts';

export type { SetUp } from './household-template.ts';

/** A folder with an owner, the API on and a client, for a server in a process of its own. */
export const setUpFolder = (folder: string): Promise<SetUp> => copyTemplateForProcess(folder);
