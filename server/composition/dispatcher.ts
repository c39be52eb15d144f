import type { Backups } from '../backup/backups.ts';
import { createDispatcher, type Dispatcher } from '../control/dispatcher.ts';
import { createControlEvents } from '../control/events.ts';
import { aboutHandlers, doctorProgress } from '../control/handlers/about.ts';
import { backupHandlers } from '../control/handlers/backups.ts';
import { disksOf } from '../control/handlers/disks.ts';
import { controlHandlers } from '../control/handlers/handlers.ts';
import { importHandlers } from '../control/handlers/imports.ts';
import { referenceHandlers } from '../control/handlers/reference.ts';
import { createSetup } from '../control/handlers/setup.ts';
import { sharesAndLinksHandlers } from '../control/handlers/shares-and-links.ts';
import { statusOf } from '../control/handlers/status.ts';
import { recoveryProblems } from '../files/journal/recovery-report.ts';
import { createFolderImports } from '../imports/folder-imports.ts';
import type { Log } from '../lib/log/log.ts';
import { t } from '../messages/messages.ts';
import { ClientProblem } from '../oauth/clients/clients.ts';
import { createConsoleTokens } from '../oauth/console-tokens.ts';
import { JobError } from '../workers/job-error.ts';
import type { WorkerPools } from '../workers/pool/pools.ts';
import type { OpenedServer, Serving } from './serving.ts';

interface DispatcherOptions {
  readonly backups: Backups;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
}

/** Composes what the owner's panel and the command line may call. */
export function composeDispatcher(
  { base, storage, identity, files, sharing, serving }: OpenedServer,
  { backups, openedAt }: DispatcherOptions,
): Dispatcher {
  const { config, layout, events, clock, log } = base;
  const { settings, homes, disk, reconciler, itemCounts, workers } = storage;
  const database = storage.database.files;
  const { accounts, mails, hasOwner } = identity;
  const { media, thumbnailParts, metadata } = files;
  const { people } = sharing;
  const { certificates, listeners, addresses, traffic } = serving;
  const { folder } = layout;
  const job = doctorProgress();
  const handlers = controlHandlers({
    ...base,
    ...storage,
    ...identity,
    ...serving,
    backups,
    openedAt,
    thumbnails: thumbnailParts,
    setup: createSetup({ accounts, homeFolders: people.homeFolders, settings, database: storage.database, events }),
    // Loaded on first use: it is large and rarely needed.
    doctor: (input) =>
      job.during(async (onStep, signal) =>
        (await import('../control/doctor/examine.ts')).examine(
          {
            ...{ layout, config, database, homes, disk, certificates, clock, openedAt, addresses, backups, signal },
            catalogue: storage.catalogue,
            locks: storage.pathLocks,
            openingProblems: storage.problems,
            listening: listeners.listening,
            listenerProblems: listeners.problems,
            allowsHttp: () => settings.values.httpTesting,
          },
          input,
          onStep,
        ),
      ),
    decodeLogo: (base64) => decodeLogo(workers, base64),
    panelLink: () => listeners.newPanelLink(),
    status: statusOf({
      folder,
      certificates,
      settings,
      where: () => listeners.where(),
      listenerProblems: listeners.problems,
      hasOwner,
      // Evaluated now, because a new household has lost nothing.
      hasLostAuthority: hasLostAuthority(serving, hasOwner, log),
      catalogue: () => reconciler.progress(),
      itemCounts,
      disks: () => disksOf({ folder, homes, disk }),
      texts: () => media.texts.counts(),
      embedded: () => media.embedded.counts(),
      mails: () => mails.state(),
      backups: () => backups.attention(),
      problems: () => [...storage.problems, ...recoveryProblems(files.recovery), ...storage.stalls.problems()],
    }),
  });
  const folderImports = createFolderImports(files.imports.context, files.imports.folderRules);
  base.closers.add('examination of folders', () => {
    folderImports.cancelExamination();
  });
  const reference = referenceHandlers({
    ...{ accounts, events, log, app: serving.app, operations: serving.operations, openApi: serving.openApi },
    consoleTokens: createConsoleTokens(storage.database, clock),
    apiPath: `${config.basePath}/api.php`,
    host: () => ownHost(listeners.where().addresses, certificates.current().names),
  });
  return createDispatcher(
    {
      ...handlers,
      ...people.handlers,
      ...metadata.handlers,
      ...sharesAndLinksHandlers({
        ...{ accounts, weblinks: sharing.weblinks.context },
        ...{ sharing: sharing.context, albumShares: sharing.albumShares },
      }),
      ...backupHandlers({ backups, accounts, settings }),
      ...importHandlers({ accounts, imports: files.imports.context.imports, folderImports }),
      ...reference,
      ...aboutHandlers({ folder, openedAt, database, job }),
    },
    createControlEvents(traffic, reconciler, backups),
    async () => ((await hasOwner()) ? 'owner' : 'first-run'),
    log,
  );
}

/** @param base64 an image @returns a small PNG @throws ClientProblem when it is not an image */
function decodeLogo({ images }: Pick<WorkerPools, 'images'>, base64: string): Promise<Buffer> {
  return images.run('logo', { bytes: Buffer.from(base64, 'base64') }).then(
    ({ bytes }) => Buffer.from(bytes),
    (error: unknown) => {
      throw error instanceof JobError ? new ClientProblem('logo', t('api.clients.logo')) : error;
    },
  );
}

async function hasLostAuthority(
  { certificates }: Pick<Serving, 'certificates'>,
  hasOwner: () => Promise<boolean>,
  log: Log,
): Promise<boolean> {
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
