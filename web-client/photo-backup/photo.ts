// A selected photo or film, and what is known of it.

import { isRecord } from '../lib/requests.ts';

export interface Photo {
  readonly file: File;
  /** Hexadecimal, of what was read in this page; null before, and when it cannot be read. */
  sha256: string | null;
  /** Why it was not sent; may be empty. */
  reason: string;
  /** What the server is certain of; null until it was asked. */
  answer: Answer | null;
}

interface Answer {
  readonly isStored: boolean;
  readonly path: string;
  readonly backup: { readonly disk: string; readonly since: string } | null;
}

export const photoOf = (file: File): Photo => ({ file, sha256: null, reason: '', answer: null });

/** The same for photos with the same content. */
export const contentOf = ({ file, sha256 }: Photo): string => `${file.size} ${sha256}`;

/** One photo of each content, without those that could not be read. */
export function distinct(photos: readonly Photo[]): Photo[] {
  const known = new Map<string, Photo>();
  for (const photo of photos) {
    if (photo.sha256 !== null && !known.has(contentOf(photo))) known.set(contentOf(photo), photo);
  }
  return [...known.values()];
}

/** What is not a clear confirmation is none. */
export function answerIn(value: unknown): Answer {
  const { stored, path, backup } = isRecord(value) ? value : {};
  const { disk, since } = isRecord(backup) ? backup : {};
  const isStored = stored === true;
  const isBackedUp = isStored && typeof disk === 'string' && typeof since === 'string';
  return {
    isStored,
    path: typeof path === 'string' ? path : '',
    backup: isBackedUp ? { disk, since } : null,
  };
}

export type PhotoState = 'missing' | 'stored' | 'safe';

export function stateOf({ answer }: Photo): PhotoState {
  if (answer?.isStored !== true) return 'missing';
  return answer.backup === null ? 'stored' : 'safe';
}
