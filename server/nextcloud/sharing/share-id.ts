/** A share with people, or a web link, by its number in the database. */
export interface ShareKey {
  readonly kind: 'share' | 'link';
  readonly number: number;
}

/** Shares and links are one list for apps, so that links have the odd numbers. Apps store 32 bits. */
export function shareId({ kind, number }: ShareKey): number {
  return 2 * number + (kind === 'link' ? 1 : 0);
}

/** @returns null for what is no such number */
export function shareKey(id: string): ShareKey | null {
  const number = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0;
  if (number < 2) return null;
  return { kind: number % 2 === 1 ? 'link' : 'share', number: Math.floor(number / 2) };
}
