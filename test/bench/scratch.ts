import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A temporary folder and the processes that work in it. However the benchmark ends, both are gone then. */
export class Scratch {
  readonly folder: string;
  readonly #children = new Set<ChildProcess>();
  #folders = 0;

  /** @param parent on the disk that is measured */
  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'larder-bench-'));
    process.once('exit', () => this.#remove());
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      // `on`, because npm may pass on the same Ctrl+C once more, and that must not end the cleaning up.
      process.on(signal, () => process.exit(code));
    }
  }

  newFolder(name: string): string {
    this.#folders += 1;
    const folder = join(this.folder, `${name}-${this.#folders}`);
    mkdirSync(folder);
    return folder;
  }

  /**
   * Starts a program in a process group of its own: what it starts is counted and ends with it. The settings of an
   * installation of the person who runs this are not handed on.
   */
  spawn(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(?:LARDER_|UV_THREADPOOL_SIZE$|NODE_)/.test(name),
    );
    const env = { ...Object.fromEntries(inherited), ...options.env };
    const child = spawn(command, args, { ...options, env, detached: true });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Asks a program to stop and waits; after ten seconds it has to. */
  async stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const patience = setTimeout(() => killGroup(child), 10_000);
    await ended;
    clearTimeout(patience);
  }

  /** Ends every program and removes what is in the folder. */
  async clear(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.stop(child)));
    for (const name of await readdir(this.folder)) await rm(join(this.folder, name), { recursive: true, force: true });
  }

  #remove(): void {
    for (const child of this.#children) killGroup(child);
    // Whoever was killed just now may still be finishing a write.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs a program to its end. @returns its standard output @throws Error with what it complained of */
export async function runToEnd(
  scratch: Scratch,
  command: string,
  args: readonly string[],
  input = '',
): Promise<string> {
  const child = scratch.spawn(command, args, { stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  child.stdin?.on('error', () => undefined).end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.trim() || stdout.trim()}`);
  return stdout;
}
