/**
 * The host of a Host header, without port and brackets, in lower case.
 * @returns null for a header that no client of ours sends
 */
export function hostOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d{1,5})?$/.exec(header);
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}
