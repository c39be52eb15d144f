import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';

type Entry = Output<'activity.list'>['entries'][number];

interface ShownPerson {
  readonly name: string;
  /** Undefined until it is known, and for accounts that are gone. */
  readonly face: Output<'accounts.face'> | undefined;
}

/** Who an entry is of. Accounts that are gone have only the name of the log. */
export function usePerson({ accountId, username }: Pick<Entry, 'accountId' | 'username'>): ShownPerson {
  const face = useControl('accounts.face', { id: accountId ?? 0 }, { isNeeded: accountId !== null }).data;
  return { name: face?.name ?? username ?? '', face };
}
