// Runs vitest with its temporary folders in memory where the system allows it: most of a run on a disk is waiting for
// flushes. The memory is mounted in a mount namespace of its own, so that nothing of it is left however the run ends.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A run has about a gigabyte in temporary files at times, and needs as much again for itself. In bytes. */
const NEEDED = 6 * 2 ** 30;

const vitest = [
  process.execPath,
  fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url)),
  ...process.argv.slice(2),
];
const isPossible =
  process.platform === 'linux' &&
  process.getuid() === 0 &&
  process.env.LARDER_TEST_ON_DISK === undefined &&
  freemem() > NEEDED &&
  spawnSync('unshare', ['--mount', 'true']).status === 0;

if (isPossible) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-memory-'));
  const script = 'mount -t tmpfs -o mode=1777 larder-tests "$0" && exec "$@"';
  const status = await run(['unshare', '--mount', 'sh', '-c', script, folder, ...vitest], { TMPDIR: folder });
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = status;
} else {
  process.exitCode = await run(vitest, {});
}

function run([program, ...args], environment) {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  // An interrupt comes to all processes of the terminal; this one waits for the other.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? code : 1));
  });
}
