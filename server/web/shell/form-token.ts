import { createHash, randomBytes } from 'node:crypto';
import { equalSecrets } from '../../lib/random.ts';

/** The token that forms of a browser carry, so that no other site can send them. */
export interface FormTokens {
  /** What all tokens of the browser contain; never in a page. */
  readonly formKey: string;
  /**
   * The key under a mask of its own: without the mask, the length of a compressed page that also contains text of others would
   * reveal the key letter by letter (BREACH).
   */
  readonly formToken: string;
}

/** Bytes of a key, and of its mask. */
const LENGTH = 32;

/** The tokens of a browser, masked afresh. @param secret that only the browser and the server know, such as its cookie */
export function formTokensOf(secret: string): FormTokens {
  const key = createHash('sha256').update(`form ${secret}`).digest();
  const mask = randomBytes(LENGTH);
  return {
    formKey: key.toString('base64url'),
    formToken: Buffer.concat([mask, combined(key, mask)]).toString('base64url'),
  };
}

/** Whether a token that was sent belongs to the browser, under whatever mask. */
export function isTokenOf(token: unknown, { formKey }: Pick<FormTokens, 'formKey'>): boolean {
  const bytes = Buffer.from(typeof token === 'string' ? token : '', 'base64url');
  if (bytes.length !== 2 * LENGTH) return false;
  const key = combined(bytes.subarray(0, LENGTH), bytes.subarray(LENGTH));
  return equalSecrets(key, Buffer.from(formKey, 'base64url'));
}

function combined(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}
