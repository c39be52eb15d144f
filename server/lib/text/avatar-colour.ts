import { createHash } from 'node:crypto';

export const TINTS = ['damson', 'slate', 'clay', 'bay'] as const;

/** A person keeps one colour everywhere, an app too. */
export function tintOf(id: string | number): (typeof TINTS)[number] {
  const [byte = 0] = createHash('sha256').update(String(id)).digest();
  return TINTS[byte % TINTS.length] ?? 'bay';
}
