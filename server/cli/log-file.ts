import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createLog, type Log } from '../lib/log/log.ts';
import { RepeatFilter } from '../lib/log/log-repeats.ts';
import { t } from '../messages/messages.ts';
import { prepareFolder } from '../storage/installation/data-folder.ts';
import { LogFileWriter } from '../storage/installation/log-file-writer.ts';
import { layoutOf } from '../storage/layout.ts';

/** The log of a server. */
export interface LogFile {
  readonly path: string;
  readonly log: Log;
  /** Writes what is queued. */
  flush(): void;
}

/** Opens the log in the folder, which is prepared first. @throws FolderProblem */
export async function openLogFile({ folder, logLevel }: Pick<Config, 'folder' | 'logLevel'>): Promise<LogFile> {
  const layout = layoutOf(folder);
  if (!(await prepareFolder(layout)))
    return { path: t('cli.serve.standardError'), log: createLog(logLevel, process.stderr), flush: () => undefined };
  const { logs } = layout;
  const path = join(logs, 'larder.log');
  // Lines for every request are written in batches, which costs a busy server much less.
  const file = new LogFileWriter(path, lostLine);
  const filter = new RepeatFilter(file);
  const flush = () => {
    filter.flush();
    file.flush();
  };
  // Also when an error ends the process: the last lines say why.
  process.once('exit', flush);
  return { path, log: createLog(logLevel, filter), flush };
}

/** A line in the form of the others. */
function lostLine(count: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'warn', time, msg: `${count} lines are missing here: the disk took none` })}\n`;
}
