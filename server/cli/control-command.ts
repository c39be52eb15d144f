import { contract } from '../control/contract/contract.ts';
import { ControlError } from '../control/dispatcher.ts';
import { type CliContext, ExitCode, show, UsageProblem } from './context.ts';
import { openControl } from './control-client.ts';

/** `larder control <method> [json]` */
export async function controlCommand(context: CliContext): Promise<number> {
  const [method, text = '{}', ...more] = context.rest;
  if (method === undefined || more.length > 0) {
    const list = Object.entries(contract).map(([name, { summary }]) => `  ${name.padEnd(20)} ${summary}`);
    throw new UsageProblem(`Usage: larder control <method> [json], with one of\n${list.join('\n')}`);
  }
  const input = parse(text);
  // Before a folder is made for a method that does not exist.
  if (!Object.hasOwn(contract, method))
    throw new ControlError('unknown_method', `There is no control method "${method}". See: larder control`);
  const control = await openControl(context);
  try {
    const result = await control.call(method, input);
    show(context, result, () => JSON.stringify(result, null, 2));
    return ExitCode.ok;
  } finally {
    await control.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageProblem(`This is not valid JSON: ${text}`);
  }
}
