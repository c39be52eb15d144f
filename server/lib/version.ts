import { readFileSync } from 'node:fs';
import { programFile } from './program-files.ts';

/** From package.json, the only place that defines it. */
export const version: string = (JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as { version: string })
  .version;
