import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../dist/server/config/config.js';
import { Connection } from '../../dist/server/database/connection.js';
import { OWNER } from '../support/households/household.ts';
import { startServer } from '../support/households/server-process.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { ApiClient } from '../support/requests/api-client.ts';

const execute = promisify(execFile);
const MIA = JSON.stringify({ username: 'mia', name: 'Mia', password: 'correct horse battery' });
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('a build that is not for tests', () => {
  let base: string;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'larder-product-'));
    for (const name of ['dist/bundle', 'dist/server/larder.cjs', 'dist/renderer', 'dist/web-client', 'package.json']) {
      await cp(join(ROOT, name), join(base, 'product', name), { recursive: true });
    }
    for (const name of ['node_modules', 'assets']) await symlink(join(ROOT, name), join(base, 'product', name));
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('ignores LARDER_FAIL_POINTS, and hashes passwords at full cost', async () => {
    const folder = join(base, 'folder');
    const { clientId: client_id, clientSecret: client_secret } = await setUpFolder(folder);
    const failPoints = `${base};storage.receive.write=kill;storage.publish.found-folder=enospc`;
    const program = join(base, 'product', 'dist', 'server', 'larder.cjs');
    const { child, port } = await startServer(folder, { failPoints, program });
    try {
      const api = new ApiClient({ port, ca: await readFile(join(folder, '.larder', 'tls', 'ca.crt'), 'utf8') });
      const { body } = await api.token({ grant_type: 'password', ...OWNER, scope: 'upload', client_id, client_secret });
      const reply = await api.with(String(body.access_token)).put({ path: '/ROOT/HOME/a.txt' }, 'content');
      expect(reply.status).toBe(201);
      expect(existsSync(join(base, 'storage.receive.write.reached'))).toBe(false);
      await execute(process.execPath, [program, 'control', 'accounts.add', MIA, '--folder', folder]);
      const database = await Connection.open(join(folder, '.larder', 'larder.sqlite'));
      const hashes = await database.all<{ hash: string }>('SELECT password_hash AS hash FROM accounts WHERE id > 1');
      await database.close();
      expect(hashes).toEqual([{ hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
  });

  it('is the content of packages: they do not include the mark of a test build', async () => {
    const { failPoints } = parseConfig({}, { LARDER_FAIL_POINTS: `${base};x=kill` });
    expect(failPoints).toEqual({ folder: base, actions: { x: 'kill' } });
    const packaged = await readFile(join(ROOT, 'electron-builder.yml'), 'utf8');
    const files = [...packaged.matchAll(/^ {2}- (dist.*)$/gm)].map(([, path]) => path);
    expect(files).toEqual([
      'dist/bundle',
      'dist/server/larder.cjs',
      'dist/server/control/contract',
      'dist/server/lib/messages',
      'dist/main',
      'dist/renderer',
      'dist/web-client',
      'dist/icons/tray',
      'dist/icons/linux/512x512.png',
    ]);
  });
});
