import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acceptQueriesOnly } from '../../dist/server/announce/mdns-filter.js';
import { listenerEnded } from '../support/system/close-server.ts';

const LOCAL = '127.0.0.1';

let heard: Buffer[];
let listener: Socket;
let caller: Socket;

beforeEach(async () => {
  heard = [];
  listener = createSocket('udp4');
  listener.on('message', (message) => heard.push(message));
  acceptQueriesOnly(listener);
  listener.bind(0, LOCAL);
  caller = createSocket('udp4');
  caller.bind(0, LOCAL);
  await Promise.all([once(listener, 'listening'), once(caller, 'listening')]);
});
afterEach(async () => {
  listener.close();
  caller.close();
  await listenerEnded();
});

const say = (packet: Buffer) => caller.send(packet, listener.address().port, LOCAL);

/** A header (RFC 1035 §4.1.1) with one question for the root, and what follows it. */
function packet({ flags = 0, questions = 1, records = 0, more = 0 } = {}): Buffer {
  const header = Buffer.alloc(12);
  header[2] = flags;
  header.writeUInt16BE(questions, 4);
  for (const at of [6, 8, 10]) header.writeUInt16BE(records, at);
  return Buffer.concat([header, Buffer.from([0, 0, 1, 0, 1]), Buffer.alloc(more)]);
}

it('accepts only queries of a limited size, and drops the records they contain', async () => {
  say(Buffer.alloc(0));
  say(Buffer.alloc(12, 0xff));
  say(packet({ flags: 0x84, records: 1 }));
  say(packet({ questions: 0 }));
  say(packet({ questions: 65_535 }));
  say(packet({ more: 1_500 }));
  say(packet({ records: 65_535, more: 30 }));
  await expect.poll(() => heard.length).toBe(1);
  expect(heard[0]?.subarray(0, 17).toString('hex')).toBe(packet().toString('hex'));
  expect(heard[0]).toHaveLength(47);
});

it('limits the answers to endless queries', async () => {
  let sent = 0;
  listener.prependListener('message', () => {
    sent += 1;
  });
  const ask = async () => {
    for (let n = 0; n < 300; n += 1)
      await new Promise((done) => caller.send(packet(), listener.address().port, LOCAL, done));
    return sent - heard.length;
  };
  await expect.poll(ask).toBeGreaterThan(0);
});
