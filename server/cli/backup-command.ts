import { isAbsolute, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Output } from '../control/contract/contract.ts';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { humanSize } from '../listing/human.ts';
import { listOf, t } from '../messages/messages.ts';
import { type CliContext, ExitCode, readPassword, show, UsageProblem } from './context.ts';
import { type ControlClient, openControl } from './control-client.ts';
import { type Fact, factLines } from './facts.ts';
import { progressLine } from './progress-line.ts';

type Made = Output<'backup.make'>;
type Listed = Output<'backup.list'>;

/**
 * `larder backup [--files] [--history] [--passphrase-stdin]`, `larder backup --list`, `larder backup --verify <backup>`, `larder
 * backup --set-passphrase`. A passphrase is the first line of standard input, never an argument, because those are visible to
 * everybody on the machine.
 */
export async function backupCommand(context: CliContext): Promise<number> {
  const { values } = context;
  const { verify, list } = values;
  if (list === true) return withControl(context, (control) => listBackups(context, control));
  if (values.history === true && values.files !== true)
    throw new UsageProblem(t('cli.usage.history', { command: larderCommand() }));
  const isNew = values['set-passphrase'] === true;
  const passphrase =
    isNew || values['passphrase-stdin'] === true ? await readPassword(context, t('cli.prompts.passphrase')) : undefined;
  try {
    if (isNew) return await withControl(context, (control) => setPassphrase(context, control, passphrase ?? ''));
    if (typeof verify === 'string') return await verifyOne(context, verify, passphrase);
    return await withControl(context, (control) => makeBackup(context, control, passphrase));
  } finally {
    // An open terminal on standard input would keep the process alive.
    process.stdin.destroy();
  }
}

async function makeBackup(
  context: CliContext,
  control: ControlClient,
  passphrase: string | undefined,
): Promise<number> {
  const { files, history } = context.values;
  const made = await watched(control, () =>
    control.invoke('backup.make', {
      ...(files === true ? { files: true } : {}),
      ...(history === true ? { history: true } : {}),
      ...(passphrase === undefined ? {} : { passphrase }),
    }),
  );
  show(context, made, () => madeText(made));
  return ExitCode.ok;
}

async function setPassphrase(context: CliContext, control: ControlClient, passphrase: string): Promise<number> {
  const set = await control.invoke('backup.setPassphrase', { passphrase });
  show(context, set, () => t('cli.backup.passphraseSet'));
  return ExitCode.ok;
}

function madeText({ path, bytes, files, keys, notCopied, notes, removed, heldBack }: Made): string {
  const people =
    files === null
      ? ''
      : listOf([
          t('cli.backup.fileCount', { count: files.count }),
          humanSize(files.bytes),
          files.linked > 0 ? t('cli.backup.unchanged', { count: files.linked }) : '',
        ]);
  const facts: readonly Fact[] = [
    [t('cli.backup.size'), humanSize(bytes)],
    [t('cli.backup.files'), people],
    [t('cli.backup.keys'), keys ? t('cli.backup.keysEncrypted') : ''],
    ...removed.map((name): Fact => [t('cli.backup.removed'), t('cli.backup.removedBackup', { name })]),
    ...heldBack.map((one): Fact => [t('cli.backup.note'), t('api.backup.heldBack', one)]),
    ...notes.map((text): Fact => [t('cli.backup.note'), text]),
    ...notCopied.map((one): Fact => [t('cli.backup.missing'), t('cli.backup.missingFile', one)]),
  ];
  const shown = facts.filter(([, value]) => value !== '');
  return [t('cli.backup.made', { path }), ...factLines(shown, 10)].join('\n');
}

async function listBackups(context: CliContext, control: ControlClient): Promise<number> {
  const listed = await control.invoke('backup.list', {});
  show(context, listed, () => listText(listed));
  return ExitCode.ok;
}

function listText({ place, backups }: Listed): string {
  if (backups.length === 0) return t('cli.backup.none', { folder: place });
  const line = ({ name, backup, problem, own }: Listed['backups'][number]) => {
    if (backup === null) return `${name}  ${problem ?? ''}`;
    const { files, keys, bytes } = backup;
    const what = [
      files === null ? t('cli.backup.withoutFiles') : t('cli.backup.fileCount', { count: files.count }),
      files?.history === true ? t('cli.backup.withHistory') : '',
      keys ? t('cli.backup.withKeys') : t('cli.backup.withoutKeys'),
      own ? '' : t('cli.backup.otherInstallation'),
    ];
    return `${name}  ${humanSize(bytes).padStart(9)}  ${listOf(what)}`;
  };
  return [t('cli.backup.listed', { folder: place }), ...backups.map(line)].join('\n');
}

/** A path is verified directly, with or without an installation; a name refers to the configured destination. */
async function verifyOne(context: CliContext, which: string, passphrase: string | undefined): Promise<number> {
  const isPath = isAbsolute(which) || which.includes('/') || which.includes(sep);
  const checked = isPath
    ? await verifyFolder(resolve(which), passphrase)
    : await withControl(context, (control) =>
        watched(control, () =>
          control.invoke('backup.verify', { name: which, ...(passphrase === undefined ? {} : { passphrase }) }),
        ),
      );
  show(context, checked, () =>
    checked.ok ? t('cli.backup.complete', { name: checked.name }) : checked.problems.join('\n'),
  );
  return checked.ok ? ExitCode.ok : ExitCode.unhealthy;
}

async function verifyFolder(folder: string, passphrase: string | undefined): Promise<Output<'backup.verify'>> {
  const [{ verifyBackup }, { JobProgress }, { BackupProblem }] = await Promise.all([
    import('../backup/restore/verify.ts'),
    import('../backup/job-progress.ts'),
    import('../backup/format/problem.ts'),
  ]);
  const line = progressLine();
  try {
    const { damages } = await verifyBackup(folder, {
      passphrase,
      job: new JobProgress({ what: 'check', report: line.show }),
    });
    const problems = damages.sentences();
    return { name: folder, ok: problems.length === 0, problems };
  } catch (error) {
    if (!(error instanceof BackupProblem)) throw error;
    return { name: folder, ok: false, problems: [error.message] };
  } finally {
    line.end();
  }
}

/** Shows the progress, and cancels with Ctrl+C. */
async function watched<T>(control: ControlClient, work: () => Promise<T>): Promise<T> {
  const line = progressLine();
  const cancel = () => void ignoreFailure(control.invoke('backup.cancel', {}), 'failed to cancel the backup');
  process.once('SIGINT', cancel);
  let isDone = false;
  const watching = (async () => {
    while (line.isShown && !isDone) {
      const { progress } = await control.invoke('backup.state', {});
      if (!isDone) line.show(progress);
      await setTimeout(500, undefined, { ref: false });
    }
  })();
  void ignoreFailure(watching, 'failed to show the progress');
  try {
    return await work();
  } finally {
    isDone = true;
    process.off('SIGINT', cancel);
    line.end();
  }
}

async function withControl<T>(context: CliContext, work: (control: ControlClient) => Promise<T>): Promise<T> {
  const control = await openControl(context);
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}
