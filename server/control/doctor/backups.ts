import { type DoctorParts, type Finding, note } from './parts.ts';

/** Whether there is a backup, as new as the owner wants it. */
export async function checkBackups({ backups }: DoctorParts): Promise<Finding[]> {
  const lacking = await backups.lacking();
  return lacking === null ? [] : [note(lacking)];
}
