/**
 * Ends this process even if a thread waits for a disk that does not respond, for which an orderly exit would wait. Everything
 * else has ended before.
 */
export function endNow(): void {
  process.removeAllListeners('SIGTERM');
  process.kill(process.pid, 'SIGTERM');
}
