import { createHash } from 'node:crypto';

export const AVATAR_COLOURS = ['damson', 'slate', 'clay', 'bay'] as const;

/** A person or app has the same colour everywhere. */
export function avatarColour(id: string | number): (typeof AVATAR_COLOURS)[number] {
  const [byte = 0] = createHash('sha256').update(String(id)).digest();
  return AVATAR_COLOURS[byte % AVATAR_COLOURS.length] ?? 'bay';
}
