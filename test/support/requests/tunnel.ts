import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A tunnel to a port of this computer, like `ssh -L`, that can be cut. */
export interface Tunnel {
  readonly port: number;
  /** Closes all connections and refuses new ones; may be repeated. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** @param to returns the present port */
export async function openTunnel(to: () => number): Promise<Tunnel> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to(), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    async cut() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      if (!server.listening) await listen(port);
    },
  };
}
