import type { Transaction } from '../write-queue.ts';

/** One step of the schema. Once released neither its name nor its statements ever change. */
export interface Migration {
  /** Numbered: migrations run in the order of their names. */
  readonly name: string;
  readonly statements: readonly string[];
  /** What SQL alone cannot work out for rows that are there already; after the statements. */
  fill?(tx: Transaction): Promise<void>;
}
