import type { Network } from '../announce/announcer.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { DisksUnder } from '../storage/underlying-disks.ts';
import type { SpawnWorker } from '../workers/pool/worker-process.ts';

export interface LarderOptions {
  readonly config: Config;
  readonly log: Log;
  readonly clock?: Clock;
  /** This machine's addresses on its networks; by default from the system. */
  readonly addresses?: () => readonly string[];
  /** Where to announce it; by default on the local network. */
  readonly network?: Network;
  /** Starts the processes that decode untrusted bytes; by default with Node. */
  readonly spawnWorker?: SpawnWorker;
  /** Certificate authorities (PEM) for the check of the address on the internet; by default those of Node. */
  readonly publicAuthorities?: readonly string[];
  /** Finds physical disks; by default as the system describes them. */
  readonly disksUnder?: DisksUnder;
}
