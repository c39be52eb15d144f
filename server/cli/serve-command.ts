import { join } from 'node:path';
import type { Output } from '../control/contract/contract.ts';
import { endNow } from '../lib/process/end-process.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { layoutOf } from '../storage/layout.ts';
import { type CliContext, ExitCode } from './context.ts';
import { type Fact, factLines } from './facts.ts';
import { openLogFile } from './log-file.ts';

/** `larder serve`: runs until it is told to stop, by Ctrl+C or SIGTERM. */
export async function serveCommand({ config, spawnWorker }: CliContext): Promise<number> {
  const { path: logFile, log, flush } = await openLogFile(config);
  const stop = stopSignal();
  // Not at the top: every other command would load the whole server with it.
  const { openLarder } = await import('../composition/larder.ts');
  const larder = await openLarder({ config, log, spawnWorker });
  try {
    await larder.serve();
    const status = (await larder.dispatcher.dispatch('status', {})) as Output<'status'>;
    const link = (await larder.dispatcher.dispatch('panel.link', {})) as Output<'panel.link'>;
    print(greeting(status, link.url, join(layoutOf(config.folder).tls, 'ca.crt'), logFile));
    log.info({ addresses: status.addresses }, 'started');
    await stop;
    print(t('cli.serve.stopping'));
  } finally {
    const isHeld = larder.isHeldByDisk();
    await larder.close();
    log.info('stopped');
    flush();
    if (isHeld) endNow();
  }
  return ExitCode.ok;
}

/** Every fact on a line of its own, in plain text, for people and for scripts. */
function greeting(status: Output<'status'>, link: string, authority: string, logFile: string): string {
  const { version, folder, addresses, hasOwner, apiEnabled } = status;
  const input = `'{"apiEnabled":true}'`;
  const next = hasOwner ? t('cli.serve.nextApi', { command: larderCommand(), input }) : t('cli.serve.nextSetup');
  return [
    t('cli.serve.serving', { version, folder }),
    '',
    ...factLines(
      addresses.map((address): Fact => [t('cli.serve.address'), address]),
      WIDTH,
    ),
    t('cli.status.fingerprint', { fingerprint: status.authorityFingerprint }),
    t('cli.serve.authority', { path: authority }),
    ...factLines(
      [
        [t('cli.serve.log'), logFile],
        [hasOwner ? t('cli.serve.panel') : t('cli.serve.setup'), link],
        ['', t('cli.serve.linkHelp')],
        ...status.attention.map((text): Fact => [t('cli.serve.attention'), text]),
      ],
      WIDTH,
    ),
    ...(hasOwner && apiEnabled ? [] : ['', next]),
  ].join('\n');
}

const WIDTH = 14;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Milliseconds in which several signals are one: a group of processes gets it, and somebody hands it on as well. */
const ONE_SIGNAL = 500;

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const stop = () => {
      first ??= performance.now();
      resolve();
      // Another one means now. The journal finishes at the next start what is cut off here.
      if (performance.now() - first > ONE_SIGNAL) process.exit(130);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
}
