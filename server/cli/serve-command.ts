import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Output } from '../control/contract/contract.ts';
import { endNow } from '../lib/process/end-process.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { t } from '../messages/messages.ts';
import { layoutOf } from '../storage/layout.ts';
import { type CliContext, ExitCode } from './context.ts';
import { type Fact, factLines } from './facts.ts';
import { openLogFile } from './log-file.ts';

/** `larder serve`: runs until Ctrl+C or SIGTERM. */
export async function serveCommand({ config, spawnWorker }: CliContext): Promise<number> {
  const { path: logFile, log, flush } = await openLogFile(config);
  const stop = stopSignal();
  // Not at the top, where every other command would load the whole server.
  const { openLarder } = await import('../composition/larder.ts');
  const larder = await openLarder({ config, log, spawnWorker });
  try {
    await larder.serve();
    const status = (await larder.dispatcher.dispatch('status', {})) as Output<'status'>;
    const link = (await larder.dispatcher.dispatch('panel.link', {})) as Output<'panel.link'>;
    print(greeting(status, link.url, join(layoutOf(config.folder).tls, 'ca.crt'), logFile));
    log.info({ addresses: status.addresses }, 'started');
    // By default the heap may grow fourfold before the garbage of a large listing is collected. A start collects too much with it.
    setFlagsFromString('--heap-growing-percent=30');
    await stop;
    print(t('cli.serve.stopping'));
  } finally {
    try {
      await larder.close();
      log.info('stopped');
    } finally {
      flush();
      if (larder.isHeld()) endNow();
    }
  }
  return ExitCode.ok;
}

/** One fact per line, in plain text, for people and scripts. */
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

/** Milliseconds within which several signals count as one: a process group gets it, and a parent may forward it as well. */
const ONE_SIGNAL = 500;

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const stop = () => {
      first ??= performance.now();
      resolve();
      // A second one stops immediately. The next start finishes interrupted changes from the journal.
      if (performance.now() - first > ONE_SIGNAL) process.exit(130);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
}
