import { createHmac } from 'node:crypto';
import { type Clock, HOUR, MINUTE } from '../../lib/clock.ts';
import { equalSecrets, randomToken } from '../../lib/random.ts';

const LINK_LIFETIME = 10 * MINUTE;
const SESSION_IDLE = 12 * HOUR;
const MOST = 200;

/** Who may use the control listener: holders of a link, and of `control.json`. */
export interface PanelSessions {
  /** A secret for a link; valid once, for ten minutes. */
  newLink(): { secret: string; expires: number };
  /** @returns a session token, or null; a wrong secret does not use up the link */
  exchange(secret: string): string | null;
  /** First half of the command line's authentication: proves that we hold the key, and requests the same. */
  challenge(nonce: string): { proof: string; nonce: string };
  /** Second half. @returns a session token, or null */
  answer(nonce: string, proof: string): string | null;
  isValid(token: string): boolean;
}

/** @param key the secret in `control.json`, which only the folder's owner can read */
export function createPanelSessions(key: string, clock: Clock): PanelSessions {
  const links = new Map<string, number>();
  const challenges = new Map<string, number>();
  const sessions = new Map<string, number>();

  function remember(map: Map<string, number>, name: string, until: number): void {
    for (const [other, end] of map) if (end <= clock.now()) map.delete(other);
    // Then the least recently used one.
    for (const other of map.keys()) {
      if (map.size < MOST) break;
      map.delete(other);
    }
    map.set(name, until);
  }

  function openSession(): string {
    const token = randomToken();
    remember(sessions, token, clock.now() + SESSION_IDLE);
    return token;
  }

  return {
    newLink() {
      const secret = randomToken();
      const expires = clock.now() + LINK_LIFETIME;
      remember(links, secret, expires);
      return { secret, expires };
    },
    exchange(secret) {
      const expires = links.get(secret);
      if (expires === undefined || expires <= clock.now()) return null;
      links.delete(secret);
      return openSession();
    },
    challenge(nonce) {
      const ours = randomToken();
      remember(challenges, ours, clock.now() + MINUTE);
      return { proof: controlProof(key, 'server', nonce), nonce: ours };
    },
    answer(nonce, proof) {
      const expires = challenges.get(nonce);
      challenges.delete(nonce);
      if (expires === undefined || expires <= clock.now()) return null;
      return equalSecrets(proof, controlProof(key, 'client', nonce)) ? openSession() : null;
    },
    isValid(token) {
      const expires = sessions.get(token);
      if (expires === undefined || expires <= clock.now()) return false;
      sessions.delete(token);
      sessions.set(token, clock.now() + SESSION_IDLE);
      return true;
    },
  };
}

/** Proves that one side holds the key, for the nonce it was given, in its own role. */
export function controlProof(key: string, role: 'server' | 'client', nonce: string): string {
  return createHmac('sha256', key).update(`${role}:${nonce}`).digest('base64url');
}
