import type { ItemCounts } from '../../catalogue/item-counts.ts';
import type { HomeProgress } from '../../catalogue/reconcile/reconciler.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { version } from '../../lib/version.ts';
import { t } from '../../messages/messages.ts';
import type { Settings } from '../../settings/settings.ts';
import type { openCertificates } from '../../tls/certificates.ts';
import type { Output } from '../contract/contract.ts';
import { progressOf } from '../events.ts';

type Where = Pick<Output<'status'>, 'running' | 'addresses' | 'httpAddresses'>;

/** The status overview: what runs, where, and what needs attention. */
export function statusOf(parts: {
  readonly folder: string;
  readonly certificates: Awaited<ReturnType<typeof openCertificates>>;
  readonly settings: Settings;
  readonly where: () => Where;
  readonly listenerProblems: () => readonly string[];
  readonly hasOwner: () => Promise<boolean>;
  /** Whether an existing household got a new certificate authority. */
  readonly hasLostAuthority: Promise<boolean>;
  readonly catalogue: () => readonly HomeProgress[];
  readonly itemCounts: () => Promise<ItemCounts>;
  readonly disks: () => Promise<Output<'status'>['disks']>;
  readonly texts: () => Promise<Output<'status'>['texts']>;
  readonly embedded: () => Promise<Output<'status'>['embedded']>;
  readonly mails: () => Promise<{ waiting: number; problem: string | null }>;
  readonly backups: () => string[];
  /** Problems of the journal and the disks. */
  readonly problems: () => string[];
}): () => Promise<Output<'status'>> {
  const { folder, certificates, settings, where, listenerProblems, hasOwner, catalogue } = parts;
  const { texts, embedded, mails, backups } = parts;
  return async () => {
    const certificate = certificates.current();
    const { apiEnabled, httpTesting } = settings.values;
    return {
      version,
      command: larderCommand(),
      folder,
      ...where(),
      hasOwner: await hasOwner(),
      fingerprint: certificate.fingerprint,
      authorityFingerprint: certificates.authority.fingerprint,
      certificateEnds: isoSeconds(certificate.notAfter),
      certificateSource: certificate.source,
      apiEnabled,
      httpTesting,
      catalogue: catalogue().map(progressOf),
      items: sumOf(await parts.itemCounts(), catalogue()),
      disks: await parts.disks(),
      texts: await texts(),
      embedded: await embedded(),
      attention: [
        ...((await parts.hasLostAuthority) ? [LOST_AUTHORITY] : []),
        ...certificates.problems(),
        ...listenerProblems(),
        ...(httpTesting ? [t('api.warnings.http')] : []),
        ...unwatchedWarning(catalogue()),
        ...mailWarning(await mails()),
        ...backups(),
        ...parts.problems(),
      ],
    };
  };
}

/** Of the homes that are looked after: not of those in the trash. */
function sumOf(counts: ItemCounts, catalogue: readonly HomeProgress[]): number {
  return catalogue.reduce((sum, { homeId }) => sum + (counts.get(homeId) ?? 0), 0);
}

const LOST_AUTHORITY = t('api.reports.newAuthority');

function unwatchedWarning(catalogue: readonly HomeProgress[]): string[] {
  const unwatched = catalogue.reduce((sum, home) => sum + home.unwatched, 0);
  if (unwatched === 0) return [];
  return [t('api.reports.unwatched', { count: unwatched })];
}

function mailWarning({ waiting, problem }: { waiting: number; problem: string | null }): string[] {
  if (problem === null) return [];
  return [t('api.reports.mailWaiting', { count: waiting, problem })];
}
