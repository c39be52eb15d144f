import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/** Bytes that all workers may use together, by default: a quarter of the machine's memory, at most 1 GiB. */
export function usualWorkerMemory(): number {
  return Math.min(1024 * MEBIBYTE, Math.floor(totalmem() / 4));
}

/** A part of the budget. */
export interface Reservation {
  readonly bytes: number;
  release(): void;
}

/** The memory that all workers share: a job reserves its maximum before it starts, and waits until it is free. */
export interface MemoryBudget {
  /** Bytes. */
  readonly total: number;
  /** Bytes that are reserved now. */
  readonly reserved: number;
  /** @param bytes capped at `total` @returns null when so much is not free, or others wait */
  tryReserve(bytes: number): Reservation | null;
  /**
   * Resolves when so much is free; in the order of the calls, so that large reservations are not overtaken forever.
   * @param bytes capped at `total`
   * @throws the reason of the signal
   */
  reserve(bytes: number, signal: AbortSignal): Promise<Reservation>;
  /**
   * The memory of a process without a job.
   * @param evict ends it when a job needs the memory; the reservation is released when the process is gone
   */
  holdIdle(bytes: number, evict: () => void): Reservation;
}

interface Waiting {
  readonly bytes: number;
  readonly start: (reservation: Reservation) => void;
}

export function createMemoryBudget(total: number): MemoryBudget {
  const waiting: Waiting[] = [];
  /** The oldest first. */
  const idle = new Map<Reservation, () => void>();
  let reserved = 0;

  function take(bytes: number): Reservation {
    reserved += bytes;
    let isReleased = false;
    const reservation: Reservation = {
      bytes,
      release() {
        if (isReleased) return;
        isReleased = true;
        reserved -= bytes;
        idle.delete(reservation);
        startNext();
      },
    };
    return reservation;
  }

  function startNext(): void {
    for (;;) {
      const [next] = waiting;
      if (next === undefined) return;
      if (reserved + next.bytes > total) {
        evictFor(next.bytes);
        return;
      }
      waiting.shift();
      next.start(take(next.bytes));
    }
  }

  /** Ends idle processes; their memory is free when they are gone. */
  function evictFor(bytes: number): void {
    let excess = reserved + bytes - total;
    for (const [reservation, evict] of [...idle]) {
      if (excess <= 0) return;
      excess -= reservation.bytes;
      idle.delete(reservation);
      evict();
    }
  }

  return {
    total,
    get reserved() {
      return reserved;
    },
    tryReserve(bytes) {
      const requested = Math.min(bytes, total);
      return waiting.length === 0 && reserved + requested <= total ? take(requested) : null;
    },
    reserve(bytes, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const stop = () => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason);
          startNext();
        };
        const one: Waiting = {
          bytes: Math.min(bytes, total),
          start(reservation) {
            signal.removeEventListener('abort', stop);
            resolve(reservation);
          },
        };
        signal.addEventListener('abort', stop, { once: true });
        waiting.push(one);
        startNext();
      });
    },
    holdIdle(bytes, evict) {
      const reservation = take(bytes);
      idle.set(reservation, evict);
      evictFor(waiting[0]?.bytes ?? 0);
      return reservation;
    },
  };
}
