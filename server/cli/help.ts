import { larderCommand } from '../lib/process/larder-command.ts';
import { version } from '../lib/version.ts';
import { t } from '../messages/messages.ts';

type Entry = readonly [typed: string, description: string];

/** Characters of a line. */
const LINE = 110;

const EXAMPLE = `larder control clients.add '{"name":"Notes"}'`;

const commands = (): readonly Entry[] => [
  ['larder serve', t('cli.help.serve')],
  ['larder setup --owner ann --password-stdin [--enable-api]', t('cli.help.setup')],
  ['larder control <method> [json]', `${t('cli.help.control')}\n${EXAMPLE}`],
  ['larder control <method> -', t('cli.help.controlInput')],
  ['larder status', t('cli.help.status')],
  ['larder doctor [--repair]', t('cli.help.doctor')],
  ['larder backup [--files] [--history]', t('cli.help.backup')],
  ['larder backup --list', t('cli.help.backupList')],
  ['larder backup --verify <backup>', t('cli.help.backupVerify')],
  ['larder backup --set-passphrase', t('cli.help.backupPassphrase')],
  ['larder restore --from <backup>', t('cli.help.restore')],
  ['larder restore --from <backup> --include <person>/<path>', t('cli.help.restoreInclude')],
];

const options = (): readonly Entry[] => [
  ['--folder <path>', t('cli.help.folder')],
  ['--port <n>', t('cli.help.port')],
  ['--http-port <n>', t('cli.help.httpPort')],
  ['--control-port <n>', t('cli.help.controlPort')],
  ['--host <address>', t('cli.help.host')],
  ['--name <a,b>', t('cli.help.name')],
  ['--base-path </files>', t('cli.help.basePath')],
  ['--home-access <who>', t('cli.help.homeAccess')],
  ['--log-level <level>', t('cli.help.logLevel')],
  ['--json', t('cli.help.json')],
];

export function helpText(): string {
  const command = larderCommand();
  const parts = [
    t('cli.help.title', { version }),
    columns(commands(), 40),
    columns(options(), 25),
    t('cli.help.environment'),
    ...(command === 'larder' ? [] : [t('cli.help.command', { command })]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** @param column where the descriptions begin; what is typed and longer has a line of its own */
function columns(entries: readonly Entry[], column: number): string {
  return entries
    .flatMap(([typed, description]) => {
      const lines = description.split('\n').flatMap((text) => wrapped(text, LINE - column));
      const [first = '', ...rest] = lines.map((line) => `${' '.repeat(column)}${line}`);
      const start = `  ${typed}`;
      const head = start.length < column ? [start.padEnd(column) + first.trimStart()] : [start, first];
      return [...head, ...rest];
    })
    .join('\n');
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
