import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  /** Names of works; empty for all. */
  readonly only: readonly string[];
  readonly runs: number;
  readonly quick: boolean;
  /** Where the temporary folder is made: its disk is the one measured. */
  readonly folder: string;
  readonly json: string | null;
  readonly writeDocs: boolean;
}

export class UsageProblem extends Error {}

const MIN_RUNS = 5;

export const USAGE = `npm run bench -- [--only <work>]… [--runs <n>] [--quick] [--folder <path>] [--json <file>] [--write-docs]`;

/** @param works the names that \`--only\` may give @throws UsageProblem */
export function parseOptions(args: readonly string[], works: readonly string[]): Options {
  const values = read(args);
  const only = (values.only ?? []).flatMap((names) => names.split(','));
  const unknown = only.find((name) => !works.includes(name));
  if (unknown !== undefined) throw new UsageProblem(`there is no work "${unknown}", only: ${works.join(', ')}`);
  const quick = values.quick ?? false;
  const runs = Number(values.runs ?? MIN_RUNS);
  const least = quick ? 1 : MIN_RUNS;
  if (!Number.isInteger(runs) || runs < least) throw new UsageProblem(`--runs is a whole number from ${least} on`);
  const writeDocs = values['write-docs'] ?? false;
  if (writeDocs && (quick || only.length > 0)) {
    throw new UsageProblem('--write-docs is for a run of everything, without --only and --quick');
  }
  return {
    only,
    runs,
    quick,
    folder: resolve(values.folder ?? tmpdir()),
    json: values.json === undefined ? null : resolve(values.json),
    writeDocs,
  };
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        runs: { type: 'string' },
        quick: { type: 'boolean' },
        folder: { type: 'string' },
        json: { type: 'string' },
        'write-docs': { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}
