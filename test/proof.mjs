// Runs the tests several times under stated conditions and appends one line for each run to a file outside the tree:
//   node test/proof.mjs <file> [--runs=1] [--busy=0] [--one-core] [-- <command>]
// The command is `npm test` unless one is given. `--busy` starts so many endless loops beside it, `--one-core` restricts it to the
// first processor. Processor time is that of a control group of its own, so that orphaned processes count as well (Linux, as root;
// elsewhere it is left out).
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    busy: { type: 'string', default: '0' },
    'one-core': { type: 'boolean', default: false },
  },
});
const [file, ...given] = positionals;
if (file === undefined) {
  process.stderr.write(
    'usage: node test/proof.mjs <file> [--runs=<number>] [--busy=<number>] [--one-core] [-- <command>]\n',
  );
  process.exit(2);
}
const command = given.length === 0 ? ['npm', 'test'] : given;
const commit = await output('git', ['rev-parse', '--short=10', 'HEAD']);
const isChanged = (await output('git', ['status', '--porcelain'])) !== '';

for (let run = 1; run <= Number(values.runs); run += 1) {
  const loops = Array.from({ length: Number(values.busy) }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  process.once('exit', () => {
    for (const loop of loops) loop.kill('SIGKILL');
  });
  const group = controlGroup();
  const begun = Date.now();
  const { status, text } = await runIn(
    group,
    values['one-core'] ? ['taskset', '--cpu-list', '0', ...command] : command,
  );
  const minutes = (Date.now() - begun) / 60_000;
  for (const loop of loops) loop.kill('SIGKILL');
  const cpuSeconds = group === null ? null : usedSeconds(group);
  if (group !== null) {
    // A process that remains keeps its group: it is named in the line, as something left behind.
    try {
      rmdirSync(group);
    } catch {}
  }
  const line = {
    commit: isChanged ? `${commit} with changes` : commit,
    at: new Date(begun).toISOString(),
    command: command.join(' '),
    busy: loops.length,
    cores: values['one-core'] ? 1 : null,
    status,
    ...closingCounts(text),
    minutes: Number(minutes.toFixed(1)),
    cpuSeconds: cpuSeconds === null ? null : Math.round(cpuSeconds),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
  process.stdout.write(`${JSON.stringify(line)}\n`);
  if (status !== 0) process.exitCode = 1;
}

/** The folder of a new control group; null where there is none to be had. */
function controlGroup() {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const root = mounts.map((line) => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1];
    if (root === undefined) return null;
    const folder = join(root, `larder-proof-${process.pid}-${Date.now()}`);
    mkdirSync(folder);
    return folder;
  } catch {
    return null;
  }
}

function usedSeconds(group) {
  const micros = /^usage_usec (\d+)$/m.exec(readFileSync(join(group, 'cpu.stat'), 'utf8'))?.[1];
  return Number(micros) / 1e6;
}

/** Runs it, shows what it prints, and returns that with its exit status. */
function runIn(group, words) {
  const all = group === null ? words : ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group, ...words];
  return new Promise((resolve, reject) => {
    const child = spawn(all[0], all.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (data) => {
      process.stdout.write(data);
      text = (text + data).slice(-65_536);
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status: status ?? 1, text }));
  });
}

/** The counts of the closing lines. */
function closingCounts(text) {
  const found = [...text.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  const unstable = [...text.matchAll(/^unstable: (\S+)/gm)].map(([, path]) => path);
  return found === undefined
    ? { passed: null, failed: null, skipped: null, unstable }
    : { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3] ?? 0), unstable };
}

function output(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (data) => (text += data));
    child.on('error', reject);
    child.on('close', () => resolve(text.trim()));
  });
}
