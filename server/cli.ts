import { basename, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type CliContext, ExitCode, type Runtime, UsageProblem } from './cli/context.ts';
import { helpText } from './cli/help.ts';
import { startFailure } from './cli/start-failure.ts';
import { ConfigProblem, parseConfig } from './config/config.ts';
import { ControlError } from './control/dispatcher.ts';
import { FolderInUse } from './database/folder-lock.ts';
import { FolderProblem } from './lib/errors/folder-problem.ts';
import { larderCommand, setLarderCommand } from './lib/process/larder-command.ts';
import { version } from './lib/version.ts';
import { t } from './messages/messages.ts';
import { type Layout, layoutOf } from './storage/layout.ts';
import { forkWorker } from './workers/pool/fork-worker.ts';

/** Each is loaded only when it is called: the doctor alone is a tenth of the server. */
const COMMANDS: Record<string, () => Promise<(context: CliContext) => Promise<number>>> = {
  serve: async () => (await import('./cli/serve-command.ts')).serveCommand,
  setup: async () => (await import('./cli/setup-command.ts')).setupCommand,
  control: async () => (await import('./cli/control-command.ts')).controlCommand,
  status: async () => (await import('./cli/status-command.ts')).statusCommand,
  doctor: async () => (await import('./cli/doctor-command.ts')).doctorCommand,
  backup: async () => (await import('./cli/backup-command.ts')).backupCommand,
  restore: async () => (await import('./cli/restore-command.ts')).restoreCommand,
};

/** Flags of some commands only. */
const FLAGS_OF: Readonly<Record<string, readonly string[]>> = {
  repair: ['doctor'],
  files: ['backup'],
  history: ['backup'],
  list: ['backup'],
  verify: ['backup'],
  'set-passphrase': ['backup'],
  'passphrase-stdin': ['backup', 'restore'],
  from: ['restore'],
  include: ['restore'],
  'new-authority': ['restore'],
  'homes-to': ['restore'],
  'empty-homes': ['restore'],
  'history-follows': ['restore'],
};

/** Runs one command. The exit code is set, but the process is not forced to exit, so that output is complete. */
export async function main(
  argv: readonly string[] = process.argv.slice(2),
  runtime: Runtime = { spawnWorker: forkWorker, stdin: process.stdin, command: commandOfNode() },
): Promise<void> {
  setLarderCommand(runtime.command);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessNobodyReads);
  process.exitCode = await run(argv, runtime).catch((error) => explain(error, null));
}

/**
 * The command as its user types it: by name if it is installed in the search path, otherwise as a Node script, relative to the
 * current folder.
 */
function commandOfNode(): string {
  const script = process.argv[1] ?? '';
  if (basename(script, '.cmd') === 'larder') return 'larder';
  const path = relative(process.cwd(), script);
  const shorter = path === '' || path.startsWith('..') ? script : path;
  return `node ${/^[\w@%+=:,./\\-]+$/.test(shorter) ? shorter : JSON.stringify(shorter)}`;
}

/** The reader of the output has gone, as `head` does: a server continues, and a command ends normally. */
function unlessNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

async function run(argv: readonly string[], runtime: Runtime): Promise<number> {
  const { values, positionals } = parse(argv);
  if (values.version) return print(`${version}\n`);
  const [name, ...rest] = positionals;
  if (values.help || name === undefined || name === 'help') return print(helpText());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageProblem(t('cli.usage.unknownCommand', { name, command: larderCommand() }));
  if (rest.length > 0 && name !== 'control')
    throw new UsageProblem(t('cli.usage.unexpected', { name, argument: rest[0] ?? '', command: larderCommand() }));
  for (const [flag, commands] of Object.entries(FLAGS_OF)) {
    const isGiven = Boolean(values[flag as keyof typeof values]);
    if (isGiven && !commands.includes(name))
      throw new UsageProblem(
        t('cli.usage.flagOf', { flag, commands: commands.map((one) => `${larderCommand()} ${one}`).join(', ') }),
      );
  }
  const flags = {
    folder: values.folder,
    port: values.port,
    httpPort: values['http-port'],
    controlPort: values['control-port'],
    host: values.host,
    name: values.name?.join(','),
    basePath: values['base-path'],
    homeAccess: values['home-access'],
    logLevel: values['log-level'],
  };
  const config = parseConfig(flags, process.env);
  try {
    return await (await command())({ config, values, rest, ...runtime });
  } catch (error) {
    // A failing restore may concern the backup or another folder than this one.
    return explain(error, name === 'restore' ? null : layoutOf(config.folder));
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        folder: { type: 'string' },
        port: { type: 'string' },
        'http-port': { type: 'string' },
        'control-port': { type: 'string' },
        host: { type: 'string' },
        name: { type: 'string', multiple: true },
        'home-access': { type: 'string' },
        'base-path': { type: 'string' },
        'log-level': { type: 'string' },
        json: { type: 'boolean', default: false },
        owner: { type: 'string' },
        'first-name': { type: 'string' },
        'password-stdin': { type: 'boolean', default: false },
        'enable-api': { type: 'boolean', default: false },
        repair: { type: 'boolean', default: false },
        files: { type: 'boolean', default: false },
        history: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        verify: { type: 'string' },
        'set-passphrase': { type: 'boolean', default: false },
        'passphrase-stdin': { type: 'boolean', default: false },
        from: { type: 'string' },
        include: { type: 'string', multiple: true },
        'new-authority': { type: 'boolean', default: false },
        'homes-to': { type: 'string' },
        'empty-homes': { type: 'boolean', default: false },
        'history-follows': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageProblem(
      t('cli.usage.invalid', { problem: (error as Error).message.split('\n')[0] ?? '', command: larderCommand() }),
    );
  }
}

/** One sentence on standard error and a meaningful exit code. */
async function explain(error: unknown, layout: Layout | null): Promise<number> {
  const say = (text: string) => process.stderr.write(`larder: ${text}\n`);
  if (error instanceof UsageProblem || error instanceof ConfigProblem) {
    say(error.message);
    return ExitCode.usage;
  }
  if (error instanceof ControlError) {
    say(error.message);
    return ExitCode.refused;
  }
  const { reason, message, advice } = await startFailure(error, layout);
  // An error about the folder already says what to do.
  const isWhole = error instanceof FolderProblem || error instanceof FolderInUse || reason === 'other';
  const hints = isWhole ? [] : [advice, ...(reason === 'port' ? [t('cli.errors.seePort')] : [])];
  say([message, ...hints].join(' '));
  return ['folder', 'missing', 'in_use', 'database'].includes(reason) ? ExitCode.folder : ExitCode.failed;
}

function print(text: string): number {
  process.stdout.write(text);
  return ExitCode.ok;
}
