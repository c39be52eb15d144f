import type { MessagePort } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlFailure } from '../../../dist/server/control/contract/contract.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { overChannel, TRANSPORTS, type Transport } from './transports.ts';

let household: Household;
let empty: Household;

beforeAll(async () => {
  household = await openHousehold();
  empty = await openHousehold({ owner: null });
});
afterAll(async () => {
  await household.close();
  await empty.close();
});

const failureOf = (call: Promise<unknown>): Promise<ControlFailure> =>
  call.then(
    (output) => Promise.reject(new Error(`it was carried out: ${JSON.stringify(output)}`)),
    (failure) => failure,
  );

describe.each(Object.entries(TRANSPORTS))('the control contract over %s', (name, open) => {
  let control: Transport;

  beforeAll(async () => {
    control = await open(household);
  });
  afterAll(() => control.close());

  it('returns the result of a call', async () => {
    expect(await control.call('status', {})).toMatchObject({ folder: household.folder, hasOwner: true });
    const label = `“Küche” \u{1f345} <b> \\ \u2028 ${name}`;
    const added = (await control.call('clients.add', { name: label })) as { clientId: string; clientSecret: string };
    expect(added.clientSecret).toMatch(/^[\w-]{20,}$/);
    const { clients } = (await control.call('clients.list', {})) as { clients: { clientId: string; name: string }[] };
    expect(clients.find(({ clientId }) => clientId === added.clientId)?.name).toBe(label);
    await control.call('clients.remove', { clientId: added.clientId });
  });

  it('refuses unknown methods, invalid input, and impossible requests', async () => {
    for (const method of ['nothing.there', 'toString', 'constructor', 'status.', 'STATUS']) {
      expect((await failureOf(control.call(method, {}))).code, method).toBe('unknown_method');
    }
    expect(await failureOf(control.call('clients.add', { name: 5 }))).toMatchObject({
      code: 'invalid_input',
      field: 'name',
      error: expect.stringContaining('"name"'),
    });
    for (const input of [null, 'text', [], { unasked: true }]) {
      expect((await failureOf(control.call('clients.add', input))).code, JSON.stringify(input)).toBe('invalid_input');
    }
    const refusal = await failureOf(control.call('clients.remove', { clientId: 'nobody' }));
    expect(refusal.code).toBe('refused');
    expect(refusal.error).toMatch(/^[A-Z].*\.$/);
  });

  it('returns the right result to each of many concurrent calls', async () => {
    const calls = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? failureOf(control.call(`no.such.${String.fromCharCode(97 + (index % 26))}`, {})).then(({ error }) => error)
        : control
            .call(index % 3 === 1 ? 'settings.get' : 'homes.list', {})
            .then((output) => Object.keys(output as object)),
    );
    for (const [index, answer] of (await Promise.all(calls)).entries()) {
      if (index % 3 === 0) expect(answer).toContain(`no.such.${String.fromCharCode(97 + (index % 26))}`);
      else expect(answer).toContain(index % 3 === 1 ? 'apiEnabled' : 'homes');
    }
  });

  it('allows only the set-up before there is an owner', async () => {
    const first = await open(empty);
    try {
      expect(await first.call('status', {})).toMatchObject({ hasOwner: false });
      expect((await failureOf(first.call('clients.list', {}))).code).toBe('not_allowed');
      if (first.subscribe !== null) {
        expect((await failureOf(first.subscribe(() => undefined))).code).toBe('not_allowed');
      }
    } finally {
      first.close();
    }
  });
});

describe('a channel', () => {
  const closed = { code: 'refused', error: expect.stringContaining('stopped') };

  it('fails calls in progress when it closes, and all later ones', async () => {
    const control = overChannel(household);
    const call = failureOf(control.call('status', {}));
    control.close();
    expect(await call).toMatchObject(closed);
    expect(await failureOf(control.call('status', {}))).toMatchObject(closed);
  });

  it('ignores messages that are not part of the contract', async () => {
    let port: MessagePort | undefined;
    const control = overChannel(household, (owners) => {
      port = owners;
    });
    for (const junk of [null, 'status', 5, {}, { id: 'x', method: 'status' }, { method: 'status', input: {} }]) {
      port?.postMessage(junk);
    }
    port?.postMessage({ id: 1e9, method: 'status', input: {}, more: true });
    port?.postMessage({ id: 0.5, subscribe: true });
    expect(await control.call('status', {})).toMatchObject({ hasOwner: true });
    control.close();
  });

  it('limits concurrent calls', async () => {
    const control = overChannel(household);
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, () =>
        control.call('status', {}).then(
          () => 'answered',
          ({ code }: ControlFailure) => code,
        ),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set(['answered', 'refused']));
    expect(outcomes.filter((one) => one === 'answered').length).toBeGreaterThanOrEqual(200);
    expect(await control.call('status', {})).toMatchObject({ hasOwner: true });
    control.close();
  });
});
