import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../model/random.ts';
import { appPathDoors, appTextDoors } from '../access/app-inputs.ts';
import { multipartDoors, pageDoors, parameterDoors, takesPath } from '../access/inputs.ts';
import { describedCalls } from './description.ts';
import { HOSTILE_PATHS } from './hostile-values.ts';
import { type ProbeReport, probe } from './probe.ts';

/** Where Debian's wfuzz has its lists of such paths. */
const LISTS = '/usr/share/wfuzz/wordlist';

/** Of the ways out of a folder each that some server has gone: plain, encoded once and twice, overlong, of other systems, hidden. */
const DOTS = [
  '..',
  '%2e%2e',
  '%252e%252e',
  '.%2e',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '．．',
  '%uff0e%uff0e',
  '..;',
  '..%00',
];
const SLASHES = ['/', '\\', '%2f', '%252f', '%5c', '%c0%af', '%e0%80%af', '／', '∕', '//', '/./', '%u2215'];
const TARGETS = ['outside/canary.txt', 'mia/hers.txt', '.larder/tls/ca.key', '.larder/larder.sqlite', 'etc/passwd'];

/** Every way out to every target that is here, two to eight folders up. */
export function waysOut(): string[] {
  const ways = DOTS.flatMap((dots) =>
    SLASHES.flatMap((slash, at) => {
      const target = (TARGETS[at % TARGETS.length] ?? '').replaceAll('/', slash);
      return [1, 2, 3, 8].map((up) => `${`${dots}${slash}`.repeat(up)}${target}`);
    }),
  );
  return [...HOSTILE_PATHS, ...ways];
}

/** Lists of others, where Debian's wfuzz is installed. */
export function listedWaysOut(): string[] {
  const files = ['Injections/Traversal.txt', 'Injections/bad_chars.txt'].map((name) => join(LISTS, name));
  const folder = join(LISTS, 'vulns');
  const more = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('dirTraversal')) : [];
  return [...files.filter((file) => existsSync(file)), ...more.map((name) => join(folder, name))].flatMap((file) =>
    readFileSync(file, 'latin1')
      .split(/\r?\n/)
      .filter((line) => line !== ''),
  );
}

/** What is put in front of a path that goes up. */
const BASES = ['', '/ROOT/HOME/', '/ROOT/HOME/Photos/', '/ROOT/'];

/**
 * Paths that lead out, in every parameter of the running server that takes a path or a name, and in its addresses, each encoded as
 * it should be and as it stands (CWE-22).
 * @param share how many of all requests are made, 0 to 1; with 1 the lists of others are tried as well
 */
export function traversal({ share, seed }: { share: number; seed: number }): Promise<ProbeReport> {
  return probe({
    values: waysOut(),
    ...(share === 1 ? { listed: listedWaysOut() } : {}),
    doorsOf: async ({ api, link }) => [
      ...parameterDoors(await describedCalls(api), { chosen: takesPath, bases: BASES }),
      ...pageDoors(link),
      ...multipartDoors(),
      ...appPathDoors(),
      ...appTextDoors(),
    ],
    share,
    random: new Random(seed),
  });
}
