import type { Manifest } from './manifest.ts';

/** What a backup lacks, for those who made it or want to restore it. Whole sentences. */
export function notesOf({ keys, files }: Manifest): string[] {
  const notes: string[] = [];
  if (keys === null)
    notes.push(
      'The keys are not in the backup, because no passphrase is set for it: what is restored from it gets a new certificate authority, which every device has to trust anew.',
    );
  if (files === null) {
    notes.push("People's files are not in the backup.");
    return notes;
  }
  for (const { state, username, path } of files.homes) {
    if (state === 'offline')
      notes.push(
        `The files of ${username === '' ? path : username} are not in the backup: the disk of ${path} was away.`,
      );
  }
  if (!files.history) notes.push('Older versions and the trash are not in the backup.');
  if (files.changed > 0)
    notes.push(
      `${many(files.changed, 'file was', 'files were')} written to while copied, and may be half old, half new.`,
    );
  if (files.leftOut > 0)
    notes.push(
      `${many(files.leftOut, 'file or folder', 'files or folders')} could not be copied: files.jsonl says which and why.`,
    );
  if (files.absent > 0)
    notes.push(
      `${many(files.absent, 'file or folder was', 'files or folders were')} removed while the backup was made, or before, unnoticed: files.jsonl says which.`,
    );
  if (files.notFollowed > 0)
    notes.push(
      `${many(files.notFollowed, 'symbolic link or special file', 'symbolic links or special files')} left out.`,
    );
  return notes;
}

/** A note on damaged files, for those who restored the backup. @param files how many */
export function damageNotes(files: number): string[] {
  if (files === 0) return [];
  return [`${many(files, 'file is', 'files are')} damaged in the backup, and not restored. Everything else is.`];
}

function many(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}
