import pino from 'pino';
import type { Config } from '../config/config.ts';
import { createLog, type Log } from '../lib/log/log.ts';
import { normalized } from '../lib/names/normalized.ts';
import { t } from '../messages/messages.ts';
import type { SpawnWorker } from '../workers/pool/worker-process.ts';
import { readSecret } from './read-secret.ts';

/** The environment of the command line, which is not always a Node process of its own. */
export interface Runtime {
  readonly spawnWorker: SpawnWorker;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The command as it is typed here. */
  readonly command: string;
}

export interface CliContext extends Runtime {
  readonly config: Config;
  readonly values: { readonly [flag: string]: string | boolean | readonly (string | boolean)[] | undefined };
  /** The arguments after the command. */
  readonly rest: readonly string[];
}

export const ExitCode = { ok: 0, unhealthy: 1, failed: 1, usage: 2, folder: 3, refused: 4 } as const;

/** The command line itself is invalid. */
export class UsageProblem extends Error {}

/** For short commands: only errors, on standard error. */
export function briefLog(): Log {
  return createLog('error', pino.destination({ dest: 2, sync: true }));
}

/** Prints the bare result for programs, or text for people. */
export function show({ values }: CliContext, result: unknown, text: () => string): void {
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${text()}\n`);
}

/** The first line of standard input, without its line end. Input at a terminal is not echoed. */
export async function readPassword({ stdin }: Runtime, prompt = t('cli.prompts.password')): Promise<string> {
  if (stdin === process.stdin && process.stdin.isTTY) {
    const interrupt = () => process.kill(process.pid, 'SIGINT');
    const typed = await readSecret(`${prompt} `, { input: process.stdin, output: process.stderr, interrupt });
    return normalized(typed, 'NFC');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) {
    chunks.push(chunk);
    if (chunk.includes(10)) break;
  }
  return normalized(Buffer.concat(chunks).toString('utf8').split(/\r?\n/, 1)[0] ?? '', 'NFC');
}
