import { readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

/** Where the running server's control endpoint listens, and the key with which both sides authenticate. */
const controlFile = z.object({ pid: z.int(), port: z.int(), key: z.string().min(20) });

type ControlFile = z.infer<typeof controlFile>;

/** Readable by the owner of the process only. */
export async function writeControlFile(path: string, content: ControlFile): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify(content), { mode: 0o600 });
}

/** @returns null when there is no readable one */
export async function readControlFile(path: string): Promise<ControlFile | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  try {
    return text === null ? null : controlFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function removeControlFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
