import { larderCommand } from '../lib/process/larder-command.ts';
import { type CliContext, ExitCode, readPassword, show, UsageProblem } from './context.ts';
import { openControl } from './control-client.ts';

/** `larder setup --owner ann --password-stdin [--enable-api]` */
export async function setupCommand(context: CliContext): Promise<number> {
  const { owner } = context.values;
  const firstName = context.values['first-name'];
  if (typeof owner !== 'string') throw new UsageProblem('Say who looks after this Larder: --owner <user name>');
  if (context.values['password-stdin'] !== true) {
    throw new UsageProblem(
      `Give the password on standard input: ${larderCommand()} setup --owner ann --password-stdin < password.txt`,
    );
  }
  const password = await readPassword(context);
  const control = await openControl(context);
  try {
    const made = await control.invoke('setup', {
      owner,
      ...(typeof firstName === 'string' ? { name: firstName } : {}),
      password,
      enableApi: context.values['enable-api'] === true,
    });
    show(
      context,
      made,
      () =>
        `${made.username} looks after this Larder now. Files: ${made.home}\nThe API is ${made.apiEnabled ? 'on' : 'off'}.`,
    );
    return ExitCode.ok;
  } finally {
    await control.close();
    // An open terminal on standard input would keep the process alive.
    process.stdin.destroy();
  }
}
