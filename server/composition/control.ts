import { createBackups } from '../backup/backups.ts';
import { composeDispatcher } from './dispatcher.ts';
import { createMaintenance } from './maintenance.ts';
import type { OpenedServer } from './serving.ts';

/** Backups, maintenance, and what the owner may do. @param openedAt milliseconds since the epoch */
export function openControl(opened: OpenedServer, openedAt: number) {
  const { base, storage, identity, files, sharing, serving } = opened;
  const { config, closers } = base;
  const { reconciler } = storage;
  const backups = createBackups({
    ...base,
    ...storage,
    disk: storage.backgroundDisk,
    extraNames: config.name,
    failPoints: config.failPoints,
  });
  closers.add('backups', () => backups.close());
  const dispatcher = composeDispatcher(opened, { backups, openedAt });
  const { maintenance, maintenanceIfClockTrusted } = createMaintenance(
    {
      ...storage,
      ...identity,
      files: files.uploads,
      isReconciled: (homeId) => reconciler.progress().some((one) => one.homeId === homeId && one.state === 'ready'),
      repairJournal: () => files.journalRepair.repair(),
      removeUnusedGuests: sharing.removeUnusedGuests,
      removeEndedLinks: sharing.weblinks.removeOld,
      removeOldThumbnailFailures: files.thumbnailParts.removeOld,
      removeOldTusRecords: serving.removeOldTusRecords,
      forgetDeletedAlbums: () => files.albums.purge(),
    },
    storage.clockWatch,
  );
  return {
    dispatcher,
    maintenance,
    maintenanceIfClockTrusted,
    backUpIfDue: backups.tick,
    /** Begins to make due backups. */
    start: () => backups.start(),
  };
}
