import { afterEach, describe, expect, it } from 'vitest';
import { listenedAt, reachableNames } from '../../dist/server/tls/lan-addresses.js';
import { type Household, openHousehold } from '../support/households/household.ts';

let household: Household | null = null;
afterEach(async () => {
  await household?.close();
  household = null;
});

const LAN = ['192.0.2.7', '2001:db8::7'];

async function shownFor(host: string): Promise<string[]> {
  household = await openHousehold({ config: { host, name: ['nas.example'] }, addresses: () => LAN });
  const { addresses } = await household.control('status');
  return (addresses as string[]).map((address) => new URL(address).hostname);
}

describe('the addresses in the output', () => {
  const certified = [
    'nas.local',
    'nas.example',
    'localhost',
    '127.0.0.1',
    '::1',
    '192.0.2.7',
    '192.0.2.9',
    '2001:db8::7',
  ];
  const names = (host: string) => reachableNames(certified, host, listenedAt(host, ['192.0.2.7', '2001:db8::7']));

  it.each([
    ['::', ['nas.local', 'nas.example', '192.0.2.7', '[2001:db8::7]', 'localhost']],
    ['0.0.0.0', ['nas.local', 'nas.example', '192.0.2.7', 'localhost']],
    ['192.0.2.7', ['nas.local', 'nas.example', '192.0.2.7']],
    ['2001:db8::7', ['nas.local', 'nas.example', '[2001:db8::7]']],
    ['127.0.0.1', ['localhost']],
    ['localhost', ['localhost']],
    ['::1', ['[::1]']],
  ])('are those at which a listener on %s is reachable', (host, shown) => {
    expect(names(host)).toEqual(shown);
  });

  it('are only local ones if the server listens on loopback', async () => {
    expect(await shownFor('127.0.0.1')).toEqual(['localhost']);
  });

  it('are IPv6 addresses if the server listens on the IPv6 loopback', async () => {
    expect(await shownFor('::1')).toEqual(['[::1]']);
  });
});

it('the server is reachable at every address in the output', async () => {
  const shown = await shownFor('127.0.0.1');
  for (const host of shown) {
    const reply = await fetch(`http://${host}:${household?.controlPort}/control-command`);
    expect(await reply.json()).toEqual({
      command: expect.any(String),
      signIn: expect.stringMatching(/^https:\/\/localhost:\d+\/panel\/$/),
    });
  }
});

it('messages contain the command as it has to be typed', async () => {
  const { run } = await import('./support.ts');
  const { code, stderr } = await run(['doctor', '--folder', '/nothing/here']);
  expect(code).not.toBe(0);
  const { stdout } = await run(['help']);
  expect(`${stderr}${stdout}`).toMatch(/larder/);
  const typed = await run(['control', 'no.such', '--folder', '/nothing/here']);
  expect(typed.stderr).toMatch(/See: node \S*dist\/server\/larder\.cjs control/);
});
