import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Events } from '../lib/events.ts';

/** Everything the owner can set. A setting that was never set has its default. */
export const settingsSchema = z.object({
  /** §1.1: the API is off until the owner enables it. */
  apiEnabled: z.boolean().default(false),
  /** §1.3: plain HTTP, for testing only. */
  httpTesting: z.boolean().default(false),
  /** Wrong passwords in a row that deactivate an account. */
  wrongPasswordLimit: z.int().min(3).max(100).default(5),
  /** The address that mails and links made outside of a request carry; empty: not set. */
  baseUrl: z.union([z.literal(''), z.url({ protocol: /^https$/ })]).default(''),
  /** What the household calls itself on its pages. */
  householdName: z.string().trim().min(1).max(60).default('Larder'),
});

export type SettingsValues = z.infer<typeof settingsSchema>;
export type SettingKey = keyof SettingsValues;

export interface Settings {
  /** A frozen snapshot of all of them. */
  readonly values: SettingsValues;
  /** Stores what is given and leaves the rest. @throws ZodError for a value that does not fit; then nothing changes */
  update(changes: Partial<SettingsValues>): Promise<void>;
}

export async function openSettings(database: Database, events: Events): Promise<Settings> {
  const rows = await database.all<{ key: string; value: string }>('SELECT key, value FROM settings');
  let values = settingsSchema.parse(Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.value)])));
  return {
    get values() {
      return values;
    },
    async update(changes) {
      const next = settingsSchema.parse({ ...values, ...changes });
      const keys = (Object.keys(changes) as SettingKey[]).filter((key) => changes[key] !== undefined);
      await database.write(async (tx) => {
        for (const key of keys) {
          await tx.run(
            'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
            [key, JSON.stringify(next[key])],
          );
        }
        tx.afterCommit(() => {
          values = Object.freeze(next);
        });
      });
      events.emit('settings.changed', { keys });
    },
  };
}
