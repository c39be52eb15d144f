import { z } from 'zod';
import { backupProgress } from './backups.ts';

/** How far the catalogue of one home is. */
export const homeProgress = z.object({
  /** Of the home, as in `homes.list`. */
  id: z.string(),
  /**
   * `offline`: its disk is not there; `reading`: what came and went while Larder was not running is being found;
   * `checking`: every file is compared; `ready`: changes are seen as they happen.
   */
  state: z.enum(['offline', 'reading', 'checking', 'ready']),
  /** Looked through so far, or at the last time. */
  folders: z.int(),
  items: z.int(),
  /** Folders in which changes are seen every few minutes only, because the system lets no more be watched. */
  unwatched: z.int(),
});

/** What the owner's side is told without asking: name → payload. Only the owner hears it. */
export const controlEvents = {
  'catalogue.progress': { summary: 'How far the catalogue of a home is', payload: homeProgress },
  'backup.progress': { summary: 'How far a backup is, or the check of one', payload: backupProgress },
} as const satisfies Record<string, { readonly summary: string; readonly payload: z.ZodType }>;

export type ControlEvents = typeof controlEvents;
export type ControlEventName = keyof ControlEvents;
export type ControlPayload<Name extends ControlEventName> = z.output<ControlEvents[Name]['payload']>;
