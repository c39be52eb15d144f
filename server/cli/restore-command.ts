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
import { listOf, t } from '../messages/messages.ts';
import { MARKER_FILE } from '../storage/paths/folder-handle.ts';
import { type CliContext, ExitCode, readPassword, show, UsageProblem } from './context.ts';
import { type Fact, factLines } from './facts.ts';
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
  if (typeof from !== 'string') throw new UsageProblem(t('cli.usage.from', { command: larderCommand() }));
  const include = Array.isArray(values.include) ? values.include.map(String) : [];
  const unfit = FOR_INSTALLATIONS.find((flag) => Boolean(values[flag]));
  if (include.length > 0 && unfit !== undefined) throw new UsageProblem(t('cli.usage.wholeOnly', { flag: unfit }));
  const passphrase =
    values['passphrase-stdin'] === true ? await readPassword(context, t('cli.prompts.passphrase')) : undefined;
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

const damagedFact = ({ path, problem }: Restored['damaged'][number]): Fact => [
  t('cli.restore.damaged'),
  t('cli.restore.damagedFile', { path, problem }),
];

const noteFact = (text: string): Fact => [t('cli.backup.note'), text];

const WIDTH = 14;

function includedText({ folder, household, madeAt, files, bytes, damaged }: RestoredIncluded): string {
  const facts = [filesFact(files, bytes), ...damaged.map(damagedFact), ...damageNotes(damaged.length).map(noteFact)];
  const done = t('cli.restore.included', { household, time: madeAt, folder: join(folder, 'homes') });
  return [done, ...factLines(facts, WIDTH)].join('\n');
}

function filesFact(count: number, bytes: number): Fact {
  return [t('cli.backup.files'), listOf([t('cli.backup.fileCount', { count }), humanSize(bytes)])];
}

function homeText({ username, path, files, id }: RestoredHome): string {
  const who = username === '' ? path : username;
  switch (files) {
    case 'restored':
      return t('cli.restore.homeRestored', { who, path });
    case 'empty':
      return t('cli.restore.homeEmpty', { who, path });
    case 'awaited':
      return t('cli.restore.homeAwaited', { who, path, id, marker: MARKER_FILE });
    case 'elsewhere':
      return t('cli.restore.homeElsewhere', { who, path });
    case 'forgotten':
      return t('cli.restore.homeForgotten', { who });
  }
}

function restoredText({ authority, authorityFingerprint, forgotten, ...restored }: Restored): string {
  const { folder, household, madeAt, homes, files, bytes, damaged, notes } = restored;
  const facts: readonly Fact[] = [
    filesFact(files, bytes),
    ...homes.map((home): Fact => [t('cli.restore.home'), homeText(home)]),
    [
      t('cli.restore.authority'),
      authority === 'kept'
        ? t('cli.restore.authorityKept')
        : t('cli.restore.authorityNew', { fingerprint: authorityFingerprint }),
    ],
    ...lostFacts(forgotten),
    ...damaged.map(damagedFact),
    ...notes.map(noteFact),
  ];
  return [
    t('cli.restore.done', { household, time: madeAt, folder }),
    ...factLines(facts, WIDTH),
    t('cli.restore.next', { command: larderCommand(), folder }),
  ].join('\n');
}

function lostFacts({ versions, trash }: Restored['forgotten']): readonly Fact[] {
  const texts = [
    versions > 0 ? t('cli.restore.lostVersions', { count: versions }) : '',
    trash > 0 ? t('cli.restore.lostTrash', { count: trash }) : '',
  ];
  return texts.filter((text) => text !== '').map((text): Fact => [t('cli.restore.lost'), text]);
}
