// What this browser remembers of an account: the folder, and a backup that was interrupted. Never names or contents of photos: what
// is sent already is decided by the server.

import { account } from '../files/page.ts';
import { isRecord } from '../lib/requests.ts';

const KEY = `larder-photo-backup:${account}`;

interface Kept {
  /** Below the home, such as `Photos/Phone`; null for the usual one. */
  readonly folder: string | null;
  /** How far an interrupted backup got. */
  readonly interrupted: { readonly stored: number; readonly total: number } | null;
}

const NOTHING: Kept = { folder: null, interrupted: null };

export function kept(): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (!isRecord(value)) return NOTHING;
    const { folder, interrupted } = value;
    const { stored, total } = isRecord(interrupted) ? interrupted : {};
    return {
      folder: typeof folder === 'string' ? folder : null,
      interrupted: typeof stored === 'number' && typeof total === 'number' ? { stored, total } : null,
    };
  } catch {
    return NOTHING;
  }
}

export function keep(change: Partial<Kept>): void {
  try {
    const next = { ...kept(), ...change };
    if (next.folder === null && next.interrupted === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage, the usual folder is proposed again.
  }
}
