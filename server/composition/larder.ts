import type { Network } from '../announce/announcer.ts';
import type { Config } from '../config/config.ts';
import { isTestBuild } from '../config/test-build.ts';
import type { Dispatcher } from '../control/dispatcher.ts';
import { Closers } from '../lib/async/closers.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { enableScopeGuards } from '../lib/concurrency/scope-guard.ts';
import { createEvents } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { logIgnoredFailures } from '../lib/log/log-ignored.ts';
import { layoutOf } from '../storage/layout.ts';
import { type DisksUnder, disksUnder as systemDisksUnder } from '../storage/underlying-disks.ts';
import type { Certificates } from '../tls/certificates.ts';
import { lanAddresses } from '../tls/lan-addresses.ts';
import { forkWorker } from '../workers/pool/fork-worker.ts';
import type { SpawnWorker } from '../workers/pool/worker-process.ts';
import type { Base } from './base.ts';
import { openControl } from './control.ts';
import { openFiles } from './files.ts';
import { openIdentity } from './identity.ts';
import type { Listening } from './serving/listeners.ts';
import { openServing } from './serving.ts';
import { openSharing } from './sharing.ts';
import { openStorage } from './storage.ts';

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
  /** Whether the desktop application reports that the machine runs on its battery. */
  readonly reportsBattery?: () => boolean;
  /** Certificate authorities (PEM) for the check of the address on the internet; by default those of Node. */
  readonly publicAuthorities?: readonly string[];
  /** Finds physical disks; by default as the system describes them. */
  readonly disksUnder?: DisksUnder;
}

/** An open installation: its folder is locked and everything is ready, but nothing listens yet. */
export interface Larder {
  readonly dispatcher: Dispatcher;
  readonly certificates: Certificates;
  /** Runs on request; the periodic run is `maintenanceIfClockTrusted`. */
  readonly maintenance: () => Promise<void>;
  readonly maintenanceIfClockTrusted: () => Promise<void>;
  /** The check made every minute for a due backup. */
  backUpIfDue(): Promise<void>;
  /** Opens the listeners. */
  serve(): Promise<Listening>;
  /** Called with every change of the server's addresses, once the certificate covers them. */
  onAddresses(listener: (addresses: readonly string[]) => void): void;
  /** Whether a blocked disk or a part that did not close in time keeps the process from exiting on its own. Asked after closing. */
  isHeld(): boolean;
  close(): Promise<void>;
}

/**
 * The composition root: opens the parts in the order of their dependencies. Each opener is given the parts below it.
 * @throws FolderProblem, FolderInUse, DatabaseLost, or an Error that names the damaged file
 */
export async function openLarder({
  config,
  log,
  clock = systemClock,
  addresses = lanAddresses,
  network,
  spawnWorker = forkWorker,
  reportsBattery = () => false,
  publicAuthorities,
  disksUnder = systemDisksUnder,
}: LarderOptions): Promise<Larder> {
  if (isTestBuild()) enableScopeGuards();
  const openedAt = clock.now();
  const closers = new Closers(log);
  closers.add('ignored failures', logIgnoredFailures(log));
  const events = createEvents((error, name) => log.error({ err: error, event: name }, 'a listener failed'));
  const base: Base = { config, layout: layoutOf(config.folder), events, clock, log, closers };
  try {
    const storage = await openStorage(base, { spawnWorker, reportsBattery, disksUnder });
    const identity = await openIdentity(base, storage);
    const files = await openFiles(base, storage, identity);
    const sharing = await openSharing(base, storage, identity, files);
    const opened = { base, storage, identity, files, sharing };
    const options = { addresses, network, publicAuthorities };
    const serving = await openServing(opened, options);
    const control = openControl({ ...opened, serving }, openedAt);
    const { dispatcher, maintenance, maintenanceIfClockTrusted, backUpIfDue } = control;
    storage.seal();
    let listening: Listening | null = null;
    return {
      dispatcher,
      maintenance,
      maintenanceIfClockTrusted,
      backUpIfDue,
      certificates: serving.certificates,
      onAddresses: serving.listeners.onAddresses,
      isHeld: () => storage.isHeld() || closers.late.length > 0 || (listening?.isLate() ?? false),
      async serve() {
        serving.panel.start(dispatcher);
        const { app, listeners } = serving;
        const listened = await listeners.start({ app, dispatcher, maintenance: maintenanceIfClockTrusted });
        listening = listened;
        // Without a limit: its parts have limits of their own.
        closers.add('listeners', listened.close, Number.POSITIVE_INFINITY);
        closers.add('requests', serving.stopRequests);
        for (const part of [storage, files, identity, sharing, control]) part.start();
        return listened;
      },
      close: () => closers.close(),
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}
