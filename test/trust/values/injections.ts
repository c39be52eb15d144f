import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../model/random.ts';
import { appPathDoors, appTextDoors } from '../access/app-inputs.ts';
import { formDoors, headerDoors, multipartDoors, pageDoors, parameterDoors } from '../access/inputs.ts';
import { describedCalls } from './description.ts';
import { HOSTILE_NUMBERS, HOSTILE_TEXTS } from './hostile-values.ts';
import { type ProbeReport, probe } from './probe.ts';

/** Where Debian's wfuzz has its lists of such strings. */
const LISTS = '/usr/share/wfuzz/wordlist';

/** Lists of others, where Debian's wfuzz is installed. */
export function listedInjections(): string[] {
  return [
    'Injections/SQL.txt',
    'Injections/XSS.txt',
    'Injections/XML.txt',
    'Injections/All_attack.txt',
    'vulns/sql_inj.txt',
  ]
    .map((name) => join(LISTS, name))
    .filter((file) => existsSync(file))
    .flatMap((file) =>
      readFileSync(file, 'latin1')
        .split(/\r?\n/)
        .filter((line) => line !== ''),
    );
}

/**
 * What has a meaning for some reader behind the server (SQL, full-text search, HTML, headers, logs, spreadsheets, templates), in
 * every parameter of the API and the pages, in the headers that are read, and in what apps send (CWE-74).
 * @param share how many of all requests are made, 0 to 1; with 1 the lists of others are tried as well
 */
export function injections({ share, seed }: { share: number; seed: number }): Promise<ProbeReport> {
  return probe({
    values: [...HOSTILE_TEXTS, ...HOSTILE_NUMBERS],
    ...(share === 1 ? { listed: listedInjections() } : {}),
    doorsOf: async ({ api, link }) => [
      ...parameterDoors(await describedCalls(api)),
      ...pageDoors(link),
      ...formDoors(link),
      ...headerDoors(),
      ...multipartDoors(),
      ...appPathDoors(),
      ...appTextDoors(),
    ],
    share,
    random: new Random(seed),
  });
}
