import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { type CliContext, ExitCode, readPassword, show, UsageProblem } from './context.ts';
import { openControl } from './control-client.ts';

/** `larder setup --owner ann --password-stdin [--enable-api]` */
export async function setupCommand(context: CliContext): Promise<number> {
  const { owner } = context.values;
  const firstName = context.values['first-name'];
  if (typeof owner !== 'string') throw new UsageProblem(t('cli.usage.owner'));
  if (context.values['password-stdin'] !== true) {
    throw new UsageProblem(t('cli.usage.passwordInput', { command: larderCommand() }));
  }
  const password = await readPassword(context);
  const control = await openControl(context, { creates: true });
  try {
    const made = await control.invoke('setup', {
      owner,
      ...(typeof firstName === 'string' ? { name: firstName } : {}),
      password,
      enableApi: context.values['enable-api'] === true,
    });
    show(context, made, () =>
      [
        t('cli.setup.done', { username: made.username, home: made.home }),
        t('cli.setup.api', { enabled: String(made.apiEnabled) }),
      ].join('\n'),
    );
    return ExitCode.ok;
  } finally {
    await control.close();
    // An open terminal on standard input would keep the process alive.
    process.stdin.destroy();
  }
}
