import { basename, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type CliContext, ExitCode, type Surroundings, UsageProblem } from './cli/context.ts';
import { startFailure } from './cli/start-failure.ts';
import { ConfigProblem, parseConfig } from './config/config.ts';
import { ControlError } from './control/dispatcher.ts';
import { FolderInUse } from './database/folder-lock.ts';
import { FolderProblem } from './lib/errors/folder-problem.ts';
import { larderCommand, setLarderCommand } from './lib/process/larder-command.ts';
import { version } from './lib/version.ts';
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

const HELP = `Larder ${version}: a household's own file service

  larder serve                          run the server on a folder
  larder setup --owner ann --password-stdin [--enable-api]
                                        make the owner account without a window
  larder control <method> [json]        what the panel can do, such as
                                        larder control clients.add '{"name":"Notes"}'
  larder control <method> -             the same, with the JSON on standard input: for passwords and
                                        other secrets, which other users of the machine could read
                                        in the list of processes
  larder status                         what runs, where, and what needs attention
  larder doctor [--repair]              check the installation; exit code 1 when something is wrong;
                                        --repair mends what loses nothing
  larder backup [--files] [--history]   make a backup; --files with people's files, --history with older
                                        versions and the trash, --passphrase-stdin to seal the keys
  larder backup --list                  the backups that there are
  larder backup --verify <backup>       open all of one; exit code 1 when it is not whole
  larder backup --set-passphrase        take what seals the keys from now on from standard input
  larder restore --from <backup>        make an installation of a backup, in a new folder; what is damaged
                                        of people's files is left out and listed, with exit code 1
  larder restore --from <backup> --include <person>/<path>
                                        only these files and folders, without database and keys, into
                                        homes/<person> of a new folder; can be given several times, and
                                        /ROOT/HOME/<path> means that path in every home

  --folder <path>        the installation, ./larder-data unless given
  --port <n>             HTTPS, 8443           --http-port <n>     HTTP testing mode, 8080
  --control-port <n>     loopback only, 8444   --host <address>    to listen at, all unless given
  --name <a,b>           further host names for the certificate
  --base-path </files>   serve everything below a prefix
  --home-access <who>    which users of this machine get at people's files: owner (Larder's own user only),
                         group (for Samba), or everyone
  --log-level <level>    trace debug info warn error silent
  --json                 the bare result on standard output and nothing else

Each can also be set in the environment: LARDER_FOLDER, LARDER_PORT, and so on.
`;

function helpText(): string {
  const typed = larderCommand();
  return typed === 'larder' ? HELP : `${HELP}\nHere the command is typed: ${typed}\n`;
}

/** Runs one command. The exit code is set, but the process is not forced to exit, so that output is complete. */
export async function main(
  argv: readonly string[] = process.argv.slice(2),
  surroundings: Surroundings = { spawnWorker: forkWorker, stdin: process.stdin, command: commandOfNode() },
): Promise<void> {
  setLarderCommand(surroundings.command);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', unlessNobodyReads);
  process.exitCode = await run(argv, surroundings).catch((error) => explain(error, null));
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

async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { values, positionals } = parse(argv);
  if (values.version) return print(`${version}\n`);
  const [name, ...rest] = positionals;
  if (values.help || name === undefined || name === 'help') return print(helpText());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageProblem(`There is no command "${name}". See: ${larderCommand()} help`);
  if (rest.length > 0 && name !== 'control')
    throw new UsageProblem(`"larder ${name}" takes no "${rest[0]}". See: ${larderCommand()} help`);
  for (const [flag, commands] of Object.entries(FLAGS_OF)) {
    const isGiven = Boolean(values[flag as keyof typeof values]);
    if (isGiven && !commands.includes(name))
      throw new UsageProblem(`--${flag} is for: ${commands.map((one) => `${larderCommand()} ${one}`).join(', ')}`);
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
    return await (await command())({ config, values, rest, ...surroundings });
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
    throw new UsageProblem(`${(error as Error).message.split('\n')[0]} See: ${larderCommand()} help`);
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
  say(isWhole ? message : `${message} ${advice}${reason === 'port' ? ' See: --port' : ''}`);
  return ['folder', 'in_use', 'database'].includes(reason) ? ExitCode.folder : ExitCode.failed;
}

function print(text: string): number {
  process.stdout.write(text);
  return ExitCode.ok;
}
