import type { RequestListener } from 'node:http';
import type { Accounts } from '../accounts/accounts.ts';
import type { Activity } from '../activity/activity.ts';
import type { Backups } from '../backup/backups.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { ItemCounts } from '../catalogue/item-counts.ts';
import type { Reconciler } from '../catalogue/reconcile/reconciler.ts';
import type { Config } from '../config/config.ts';
import { createDispatcher, type Dispatcher } from '../control/dispatcher.ts';
import { createControlEvents } from '../control/events.ts';
import { aboutHandlers, doctorProgress } from '../control/handlers/about.ts';
import { backupHandlers } from '../control/handlers/backups.ts';
import { disksOf } from '../control/handlers/disks.ts';
import { controlHandlers, type HandlerParts } from '../control/handlers/handlers.ts';
import { type ReferenceHandlerParts, referenceHandlers } from '../control/handlers/reference.ts';
import { createSetup } from '../control/handlers/setup.ts';
import { sharesAndLinksHandlers } from '../control/handlers/shares-and-links.ts';
import { statusOf } from '../control/handlers/status.ts';
import type { Database } from '../database/database.ts';
import type { OutsideAddress } from '../http/connection/outside-address.ts';
import type { Traffic } from '../http/connection/traffic.ts';
import type { Clock } from '../lib/clock.ts';
import type { PathLocks } from '../lib/concurrency/path-locks.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { t } from '../messages/messages.ts';
import { ClientProblem, type Clients } from '../oauth/clients.ts';
import { createConsoleTokens } from '../oauth/console-tokens.ts';
import type { Settings } from '../settings/settings.ts';
import type { SharingContext } from '../sharing/context.ts';
import type { Disk } from '../storage/disk/disk.ts';
import type { Layout } from '../storage/layout.ts';
import type { Certificates } from '../tls/certificates.ts';
import type { WeblinksContext } from '../weblinks/context.ts';
import { JobError } from '../workers/job-error.ts';
import type { WorkerPools } from '../workers/pool/pools.ts';
import type { createServing } from './listeners.ts';
import type { Media } from './media.ts';
import type { composeMetadata } from './metadata.ts';
import type { composePeople } from './people.ts';

export interface ControlParts {
  readonly config: Config;
  readonly layout: Layout;
  readonly database: Database;
  readonly events: Events;
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly activity: Activity;
  readonly clients: Clients;
  readonly mailer: Mailer;
  readonly outside: OutsideAddress;
  readonly mails: MailQueue;
  readonly homes: Homes;
  readonly certificates: Certificates;
  readonly serving: ReturnType<typeof createServing>;
  readonly reconciler: Reconciler;
  readonly media: Media;
  readonly disk: Disk;
  readonly catalogue: Catalogue;
  readonly itemCounts: () => Promise<ItemCounts>;
  readonly pathLocks: PathLocks;
  readonly images: WorkerPools['images'];
  readonly people: ReturnType<typeof composePeople>;
  readonly metadata: ReturnType<typeof composeMetadata>;
  readonly backups: Backups;
  readonly traffic: Traffic;
  readonly hashing: HandlerParts['hashing'];
  readonly thumbnails: HandlerParts['thumbnails'];
  readonly weblinks: WeblinksContext;
  readonly sharing: SharingContext;
  readonly clock: Clock;
  readonly log: Log;
  readonly addresses: () => readonly string[];
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  /** Problems found when the folder was opened. */
  readonly openingProblems: readonly string[];
  /** Further problems for the owner, one or two sentences each. */
  readonly problems: () => string[];
  readonly hasOwner: () => Promise<boolean>;
  readonly app: RequestListener;
  readonly operations: ReferenceHandlerParts['operations'];
  readonly openApi: () => Record<string, unknown>;
}

/** Composes the owner's side. */
export function composeControl(parts: ControlParts): Dispatcher {
  const { config, layout, settings, certificates, serving, people, images, clock, log } = parts;
  const database = parts.database.files;
  const { accounts, events, hasOwner, reconciler, media, mails, addresses, backups } = parts;
  const job = doctorProgress();
  const handlers = controlHandlers({
    ...parts,
    setup: createSetup({ accounts, homeFolders: people.homeFolders, settings, database: parts.database, events }),
    // Loaded on first use: it is large and rarely needed.
    doctor: (input) =>
      job.during(async (onStep, signal) =>
        (await import('../control/doctor/examine.ts')).examine(
          {
            ...{ layout, config, database, homes: parts.homes, disk: parts.disk, catalogue: parts.catalogue },
            ...{ locks: parts.pathLocks, certificates, clock, openedAt: parts.openedAt, addresses, backups },
            openingProblems: parts.openingProblems,
            listening: serving.listening,
            listenerProblems: serving.problems,
            allowsHttp: () => settings.values.httpTesting,
            signal,
          },
          input,
          onStep,
        ),
      ),
    decodeLogo: (base64) =>
      images.run('logo', { bytes: Buffer.from(base64, 'base64') }).then(
        ({ bytes }) => Buffer.from(bytes),
        (error: unknown) => {
          throw error instanceof JobError ? new ClientProblem('logo', t('api.clients.logo')) : error;
        },
      ),
    panelLink: () => serving.newPanelLink(),
    status: statusOf({
      folder: layout.folder,
      certificates,
      settings,
      where: () => serving.where(),
      listenerProblems: serving.problems,
      hasOwner,
      // Evaluated now, because a new household has lost nothing.
      hasLostAuthority: hasLostAuthority(parts),
      catalogue: () => reconciler.progress(),
      itemCounts: parts.itemCounts,
      disks: () => disksOf({ folder: layout.folder, homes: parts.homes, disk: parts.disk }),
      texts: () => media.texts.counts(),
      embedded: () => media.embedded.counts(),
      mails: () => mails.state(),
      backups: () => backups.attention(),
      problems: parts.problems,
    }),
  });
  const reference = referenceHandlers({
    ...{ accounts, events, log, app: parts.app, operations: parts.operations, openApi: parts.openApi },
    consoleTokens: createConsoleTokens(parts.database, clock),
    apiPath: `${config.basePath}/api.php`,
    host: () => ownHost(serving.where().addresses, certificates.current().names),
  });
  const about = aboutHandlers({ folder: layout.folder, openedAt: parts.openedAt, database, job });
  return createDispatcher(
    {
      ...{ ...handlers, ...people.handlers, ...parts.metadata.handlers, ...sharesAndLinksHandlers(parts) },
      ...{ ...backupHandlers({ backups, accounts, settings }), ...reference, ...about },
    },
    createControlEvents(parts.traffic, reconciler, backups),
    async () => ((await hasOwner()) ? 'owner' : 'first-run'),
    log,
  );
}

async function hasLostAuthority({ certificates, hasOwner, log }: ControlParts): Promise<boolean> {
  // A start must not fail because of it: the status reports problems of the database.
  const isLost = certificates.hasNewAuthority && (await hasOwner().catch(() => false));
  if (isLost) log.warn("the household's certificate authority was not there, and a new one was made");
  return isLost;
}

/** The most readable one, so that addresses in replies are those other machines know. */
function ownHost([address]: readonly string[], names: readonly string[]): string {
  if (address !== undefined) return new URL(address).host;
  return names.find((name) => !name.includes('*') && !name.includes(':')) ?? 'localhost';
}
