import { createQuotas } from '../../../dist/server/access/quota.js';
import { createUuidAccess } from '../../../dist/server/access/uuid-access.js';
import { createCatalogue } from '../../../dist/server/catalogue/catalogue.js';
import type { ContentContext } from '../../../dist/server/files/content-context.js';
import { FolderLocks } from '../../../dist/server/files/locks/folder-locks.js';
import { createChunkOrder } from '../../../dist/server/files/upload/chunk-order.js';
import { systemClock } from '../../../dist/server/lib/clock.js';
import { PathLocks } from '../../../dist/server/lib/concurrency/path-locks.js';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import type { Disk } from '../../../dist/server/storage/disk/disk.js';
import type { PeopleOnDisk } from './people-on-disk.ts';

/** What operations on the files of these people work with, without workers. @param disk through which they reach the files */
export function uploadContext(people: PeopleOnDisk, disk: Disk): Omit<ContentContext, 'texts'> {
  const { database, home, journal, disk: plainDisk } = people.disk;
  const pathLocks = new PathLocks();
  const log = createLog('silent', process.stderr);
  const catalogue = createCatalogue({
    ...{ database: database.files, disk, backgroundDisk: plainDisk, watches: new Map() },
    ...{ clock: systemClock, locks: pathLocks, log },
  });
  return {
    access: createUuidAccess(people.access, { database, catalogue }),
    area: home.area,
    quotas: createQuotas(database),
    catalogue,
    database: database.files,
    uploadRows: database.activity,
    disk,
    reserve: { forDeletion: (work) => work(), requireRoom: async () => undefined },
    pathLocks,
    folderLocks: new FolderLocks(),
    journal,
    settings: { values: { versionsKept: 5 } } as ContentContext['settings'],
    chunksInProgress: new Map(),
    chunkOrder: createChunkOrder(),
    activeResponses: { watch: () => () => undefined },
    events: people.events,
    clock: systemClock,
    log,
    failPoints: noFailPoints,
  };
}
