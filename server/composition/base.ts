import type { Config } from '../config/config.ts';
import type { Closers } from '../lib/async/closers.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import type { Layout } from '../storage/layout.ts';

/** What every part is opened with. */
export interface Base {
  readonly config: Config;
  readonly layout: Layout;
  readonly events: Events;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives what closes the parts, in the order of their opening. */
  readonly closers: Closers;
}
