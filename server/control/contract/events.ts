import { z } from 'zod';
import { backupProgress } from './backups.ts';

/** The progress of the catalogue of one home. */
export const homeProgress = z.object({
  /** Of the home, as in `homes.list`. */
  id: z.string(),
  /**
   * `offline`: its disk is unavailable; `reading`: finding what changed while Larder was not running; `checking`: every file is
   * compared; `ready`: changes are noticed as they happen.
   */
  state: z.enum(['offline', 'reading', 'checking', 'ready']),
  /** Compared so far, or by the last scan of the whole home. `homes.list` has the number of items that are there. */
  folders: z.int(),
  items: z.int(),
  /** Folders in which changes are noticed only every few minutes, because the system's limit of watches is reached. */
  unwatched: z.int(),
});

/** Traffic in both directions, and the number of devices. */
export const trafficSample = z.object({
  at: z.string(),
  /** Bytes per second, over five seconds. */
  in: z.int(),
  out: z.int(),
  /** Connected ones. */
  devices: z.int(),
});

/** The events of the control side: name → payload. Only the owner receives them. */
export const controlEvents = {
  'catalogue.progress': { summary: "Progress of a home's scan", payload: homeProgress },
  traffic: { summary: 'Current traffic', payload: trafficSample },
  'backup.progress': { summary: 'Progress of a backup, check, removal or restore', payload: backupProgress },
} as const satisfies Record<string, { readonly summary: string; readonly payload: z.ZodType }>;

type ControlEvents = typeof controlEvents;
export type ControlEventName = keyof ControlEvents;
export type ControlPayload<Name extends ControlEventName> = z.output<ControlEvents[Name]['payload']>;
