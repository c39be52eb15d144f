/**
 * The key under the mask of a form token, which differs in every reply (`server/web/shell/form-token.ts`): two tokens of one
 * session have the same.
 */
export function keyOf(token: string): string {
  const bytes = Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const half = bytes.length / 2;
  return bytes
    .slice(half)
    .map((byte, index) => byte ^ (bytes[index] ?? 0))
    .join();
}
