import { type DoctorParts, type Finding, note } from './parts.ts';

/** Checks that there is a backup, as recent as scheduled. */
export async function checkBackups({ backups }: DoctorParts): Promise<Finding[]> {
  const lacking = await backups.lacking();
  return lacking === null ? [] : [note(lacking)];
}
