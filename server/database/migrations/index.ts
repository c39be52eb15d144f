import { foundation } from './0001-foundation.ts';

export interface Migration {
  /** Numbered; once released neither the name nor the statements ever change. */
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [foundation];
