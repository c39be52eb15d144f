import { createBackups } from '../backup/backups.ts';
import type { Base } from './base.ts';
import { composeDispatcher } from './dispatcher.ts';
import type { Files } from './files.ts';
import type { Identity } from './identity.ts';
import { createMaintenance } from './maintenance.ts';
import type { Serving } from './serving.ts';
import type { Sharing } from './sharing.ts';
import type { Storage } from './storage.ts';

/** Backups, maintenance, and what the owner may do. @param openedAt milliseconds since the epoch */
export function openControl(
  base: Base,
  storage: Storage,
  identity: Identity,
  files: Files,
  sharing: Sharing,
  serving: Serving,
  openedAt: number,
) {
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
  const dispatcher = composeDispatcher(base, storage, identity, files, sharing, serving, { backups, openedAt });
  const { maintenance, maintenanceIfClockTrusted } = createMaintenance(
    {
      ...storage,
      ...identity,
      files: files.context,
      isReconciled: (homeId) => reconciler.progress().some((one) => one.homeId === homeId && one.state === 'ready'),
      removeUnusedGuests: sharing.removeUnusedGuests,
      removeEndedLinks: sharing.weblinks.removeOld,
      removeOldThumbnailFailures: files.thumbnailParts.removeOld,
      removeOldTusRecords: serving.removeOldTusRecords,
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
