/** ISO 8601, UTC, whole seconds: `2026-03-01T17:05:09Z`. */
export function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
