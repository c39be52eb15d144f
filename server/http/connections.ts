import type http from 'node:http';
import type https from 'node:https';
import type { Socket } from 'node:net';
import { mostOpenFiles } from '../lib/open-files.ts';

/** Connections of one listener at once: each takes some 50 KB, and a household has no thousands of devices. */
const MOST = 4_000;
/** Of the files that may be open, how many may be connections of one listener: the rest is for files, and for the other listeners. */
const SHARE = 1 / 4;

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Requests that have no whole answer yet. */
  underWay: number;
}

/**
 * Limits how many connections there are, by ending one that has no request under way: of the address that has most of them, the one
 * that was used longest ago. Somebody who opens thousands and says nothing loses them, and whoever comes to ask something gets in.
 * Without a limit there would be no handle left to open a file with. Only when a request is under way on each of them is a new one
 * turned away.
 */
export function limitConnections(server: http.Server | https.Server): void {
  const most = Math.min(MOST, Math.floor(mostOpenFiles() * SHARE));
  // In the order in which they were used last.
  const open = new Map<string, Connection>();
  server.prependListener('connection', (socket: Socket) => {
    if (open.size >= most) (idle(open.values()) ?? socket).destroy();
    const { remoteAddress: address } = socket;
    // One that has gone already has no address any more.
    if (socket.destroyed || address === undefined) return;
    const name = nameOf(socket);
    open.set(name, { socket, address, underWay: 0 });
    socket.once('close', () => {
      // The system gives the port to somebody else at once.
      if (open.get(name)?.socket === socket) open.delete(name);
    });
  });
  const begin = ({ socket }: http.IncomingMessage, response: http.ServerResponse) => {
    const name = nameOf(socket);
    const connection = open.get(name);
    if (connection === undefined) return;
    connection.underWay += 1;
    response.once('close', () => {
      connection.underWay -= 1;
      if (open.get(name) !== connection) return;
      // Behind all others: it was used just now.
      open.delete(name);
      open.set(name, connection);
    });
  };
  server.prependListener('request', begin);
  server.prependListener('checkContinue', begin);
}

function idle(open: Iterable<Connection>): Socket | null {
  const byAddress = new Map<string, Connection[]>();
  for (const connection of open) {
    const { address, socket, underWay } = connection;
    if (underWay > 0 || socket.destroyed) continue;
    const same = byAddress.get(address);
    if (same === undefined) byAddress.set(address, [connection]);
    else same.push(connection);
  }
  let largest: readonly Connection[] = [];
  for (const same of byAddress.values()) if (same.length > largest.length) largest = same;
  return largest[0]?.socket ?? null;
}

/** The same of the connection itself and of the TLS that goes over it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
