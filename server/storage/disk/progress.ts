/** The progress of a disk thread, in memory shared with its supervisor, because a blocked thread cannot answer messages. */
const CURRENT = 0;
const RUNNING = 1;
const ABANDONED = 2;
const BEATS = 3;

export function progressSlots(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT));
}

export type Progress = ReturnType<typeof progressIn>;

export function progressIn(slots: Int32Array) {
  return {
    /** Called by the thread. @returns whether it may run the call; from then on the call counts as running */
    begin(id: number): boolean {
      Atomics.store(slots, CURRENT, id);
      Atomics.store(slots, RUNNING, 1);
      Atomics.add(slots, BEATS, 1);
      return Atomics.load(slots, ABANDONED) === 0;
    },
    end(): void {
      Atomics.store(slots, RUNNING, 0);
      Atomics.add(slots, BEATS, 1);
    },
    /** Shows that a long call makes progress. */
    beat(): void {
      Atomics.add(slots, BEATS, 1);
    },
    beats: (): number => Atomics.load(slots, BEATS),
    /** Makes the thread begin no further call. @returns the last call that it began, and whether it is running */
    abandon(): { current: number; isRunning: boolean } {
      Atomics.store(slots, ABANDONED, 1);
      return { current: Atomics.load(slots, CURRENT), isRunning: Atomics.load(slots, RUNNING) === 1 };
    },
  };
}
