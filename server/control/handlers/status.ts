import type { HomeProgress } from '../../catalogue/reconcile/reconciler.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { version } from '../../lib/version.ts';
import type { Settings } from '../../settings/settings.ts';
import type { openCertificates } from '../../tls/certificates.ts';
import type { Output } from '../contract/contract.ts';
import { HTTP_WARNING } from '../contract/warnings.ts';
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
      texts: await texts(),
      embedded: await embedded(),
      attention: [
        ...((await parts.hasLostAuthority) ? [LOST_AUTHORITY] : []),
        ...certificates.problems(),
        ...listenerProblems(),
        ...(httpTesting ? [HTTP_WARNING] : []),
        ...unwatchedWarning(catalogue()),
        ...mailWarning(await mails()),
        ...backups(),
        ...parts.problems(),
      ],
    };
  };
}

const LOST_AUTHORITY =
  "The household's certificate authority was not there, and a new one was made: every device that trusted the old one has to trust this one. If there is a backup with its keys, stop Larder and put tls/ca.crt and tls/ca.key back from it, both together.";

function unwatchedWarning(catalogue: readonly HomeProgress[]): string[] {
  const unwatched = catalogue.reduce((sum, home) => sum + home.unwatched, 0);
  if (unwatched === 0) return [];
  return [
    `${unwatched} folders cannot be watched: what other programs change in them is seen by a listing at once, but found by a search only after ten minutes. They lie on a network disk, or are more than the system allows (on Linux fs.inotify.max_user_watches and max_user_instances).`,
  ];
}

function mailWarning({ waiting, problem }: { waiting: number; problem: string | null }): string[] {
  if (problem === null) return [];
  return [
    `${waiting === 1 ? 'A mail waits' : `${waiting} mails wait`} to be sent, and will be tried again. ${problem}`,
  ];
}
