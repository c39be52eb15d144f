import { readFileSync } from 'node:fs';

/** From package.json, the one place where it stands. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
