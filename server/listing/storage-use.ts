import { type StorageUse, storageUse } from '../catalogue/storage-use.ts';
import type { DatabaseReader } from '../database/database.ts';
import { fileKind } from '../lib/names/file-types.ts';

const KINDS = { image: 'photos', raw: 'photos', video: 'video', audio: 'music' } as const;

/** The space used by an account's files, by file type. @returns null for an account without files */
export async function storageUseOf(database: DatabaseReader, homeId: string | null): Promise<StorageUse | null> {
  if (homeId === null) return null;
  return storageUse(database, homeId, (extension) => {
    const { type } = fileKind(`file.${extension}`, false);
    return type in KINDS ? KINDS[type as keyof typeof KINDS] : 'other';
  });
}
