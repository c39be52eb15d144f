import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSecret } from '../../dist/server/cli/read-secret.js';
import { t } from '../support/server-texts.ts';

const LARDER = fileURLToPath(new URL('../../dist/server/larder.cjs', import.meta.url));

describe('a secret typed at a terminal', () => {
  let input: PassThrough;
  let shown: string;
  let interrupted: number;

  beforeEach(() => {
    input = new PassThrough();
    shown = '';
    interrupted = 0;
  });

  function ask(): Promise<string> {
    const output = new PassThrough();
    output.on('data', (chunk) => (shown += chunk));
    const interrupt = () => {
      interrupted += 1;
    };
    return readSecret('Password: ', { input, output, interrupt });
  }

  it('is not shown, and can be corrected', async () => {
    const typed = ask();
    for (const key of ['o', 'p', 'e', 'm', '\x7f', 'n', ' ', 'ß', '\r']) input.write(key);
    expect(await typed).toBe('open ß');
    expect(shown).toBe('Password: \n');
  });

  it('ends with the input and with Ctrl+C', async () => {
    const typed = ask();
    input.write('half');
    input.end();
    expect(await typed).toBe('half');
    input = new PassThrough();
    const stopped = ask();
    input.write('half\x03');
    expect(await stopped).toBe('');
    expect(interrupted).toBe(1);
    expect(shown).not.toContain('half');
  });
});

describe.runIf(process.platform === 'linux')('at a real terminal', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('a password is asked for and read without being shown', async () => {
    const line = `"${process.execPath}" "${LARDER}" setup --owner ann --password-stdin --folder "${folder}/larder"`;
    const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { stdio: 'pipe' });
    let shown = '';
    let isTyped = false;
    child.stdout.on('data', (chunk) => {
      shown += chunk;
      if (isTyped || !shown.includes(t('cli.prompts.password'))) return;
      isTyped = true;
      child.stdin.write('correct horse battery\r');
    });
    const [code] = await once(child, 'close');
    expect(code, shown).toBe(0);
    expect(shown).toContain(t('cli.prompts.password'));
    expect(shown).not.toContain('horse');
  });
});
