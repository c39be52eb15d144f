import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Installation } from '../support/households/server-process.ts';
import { canTrace } from '../support/system/system-calls.ts';

it.runIf(canTrace())('a system without free sockets does not interrupt existing connections', async () => {
  const installation = await Installation.create();
  try {
    const api = await installation.start();
    const refused = ['-e', 'trace=socket', '-e', 'inject=socket:error=EMFILE'];
    const tracer = spawn('strace', ['-f', '-p', String(installation.pid), ...refused]);
    let told = '';
    tracer.stderr.on('data', (chunk) => (told += chunk));
    // The addresses of the machine are looked at every five seconds, by a socket.
    await expect.poll(() => told.match(/INJECTED/g)?.length ?? 0).toBeGreaterThan(1);
    expect((await api.get('account/info')).status).toBe(200);
    tracer.kill('SIGINT');
    await once(tracer, 'exit');
    expect((await installation.control('status')).running).toBe(true);
  } finally {
    await installation.remove();
  }
});
