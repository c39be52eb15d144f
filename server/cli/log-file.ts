import { join } from 'node:path';
import pino from 'pino';
import type { Config } from '../config/config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { prepareFolder } from '../storage/folder.ts';
import { layoutOf } from '../storage/layout.ts';

/** The log of a server. */
export interface LogFile {
  readonly path: string;
  readonly log: Log;
  /** Writes what waits. */
  flush(): void;
}

/** Into the folder, which is made usable first. @throws FolderProblem */
export async function openLogFile({ folder, logLevel }: Pick<Config, 'folder' | 'logLevel'>): Promise<LogFile> {
  const layout = layoutOf(folder);
  await prepareFolder(layout);
  const { logs } = layout;
  const path = join(logs, 'larder.log');
  // A line for every request: written together, they cost a busy server a fraction.
  const pace = { sync: false, minLength: 4096, periodicFlush: 200 };
  const destination = pino.destination({ dest: path, append: true, mkdir: true, mode: 0o600, ...pace });
  let isOpen = false;
  destination.once('ready', () => {
    isOpen = true;
  });
  const flush = () => {
    // Nothing waits for a file that is not open yet.
    if (isOpen) destination.flushSync();
  };
  // Also when an error ends it: the last lines say why.
  process.once('exit', flush);
  return { path, log: createLog(logLevel, destination), flush };
}
