import { contract } from '../control/contract/contract.ts';
import { ControlError } from '../control/dispatcher.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { type CliContext, ExitCode, show, UsageProblem } from './context.ts';
import { openControl } from './control-client.ts';

/** Characters of JSON on standard input: the largest input is a list of people to import. */
const MAX_INPUT = 4 * 1024 * 1024;

/** For long results, the part of interest to the person who typed the command. `--json` has all of it. */
const SHORT_RESULTS: Readonly<Record<string, readonly string[]>> = {
  'accounts.add': ['id', 'username', 'homeFolder', 'generatedPassword'],
};

/** `larder control <method> [json]`, and `larder control <method> -` with the JSON on standard input */
export async function controlCommand(context: CliContext): Promise<number> {
  const [method, text = '{}', ...more] = context.rest;
  if (method === undefined || more.length > 0) {
    const list = Object.entries(contract).map(([name, { summary }]) => `  ${name.padEnd(20)} ${summary}`);
    throw new UsageProblem([t('cli.usage.control', { command: larderCommand() }), ...list].join('\n'));
  }
  if (!Object.hasOwn(contract, method))
    throw new ControlError('unknown_method', t('cli.usage.unknownMethod', { method, command: larderCommand() }));
  const input = parse(text === '-' ? await fromStandardInput(context) : text, text === '-');
  const control = await openControl(context, { creates: method === 'setup' });
  try {
    const result = await control.call(method, input);
    show(context, result, () => JSON.stringify(result, SHORT_RESULTS[method]?.slice() ?? null, 2));
    return ExitCode.ok;
  } finally {
    await control.close();
  }
}

async function fromStandardInput({ stdin }: CliContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    size += chunk.length;
    if (size > MAX_INPUT) throw new UsageProblem(t('cli.usage.inputTooLong'));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8').trim() || '{}';
}

/** @param isSecret whether it must not be repeated, because it came from standard input */
function parse(text: string, isSecret: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageProblem(isSecret ? t('cli.usage.inputNotJson') : t('cli.usage.notJson', { text }));
  }
}
