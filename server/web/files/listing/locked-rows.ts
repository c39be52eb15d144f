import { HOME_BASE, type ItemTarget } from '../../../access/access.ts';
import type { AccountCaller } from '../../../access/caller.ts';
import type { FilesContext } from '../../../files/context.ts';
import { type KeptByLock, keptByLocksIn } from '../../../files/locks/kept-by-locks.ts';
import { t } from '../../../messages/messages.ts';
import type { ItemAction } from '../item-actions.ts';
import type { Row } from '../row.ts';
import { type SharedPlace, sharedTarget } from './shared-roots.ts';

const NOT_ALTERED: readonly ItemAction[] = ['edit', 'replace', 'rename', 'move'];
const NOT_REMOVED: readonly ItemAction[] = [...NOT_ALTERED, 'delete'];

/**
 * The rows, without the actions that locks refuse. The locks are read once for each home, however many rows there are.
 * @param shared what is shared with the caller, if a row is in a share
 */
export async function withLocks(
  files: FilesContext,
  caller: AccountCaller,
  shared: ReadonlyMap<string, SharedPlace>,
  rows: readonly Row[],
): Promise<Row[]> {
  const homes = new Map<string, ReturnType<typeof keptByLocksIn>>();
  const keptIn = ({ home }: ItemTarget) => {
    const known = homes.get(home.id) ?? keptByLocksIn(files, caller, home);
    homes.set(home.id, known);
    return known;
  };
  const home = rows.some(({ path }) => path.startsWith(`${HOME_BASE}/`)) ? await files.access.homeOf(caller) : null;
  const targetOf = (path: string): ItemTarget | null => {
    if (home === null || !path.startsWith(`${HOME_BASE}/`)) return sharedTarget(shared, path);
    const segments = path.slice(HOME_BASE.length + 1).split('/');
    return { home, segments, base: HOME_BASE, top: 0, share: null };
  };
  return Promise.all(
    rows.map(async (row) => {
      const target = targetOf(row.path);
      // Those who may only read are told that something is locked, not who works on it.
      if (target === null || (row.rights?.perms.alter === false && row.rights.perms.replace !== true)) return row;
      const kept = await (await keptIn(target))(target);
      if (kept === null) return row.isLocked ? { ...row, lock: t('files.row.lockedByYou') } : row;
      return { ...row, lock: lockText(kept), cannot: kept.isKept ? NOT_REMOVED : NOT_ALTERED };
    }),
  );
}

function lockText({ holder, isBelow }: KeptByLock): string {
  const values = { holder: holder.kind, user: holder.kind === 'person' ? holder.name : '' };
  return isBelow ? t('files.row.lockedInside', values) : t('files.row.lockedBy', values);
}
