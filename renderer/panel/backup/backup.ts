import type { Output } from '../../../server/control/contract/contract.ts';

/** A backup in the list. */
export type ListedBackup = Output<'backup.list'>['backups'][number];

export type BackupState = Output<'backup.state'>;
