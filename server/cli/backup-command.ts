import { isAbsolute, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Output } from '../control/contract/contract.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { humanSize } from '../listing/human.ts';
import { type CliContext, ExitCode, readPassword, show, UsageProblem } from './context.ts';
import { type ControlClient, openControl } from './control-client.ts';
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
    throw new UsageProblem(`--history goes with people’s files: ${larderCommand()} backup --files --history`);
  const isNew = values['set-passphrase'] === true;
  const passphrase =
    isNew || values['passphrase-stdin'] === true ? await readPassword(context, 'Passphrase, not shown: ') : undefined;
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
  show(context, set, () => 'The keys in backups are sealed with this passphrase from now on.');
  return ExitCode.ok;
}

function madeText({ path, bytes, files, keys, notCopied, notes, removed }: Made): string {
  const people =
    files === null
      ? []
      : [`Files     ${files.count}, ${humanSize(files.bytes)}${files.linked > 0 ? `; ${files.linked} unchanged` : ''}`];
  return [
    `The backup is there, whole and verified: ${path}`,
    `Size      ${humanSize(bytes)}`,
    ...people,
    ...(keys ? ['Keys      sealed with the passphrase'] : []),
    ...removed.map((name) => `Removed   ${name}, to make room`),
    ...notes.map((text) => `Note      ${text}`),
    ...notCopied.map((one) => `Missing   ${one.path}: ${one.reason}`),
  ].join('\n');
}

async function listBackups(context: CliContext, control: ControlClient): Promise<number> {
  const listed = await control.invoke('backup.list', {});
  show(context, listed, () => listText(listed));
  return ExitCode.ok;
}

function listText({ place, backups }: Listed): string {
  if (backups.length === 0) return `There is no backup in ${place}.`;
  const line = ({ name, backup, problem, own }: Listed['backups'][number]) => {
    if (backup === null) return `${name}  ${problem ?? ''}`;
    const { files, keys, bytes } = backup;
    const what = [
      files === null ? 'without files' : `${files.count} files${files.history ? ', with versions and trash' : ''}`,
      keys ? 'with keys' : 'without keys',
      ...(own ? [] : ['of another installation']),
    ];
    return `${name}  ${humanSize(bytes).padStart(9)}  ${what.join(', ')}`;
  };
  return [`In ${place}:`, ...backups.map(line)].join('\n');
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
  show(context, checked, () => (checked.ok ? `${checked.name} is whole.` : checked.problems.join('\n')));
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
  const cancel = () => void control.invoke('backup.cancel', {}).catch(() => undefined);
  process.once('SIGINT', cancel);
  let isDone = false;
  const watching = (async () => {
    while (line.isShown && !isDone) {
      const { progress } = await control.invoke('backup.state', {});
      if (!isDone) line.show(progress);
      await setTimeout(500, undefined, { ref: false });
    }
  })().catch(() => undefined);
  try {
    return await work();
  } finally {
    isDone = true;
    process.off('SIGINT', cancel);
    line.end();
    void watching;
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
