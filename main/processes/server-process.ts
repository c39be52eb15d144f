import type { Channel } from '../../server/control/contract/channel.ts';
import {
  type FromServer,
  fromServer,
  type ServerFlags,
  type StartFailure,
  type ToServer,
} from '../../server/control/contract/desktop.ts';
import type { ServerState } from '../../server/control/contract/window.ts';
import { t } from '../messages/messages.ts';
import type { Forked, Processes } from './forked.ts';
import { createWorkerProcesses, type WorkerProcesses } from './worker-processes.ts';

export interface ServerProcessParts extends Processes {
  /** Makes a channel from one end of a pair. */
  channelOf(port: unknown): Channel;
  /** Read at every start. */
  readonly flags: () => ServerFlags;
  /** The command line in a terminal. */
  readonly command: string;
  /** Called with every change. */
  onState(state: ServerState): void;
  /** Called with the reason when a server ended unexpectedly. */
  onDeath?(how: string): void;
  /** Whether the computer runs on its battery. */
  isOnBattery?(): boolean;
  readonly times?: Partial<typeof TIMES>;
}

/** Milliseconds. */
const TIMES = {
  /** Without progress during the start: a large database may be copied before an upgrade. */
  silence: 120_000,
  /** For requests in progress, plus a reserve: the server allows 30 seconds. */
  stop: 40_000,
  /** After which a killed process counts as ended, because a failing disk can block it forever. */
  giveUp: 5_000,
  /** Before another try to use a port, or a folder that another program uses: they may become free. */
  taken: 30_000,
  /** Before the first restart after a crash; doubled every time, up to the maximum. */
  firstRetry: 1_000,
  longestRetry: 60_000,
  /** After which it counts as stable. */
  well: 5 * 60_000,
};

/** The server of the desktop application, and its supervision. */
export interface ServerProcess {
  readonly state: ServerState;
  /** The owner's end of the control channel; null while no server runs. A new one after every start. */
  readonly control: Channel | null;
  /** Starts it, also at once after a failure or crash, or after the end of a stop in progress. Does nothing while it runs. */
  start(): void;
  /** Lets requests in progress finish. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** The same, permanently: it is never started again. */
  end(): Promise<void>;
  /** The computer was asleep: that time does not count for timeouts, and waiting retries happen at once. */
  wake(): void;
  /** Tells the server that the computer runs on its battery, or no longer does. */
  sendPower(): void;
}

interface Running {
  readonly process: Forked;
  readonly control: Channel;
  readonly workers: WorkerProcesses;
  readonly gone: Promise<void>;
  /** From now on it counts as ended. */
  giveUp(): void;
  hasStarted: boolean;
  failure: StartFailure | null;
}

const DIED: StartFailure = {
  reason: 'other',
  message: t('server.ended.message'),
  advice: t('server.ended.advice'),
};
const SILENT: StartFailure = {
  reason: 'other',
  message: t('server.silent.message'),
  advice: t('server.silent.advice'),
};

export function createServerProcess(parts: ServerProcessParts): ServerProcess {
  const times = { ...TIMES, ...parts.times };
  let state: ServerState = { kind: 'stopped' };
  let running: Running | null = null;
  let isStopping = false;
  let isOver = false;
  /** A start was requested during a stop. */
  let isWantedAgain = false;
  /** Number of crashes without a stable time in between. */
  let deaths = 0;
  let retry: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  let well: NodeJS.Timeout | undefined;

  function change(next: ServerState): void {
    state = next;
    parts.onState(next);
  }

  function start(): void {
    if (isOver) return;
    if (running !== null) {
      isWantedAgain = isStopping;
      return;
    }
    clearTimeout(retry);
    isStopping = false;
    isWantedAgain = false;
    let forked: Forked;
    try {
      forked = parts.fork('server');
    } catch (error) {
      fail({ ...DIED, message: t('server.notStarted.message', { reason: (error as Error).message }) });
      return;
    }
    const { first, second } = parts.newPorts();
    let resolve: () => void = () => undefined;
    const gone = new Promise<void>((done) => {
      resolve = done;
    });
    const one: Running = {
      process: forked,
      control: parts.channelOf(first),
      workers: createWorkerProcesses(parts, forked),
      gone,
      giveUp() {
        if (running !== one) return;
        one.workers.kill();
        try {
          ended(one);
        } finally {
          resolve();
        }
      },
      hasStarted: false,
      failure: null,
    };
    running = one;
    forked.onMessage((message) => {
      const said = fromServer.safeParse(message);
      if (said.success && running === one) receive(one, said.data);
    });
    forked.onExit((how) => {
      if (running !== one) return;
      if (!isStopping && one.failure === null) parts.onDeath?.(how);
      one.giveUp();
    });
    change({ kind: 'starting', step: 'opening' });
    awaitSign(one);
    const message: ToServer = { kind: 'start', flags: parts.flags(), command: parts.command };
    forked.postMessage(message, [second]);
    sendPower();
  }

  function sendPower(): void {
    const isOnBattery = parts.isOnBattery?.() ?? false;
    running?.process.postMessage({ kind: 'power', isOnBattery } satisfies ToServer);
  }

  function awaitSign(one: Running): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      one.failure = SILENT;
      one.process.kill();
    }, times.silence);
  }

  function receive(one: Running, said: FromServer): void {
    switch (said.kind) {
      case 'step':
        awaitSign(one);
        if (!isStopping) change({ kind: 'starting', step: said.step });
        break;
      case 'ready':
        clearTimeout(silence);
        one.hasStarted = true;
        well = setTimeout(() => {
          deaths = 0;
        }, times.well);
        if (!isStopping) change({ kind: 'running', version: said.version, addresses: said.addresses, log: said.log });
        break;
      case 'failed':
        one.failure = said.failure;
        one.process.kill();
        break;
      case 'addresses':
        if (state.kind === 'running') change({ ...state, addresses: said.addresses });
        break;
      default:
        one.workers.handle(said);
    }
  }

  function ended(one: Running): void {
    running = null;
    clearTimeout(silence);
    clearTimeout(well);
    if (isWantedAgain) start();
    else if (isStopping) change({ kind: 'stopped' });
    else fail(one.failure ?? DIED);
  }

  function fail(failure: StartFailure): void {
    const isOfFolder = ['folder', 'missing', 'database'].includes(failure.reason);
    // Problems of a folder or its database are permanent, unless stated otherwise or the server ran with it before.
    if (isOfFolder && failure.mayPass !== true && deaths === 0) {
      change({ kind: 'failed', failure, retryIn: null });
      return;
    }
    if (!isOfFolder && failure.reason !== 'other') {
      retry = setTimeout(start, times.taken);
      change({ kind: 'failed', failure, retryIn: times.taken });
      return;
    }
    const retryIn = Math.min(times.firstRetry * 2 ** deaths, times.longestRetry);
    deaths += 1;
    retry = setTimeout(start, retryIn);
    change({ kind: 'failed', failure, retryIn });
  }

  async function stop(): Promise<void> {
    clearTimeout(retry);
    isStopping = true;
    isWantedAgain = false;
    deaths = 0;
    const one = running;
    if (one === null) {
      if (state.kind !== 'stopped') change({ kind: 'stopped' });
      return;
    }
    if (state.kind !== 'stopping') {
      change({ kind: 'stopping' });
      one.process.postMessage({ kind: 'stop' } satisfies ToServer);
    }
    let stopTimer = setTimeout(() => {
      one.process.kill();
      stopTimer = setTimeout(() => one.giveUp(), times.giveUp);
    }, times.stop);
    await one.gone;
    clearTimeout(stopTimer);
  }

  return {
    get state() {
      return state;
    },
    get control() {
      return running?.hasStarted === true ? running.control : null;
    },
    start,
    stop,
    end() {
      isOver = true;
      return stop();
    },
    sendPower,
    wake() {
      if (state.kind === 'starting' && running !== null) awaitSign(running);
      else if (state.kind === 'failed' && state.retryIn !== null) start();
    },
  };
}
