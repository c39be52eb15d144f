import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeInFull, itInFull, sampled } from '../support/forms.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { like, t } from '../support/server-texts.ts';
import { type Installation, newInstallation, run } from './support.ts';

let installation: Installation;

beforeEach(async () => {
  installation = await newInstallation();
});
afterEach(() => installation.remove());

const SETUP = ['setup', '--owner', 'ann', '--password-stdin'];
const PASSWORD = 'correct horse battery\n';

describe('invalid commands', () => {
  it.each(
    sampled(
      [
        [['nope'], like('cli.usage.unknownCommand', { name: 'nope' })],
        [['constructor'], like('cli.usage.unknownCommand', { name: 'constructor' })],
        [['serve', '--nope'], '--nope'],
        [['status', 'surplus'], 'surplus'],
        [['serve', '/some/folder'], '/some/folder'],
        [['setup', '--owner'], '--owner'],
        [['setup', '--password-stdin'], '--owner'],
        [['setup', '--owner', 'ann'], like('cli.usage.passwordInput')],
        [['status', '--port', 'many'], '--port'],
        [['status', '--port', '70000'], '--port'],
        [['status', '--base-path', 'files'], '--base-path'],
        [['status', '--log-level', 'loud'], '--log-level'],
        [['restore'], '--from'],
        [['restore', '--from', 'x', '--list'], like('cli.usage.flagOf', { flag: 'list' })],
        [['backup', '--from', 'x'], like('cli.usage.flagOf', { flag: 'from' })],
        [['backup', '--history'], like('cli.usage.history')],
        [['status', '--files'], like('cli.usage.flagOf', { flag: 'files' })],
        [['setup', '--passphrase-stdin'], like('cli.usage.flagOf', { flag: 'passphrase-stdin' })],
        [['control'], 'larder.cjs control <method>'],
        [['control', 'status', '{}', '{}'], 'larder.cjs control <method>'],
        [['control', 'status', '{'], t('cli.usage.notJson', { text: '{' })],
        [['control', 'status', 'nope'], t('cli.usage.notJson', { text: 'nope' })],
      ],
      5,
    ),
  )('%j fails with exit code 2 and one message on standard error, and creates no folder', async (args, text) => {
    const folder = join(installation.folder, 'inner');
    const { code, stdout, stderr } = await run([...args, '--folder', folder]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toEqual(typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text));
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(await readdir(installation.folder)).toEqual([]);
  });

  it('reports an unknown control method before it creates a folder', async () => {
    for (const method of sampled(['nope', 'constructor', 'settings'], 1)) {
      const { code, stdout, stderr } = await installation.larder(['control', method, '--json']);
      expect([code, stdout]).toEqual([4, '']);
      expect(stderr).toContain(`"${method}"`);
    }
    expect(await readdir(installation.folder)).toEqual([]);
  });

  itInFull.each(
    sampled(
      [
        [['status']],
        [['control', 'accounts.add', '{"username":"mia","password":"correct horse battery"}']],
        [['control', 'status']],
        [['doctor', '--repair']],
        [['backup']],
        [['backup', '--list']],
      ],
      2,
    ),
  )('%j creates nothing in a folder without a household', async (args) => {
    for (const folder of [installation.folder, join(installation.folder, 'inner')]) {
      const { code, stdout, stderr } = await run([...args, '--folder', folder]);
      expect(code).not.toBe(0);
      expect(`${stdout}${stderr}`).toContain(folder);
      expect(await readdir(installation.folder)).toEqual([]);
    }
  });

  itInFull.each(sampled([[[]], [['help']], [['--help']], [['serve', '-h']]], 2))('prints help for %j', async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stderr]).toEqual([0, '']);
    for (const command of ['serve', 'setup', 'control', 'status', 'doctor', 'backup', 'restore'])
      expect(stdout).toContain(`larder ${command}`);
  });

  itInFull('prints its version', async () => {
    expect(await run(['--version'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it('reports an unusable folder with exit code 3', async () => {
    const { code, stdout, stderr } = await run(['status', '--folder', '/dev/null/inner']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('/dev/null/inner');
  });
});

describe('larder setup', () => {
  it('creates the owner with an empty home, and prints only the result', async () => {
    const { code, stdout, stderr } = await installation.larder([...SETUP, '--enable-api', '--json'], PASSWORD);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toEqual({
      id: 1,
      username: 'ann',
      home: join(installation.folder, 'homes', 'ann'),
      apiEnabled: true,
    });
    expect(await readdir(join(installation.folder, 'homes'))).toEqual(['ann']);
  });

  it('leaves the API off by default, and says so', async () => {
    const { code, stdout } = await installation.larder(SETUP, PASSWORD);
    expect(code).toBe(0);
    expect(stdout).toMatch(like('cli.setup.done', { username: 'ann' }));
    expect(stdout).toContain(t('cli.setup.api', { enabled: 'false' }));
    expect(stdout).not.toContain(PASSWORD.trim());
    expect(await installation.control('settings.get')).toMatchObject({ apiEnabled: false });
  });

  itInFull.each(
    sampled(
      [
        ['a line end of Windows', 'correct horse battery\r\nmore'],
        ['no line end', 'correct horse battery'],
      ],
      1,
    ),
  )('reads the first line of standard input: %s', async (_name, input) => {
    const { code } = await installation.larder([...SETUP, '--enable-api', '--json'], input);
    expect(code).toBe(0);
    const { clientId: client_id, clientSecret: client_secret } = await installation.control('clients.add', {
      name: 'x',
    });
    expect(client_id).toEqual(expect.any(String));
    expect(client_secret).toEqual(expect.any(String));
  });

  itInFull('fails if there is an owner', async () => {
    await installation.setUp();
    const { code, stdout, stderr } = await installation.larder(
      ['setup', '--owner', 'bob', '--password-stdin', '--json'],
      PASSWORD,
    );
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(t('api.control.alreadySetUp'));
    expect(await readdir(join(installation.folder, 'homes'))).toEqual(['ann']);
  });

  itInFull('creates one owner if it runs twice at the same time', async () => {
    const results = await Promise.all(
      ['ann', 'bob'].map((owner) =>
        installation.larder(['setup', '--owner', owner, '--password-stdin', '--json'], PASSWORD),
      ),
    );
    expect(results.map(({ code }) => code).sort()).toEqual([0, 4]);
    expect(await readdir(join(installation.folder, 'homes'))).toHaveLength(1);
  });
});

describe('larder setup refuses', () => {
  // One folder for all of them: nothing is made, so that each finds it as the one before did.
  let refused: Installation;
  beforeAll(async () => {
    refused = await newInstallation();
  });
  afterAll(() => refused.remove());

  it.each(
    sampled(
      [
        ['a weak password', SETUP, 'short\n', t('api.passwords.tooShort', { min: 10 })],
        ['a common password', SETUP, 'password123\n', t('api.passwords.common')],
        ['an empty standard input', SETUP, '', t('api.passwords.tooShort', { min: 10 })],
        ['an empty first line', SETUP, '\ncorrect horse battery\n', t('api.passwords.tooShort', { min: 10 })],
        [
          'a bad user name',
          ['setup', '--owner', '../ann', '--password-stdin'],
          PASSWORD,
          t('api.usernames.characters'),
        ],
        ['a device', ['setup', '--owner', 'con', '--password-stdin'], PASSWORD, t('api.usernames.device')],
        ['an empty user name', ['setup', '--owner', '', '--password-stdin'], PASSWORD, t('api.usernames.missing')],
      ],
      3,
    ),
  )('%s with exit code 4, and creates nothing', async (_name, args, input, text) => {
    const { code, stdout, stderr } = await refused.larder([...args, '--json'], input);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain(text);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await readdir(join(refused.folder, 'homes'))).toEqual([]);
  });
});

describeInFull('larder control, status and doctor without a server', () => {
  it('prints only the result with --json', async () => {
    await setUpFolder(installation.folder);
    const commands = [
      ['control', 'clients.add', '{"name":"Notes","redirectUris":["https://a.example/cb"]}'],
      ['control', 'status'],
      ['status'],
      ['control', 'doctor'],
      ['doctor'],
    ];
    for (const args of sampled(commands, 2)) {
      const { code, stdout, stderr } = await installation.larder([...args, '--json']);
      expect([code, stderr], args.join(' ')).toEqual([0, '']);
      expect(stdout.endsWith('\n')).toBe(true);
      expect(stdout.trim().split('\n')).toHaveLength(1);
      expect(JSON.parse(stdout)).toEqual(expect.any(Object));
    }
  });

  itInFull('prints a client with the same fields as the panel', async () => {
    await setUpFolder(installation.folder);
    expect(await installation.control('clients.add', { name: 'Notes', redirectUris: ['https://a/cb'] })).toEqual({
      clientId: expect.any(String),
      clientSecret: expect.any(String),
      name: 'Notes',
      public: false,
      redirectUris: ['https://a/cb'],
      publisher: '',
      website: '',
      hasLogo: false,
      enabled: true,
      createdAt: expect.any(String),
    });
  });

  it('prints readable text without --json', async () => {
    await setUpFolder(installation.folder);
    const status = await installation.larder(['status']);
    expect(status.stdout).toMatch(like('cli.status.running', { running: 'false' }));
    expect(status.stdout).toContain(`API          ${t('cli.status.apiState', { enabled: 'true' })}`);
    const doctor = await installation.larder(['doctor']);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining(t('cli.doctor.found', { count: 0 }))]);
  });

  itInFull('creates no link without a server', async () => {
    await setUpFolder(installation.folder);
    const { code, stdout, stderr } = await installation.larder(['control', 'panel.link', '--json']);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/larder\.cjs serve/);
  });

  itInFull('runs one after the other if several are started at once', async () => {
    await setUpFolder(installation.folder);
    const names = ['one', 'two', 'three'];
    await Promise.all(names.map((name) => installation.control('clients.add', { name })));
    const { clients } = (await installation.control('clients.list')) as { clients: { name: string }[] };
    expect(clients.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it('reads settings from the environment, and prefers flags', async () => {
    const env = { LARDER_FOLDER: join(installation.folder, 'by-variable'), LARDER_PORT: 'x' };
    const wrong = await run(['status', '--json'], '', env);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('LARDER_PORT')]);
    await setUpFolder(env.LARDER_FOLDER);
    await setUpFolder(installation.folder);
    const byVariable = await run(['status', '--json', '--port', '0'], '', env);
    expect(JSON.parse(byVariable.stdout)).toMatchObject({ folder: env.LARDER_FOLDER });
    const byFlag = await run(['status', '--json', '--port', '0', '--folder', installation.folder], '', env);
    expect(JSON.parse(byFlag.stdout)).toMatchObject({ folder: installation.folder });
  });
});
