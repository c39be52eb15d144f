import { join, resolve } from 'node:path';
import { damageNotes } from '../backup/format/notes.ts';
import { BackupProblem } from '../backup/format/problem.ts';
import { JobProgress } from '../backup/job-progress.ts';
import { type Restored, restoreBackup } from '../backup/restore/restore.ts';
import { type RestoredIncluded, restoreIncluded } from '../backup/restore/restore-included.ts';
import type { RestoredHome } from '../backup/restore/restored-homes.ts';
import { ControlError } from '../control/dispatcher.ts';
import { systemClock } from '../lib/clock.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { humanSize } from '../listing/human.ts';
import { MARKER_FILE } from '../storage/paths/folder-handle.ts';
import { type CliContext, ExitCode, readPassword, show, UsageProblem } from './context.ts';
import { progressLine } from './progress-line.ts';

/**
 * `larder restore --from <backup> --folder <new folder> [--passphrase-stdin] [--new-authority] [--homes-to <folder>]
 * [--empty-homes] [--history-follows]`, or with `--include <person>/<path>` only these files. Needs no server. Exit code 1 when
 * files were damaged in the backup; those are listed, and everything else is restored.
 */
export async function restoreCommand(context: CliContext): Promise<number> {
  const { values, config } = context;
  const { from } = values;
  const homesTo = values['homes-to'];
  if (typeof from !== 'string')
    throw new UsageProblem(`Say which backup: ${larderCommand()} restore --from <folder of the backup>`);
  const include = Array.isArray(values.include) ? values.include.map(String) : [];
  const unfit = FOR_INSTALLATIONS.find((flag) => Boolean(values[flag]));
  if (include.length > 0 && unfit !== undefined)
    throw new UsageProblem(`--${unfit} is for whole installations: --include restores files only.`);
  const passphrase =
    values['passphrase-stdin'] === true ? await readPassword(context, 'Passphrase, not shown: ') : undefined;
  const line = progressLine();
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  const tools = {
    job: new JobProgress({ what: 'restore', signal: stopping.signal, report: line.show }),
    clock: systemClock,
    failPoints: config.failPoints,
  };
  try {
    if (include.length > 0) {
      const files = await restoreIncluded({ from: resolve(from), folder: config.folder, include }, tools);
      line.end();
      show(context, files, () => includedText(files));
      return files.damaged.length === 0 ? ExitCode.ok : ExitCode.unhealthy;
    }
    const restored = await restoreBackup(
      {
        from: resolve(from),
        folder: config.folder,
        passphrase,
        newAuthority: values['new-authority'] === true,
        extraNames: config.name,
        homesTo: typeof homesTo === 'string' ? resolve(homesTo) : null,
        emptyHomes: values['empty-homes'] === true,
        historyFollows: values['history-follows'] === true,
      },
      tools,
    );
    line.end();
    show(context, restored, () => restoredText(restored));
    return restored.damaged.length === 0 ? ExitCode.ok : ExitCode.unhealthy;
  } catch (error) {
    line.end();
    throw error instanceof BackupProblem ? new ControlError('refused', error.message) : error;
  } finally {
    process.off('SIGINT', stop);
    // An open terminal on standard input would keep the process alive.
    process.stdin.destroy();
  }
}

/** Flags that exclude `--include`. */
const FOR_INSTALLATIONS = ['passphrase-stdin', 'new-authority', 'homes-to', 'empty-homes', 'history-follows'];

const damagedLine = ({ path, problem }: Restored['damaged'][number]) => `Damaged   ${path} ${problem}`;

function includedText({ folder, household, madeAt, files, bytes, damaged }: RestoredIncluded): string {
  return [
    `What was asked for of ${household}, as it was at ${madeAt}, is in ${join(folder, 'homes')}.`,
    `Files     ${files}, ${humanSize(bytes)}`,
    ...damaged.map(damagedLine),
    ...damageNotes(damaged.length).map((text) => `Note      ${text}`),
  ].join('\n');
}

const HOME_TEXTS: Readonly<Record<RestoredHome['files'], (home: RestoredHome) => string>> = {
  restored: ({ path }) => path,
  empty: ({ path }) => `${path}, empty. What was in it is remembered for thirty days, in case it comes back.`,
  awaited: ({ path, id }) =>
    `its files are not in the backup. Put them back to ${path}, with the file ${MARKER_FILE} that lay there or one that has the line ${id}. Until then this home is offline, and nothing of it is forgotten.`,
  elsewhere: ({ path }) => `stays where it was, ${path}.`,
  forgotten: () => 'was in the trash, and is not in the backup.',
};

function restoredText({
  folder,
  household,
  madeAt,
  authority,
  authorityFingerprint,
  homes,
  files,
  bytes,
  forgotten,
  damaged,
  notes,
}: Restored): string {
  const lines = homes.map((home) => {
    const who = home.username === '' ? home.path : home.username;
    return `Home      ${who}: ${HOME_TEXTS[home.files](home)}`;
  });
  return [
    `${household} is restored to ${folder}, as it was at ${madeAt}.`,
    `Files     ${files}, ${humanSize(bytes)}`,
    ...lines,
    authority === 'kept'
      ? 'Authority the same as before: devices go on trusting it.'
      : `Authority a new one, ${authorityFingerprint}, because the keys were not restored: every device has to trust it anew.`,
    ...(forgotten.versions > 0 ? [`Forgotten ${forgotten.versions} older versions that are not in the backup`] : []),
    ...(forgotten.trash > 0 ? [`Forgotten ${forgotten.trash} items of the trash that are not in the backup`] : []),
    ...damaged.map(damagedLine),
    ...notes.map((text) => `Note      ${text}`),
    `Next: ${larderCommand()} serve --folder ${folder}`,
  ].join('\n');
}
