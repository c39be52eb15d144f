import type { Output } from '../control/contract/contract.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { listOf, t } from '../messages/messages.ts';
import { type CliContext, ExitCode, show } from './context.ts';
import { openControl } from './control-client.ts';
import { type Fact, factLines } from './facts.ts';

/** `larder status` */
export async function statusCommand(context: CliContext): Promise<number> {
  const control = await openControl(context);
  try {
    const status = await control.invoke('status', {});
    show(context, status, () => statusText(status));
    return ExitCode.ok;
  } finally {
    await control.close();
  }
}

function statusText(status: Output<'status'>): string {
  const { version, running, folder, addresses, httpAddresses } = status;
  const before: readonly Fact[] = [
    [t('cli.status.folder'), folder],
    ...addresses.map((address): Fact => [t('cli.status.address'), address]),
    ...httpAddresses.map((address): Fact => [t('cli.status.plainHttp'), address]),
    [t('cli.status.certificate'), t('cli.status.certificateEnds', { date: status.certificateEnds ?? '' })],
  ];
  const indexes: readonly Fact[] =
    status.catalogue.length === 0
      ? []
      : [
          [t('cli.status.catalogue'), catalogueText(status)],
          [t('cli.status.documents'), indexText('cli.status.documentsIndexed', status.texts)],
          [t('cli.status.metadata'), indexText('cli.status.metadataIndexed', status.embedded)],
        ];
  const after: readonly Fact[] = [
    [t('cli.status.api'), t('cli.status.apiState', { enabled: String(status.apiEnabled) })],
    ...indexes,
    ...(status.hasOwner
      ? []
      : [[t('cli.status.owner'), t('cli.status.noOwner', { command: larderCommand() })] satisfies Fact]),
    ...status.attention.map((text): Fact => [t('cli.status.attention'), text]),
  ];
  return [
    t('cli.status.running', { version, running: String(running) }),
    ...factLines(before, WIDTH),
    t('cli.status.fingerprint', { fingerprint: status.authorityFingerprint }),
    ...factLines(after, WIDTH),
  ].join('\n');
}

const WIDTH = 13;

function catalogueText({ catalogue: homes, items }: Output<'status'>): string {
  const count = (state: (typeof homes)[number]['state']) => homes.filter((home) => home.state === state).length;
  const isCurrent = homes.every(({ state }) => !['reading', 'checking', 'offline'].includes(state));
  const offline = count('offline');
  return listOf([
    isCurrent ? t('cli.status.catalogueCurrent') : '',
    count('reading') > 0 ? t('cli.status.catalogueReading') : '',
    count('checking') > 0 ? t('cli.status.catalogueChecking') : '',
    offline > 0 ? t('cli.status.catalogueOffline', { offline, total: homes.length }) : '',
    t('cli.status.items', { count: items }),
  ]);
}

function indexText(
  key: 'cli.status.documentsIndexed' | 'cli.status.metadataIndexed',
  { indexed, waiting, failed }: Output<'status'>['texts'],
): string {
  return listOf([
    t(key, { count: indexed }),
    waiting > 0 ? t('cli.status.waiting', { count: waiting }) : '',
    failed > 0 ? t('cli.status.unreadable', { count: failed }) : '',
  ]);
}
