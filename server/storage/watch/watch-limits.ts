import { readFileSync } from 'node:fs';

/** Length of the event queue on other systems, and where it cannot be read. */
const USUAL_QUEUE = 16_384;

function queueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || USUAL_QUEUE;
  } catch {
    return USUAL_QUEUE;
  }
}

/**
 * Notices when events may have been lost. All homes share one queue of the system, which drops what exceeds it, and Node does not
 * report that. The content of the queue arrives within one turn of the event loop: half of its length is taken as a loss.
 */
export class WatchOverflow {
  readonly #limit: number;
  #eventsInTurn = 0;
  #lost = 0;
  #overflows = 0;

  /** @param queue the number of events that the system's queue holds */
  constructor(queue = queueLength()) {
    this.#limit = Math.ceil(queue / 2);
  }

  /** Grows with every event that others may have been lost with. */
  get lost(): number {
    return this.#lost;
  }

  /** In how many turns of the event loop events may have been lost. */
  get overflows(): number {
    return this.#overflows;
  }

  /** To be called for each event. */
  count(): void {
    if (this.#eventsInTurn === 0) {
      setImmediate(() => {
        this.#eventsInTurn = 0;
      }).unref();
    }
    this.#eventsInTurn += 1;
    if (this.#eventsInTurn === this.#limit) this.#overflows += 1;
    if (this.#eventsInTurn >= this.#limit) this.#lost += 1;
  }
}

/** The limit of watches over all homes: they need memory, and are a shared resource of the system. */
export class WatchAllowance {
  #left: number;
  constructor(folders: number) {
    this.#left = folders;
  }
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }
  giveBack(): void {
    this.#left += 1;
  }
}
