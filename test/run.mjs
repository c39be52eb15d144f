// Runs vitest with its temporary folders in memory where the system allows it: a run on a disk mostly waits for flushes. The
// memory is mounted in a mount namespace of its own, so nothing of it remains however the run ends.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bytes. A run stores up to about a gigabyte of temporary files and needs memory for itself and the browsers. */
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
  // Containers may allow the namespace and refuse the mount.
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'larder-tests', tmpdir()]).status === 0;

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
  // The terminal sends an interrupt to all its processes; this one waits for the other.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? code : 1));
  });
}
