import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { closeServer } from '../system/close-server.ts';

export interface SlowRelay {
  readonly port: number;
  close(): Promise<void>;
}

/** Passes connections on to a port of this machine, and what clients send only so fast. @param speed bytes per second */
export async function openSlowRelay(port: number, speed: number): Promise<SlowRelay> {
  const server = createServer((client) => {
    const upstream = connect({ port, host: '127.0.0.1' });
    client.on('data', (bytes) => {
      upstream.write(bytes);
      client.pause();
      setTimeout(() => client.resume(), (bytes.length / speed) * 1_000);
    });
    upstream.pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      one.once('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}
