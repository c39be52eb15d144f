import { copyTemplateForProcess, type SetUp } from './household-template.ts';

export type { SetUp } from './household-template.ts';

/** A folder with an owner, the API enabled and a client. */
export const setUpFolder = (folder: string): Promise<SetUp> => copyTemplateForProcess(folder);
