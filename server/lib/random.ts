import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as base64url: tokens, codes, secrets. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, without modulo bias. */
export function randomAlphanumeric(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
    }
  }
  return text;
}

/** What is stored of a token: its SHA-256. That suffices, because a token has 256 random bits. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Compares two secrets in constant time. */
export function equalSecrets(a: string | Buffer, b: string | Buffer): boolean {
  const left = createHash('sha256').update(a).digest();
  const right = createHash('sha256').update(b).digest();
  return timingSafeEqual(left, right);
}
