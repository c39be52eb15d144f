import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { closeServer } from '../../support/system/close-server.ts';

/** Passes connections on to a server that starts again, at one port that stays: the client remembers a folder by its address. */
export class CutRelay {
  /** The port of the server. */
  target = 0;
  readonly #server: Server;
  #left = 0;
  #cut: () => void = () => undefined;

  private constructor() {
    this.#server = createServer((client) => {
      const server = connect({ port: this.target, host: '127.0.0.1' });
      client.on('data', () => this.#count());
      client.pipe(server);
      server.pipe(client);
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => undefined);
        one.once('close', () => other.destroy());
      }
    });
  }

  static async open(): Promise<CutRelay> {
    const relay = new CutRelay();
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Calls a function when so many further packets have come from clients. */
  after(packets: number, cut: () => void): void {
    [this.#left, this.#cut] = [packets, cut];
  }

  #count(): void {
    this.#left -= 1;
    if (this.#left === 0) this.#cut();
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }
}
