import { readFile } from 'node:fs/promises';

/** The names of all front ends, as the server declares them. */
export async function frontEndNames(): Promise<string[]> {
  const source = await readFile(new URL('../../server/composition/serving/front-ends.ts', import.meta.url), 'utf8');
  return [...source.matchAll(/^ {6}name: '([^']+)'|ofProtocol\('([^']+)'/gm)]
    .map(([, own, other]) => own ?? other ?? '')
    .toSorted();
}
