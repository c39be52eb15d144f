// The screen of a phone stays on: while photos are sent, because the browser stops pages behind a dark screen, and in a slide show.

/** @returns whether the screen stays on, and a function that ends it */
export async function keepAwake(): Promise<{ readonly isAwake: boolean; end(): void }> {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  const request = async () => {
    const wakeLock = navigator.wakeLock as WakeLock | undefined;
    // Refused in a page that is not visible, and when the battery is low.
    const taken = (await wakeLock?.request('screen').catch(() => null)) ?? null;
    if (isOver) await taken?.release();
    else lock = taken;
  };
  // The browser ends it when the user looks at something else.
  const again = () => {
    if (!document.hidden) void request();
  };
  await request();
  document.addEventListener('visibilitychange', again);
  return {
    isAwake: lock !== null,
    end() {
      isOver = true;
      document.removeEventListener('visibilitychange', again);
      void lock?.release();
    },
  };
}
