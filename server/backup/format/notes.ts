import { t } from '../../messages/messages.ts';
import type { Manifest } from './manifest.ts';

/** What a backup lacks, for those who made it or want to restore it. Whole sentences. */
export function notesOf({ keys, files }: Manifest): string[] {
  const notes: string[] = [];
  if (keys === null) notes.push(t('api.backup.noteKeys'));
  if (files === null) {
    notes.push(t('api.backup.noteFiles'));
    return notes;
  }
  for (const { state, username, path } of files.homes) {
    if (state === 'offline')
      notes.push(t('api.backup.noteHomeOffline', { who: username === '' ? path : username, path }));
  }
  if (!files.history) notes.push(t('api.backup.noteHistory'));
  if (files.changed > 0) notes.push(t('api.backup.noteChanged', { count: files.changed }));
  if (files.leftOut > 0) notes.push(t('api.backup.noteLeftOut', { count: files.leftOut }));
  if (files.absent > 0) notes.push(t('api.backup.noteAbsent', { count: files.absent }));
  if (files.notFollowed > 0) notes.push(t('api.backup.noteNotFollowed', { count: files.notFollowed }));
  return notes;
}

/** A note on damaged files, for those who restored the backup. @param files how many */
export function damageNotes(files: number): string[] {
  if (files === 0) return [];
  return [t('api.restore.noteDamaged', { count: files })];
}
