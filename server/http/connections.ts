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
  /** Requests that have no whole answer yet. */
  underWay: number;
}

/**
 * Limits how many connections there are, by ending the one that has been without a request for longest: somebody who opens
 * thousands and says nothing loses them, and whoever comes to ask something gets in. Without a limit there would be no handle left to
 * open a file with. Only when a request is under way on each of them is a new one turned away.
 */
export function limitConnections(server: http.Server | https.Server): void {
  const most = Math.min(MOST, Math.floor(mostOpenFiles() * SHARE));
  // In the order in which they were used last.
  const open = new Map<string, Connection>();
  server.prependListener('connection', (socket: Socket) => {
    if (open.size >= most) (idle(open) ?? socket).destroy();
    if (socket.destroyed) return;
    const name = nameOf(socket);
    open.set(name, { socket, underWay: 0 });
    socket.once('close', () => open.delete(name));
  });
  const begin = ({ socket }: http.IncomingMessage, response: http.ServerResponse) => {
    const name = nameOf(socket);
    const connection = open.get(name);
    if (connection === undefined) return;
    connection.underWay += 1;
    response.once('close', () => {
      connection.underWay -= 1;
      // Behind all others: it was used just now. One that is closed stays away.
      if (open.delete(name)) open.set(name, connection);
    });
  };
  server.prependListener('request', begin);
  server.prependListener('checkContinue', begin);
}

function idle(open: ReadonlyMap<string, Connection>): Socket | null {
  for (const { socket, underWay } of open.values()) if (underWay === 0 && !socket.destroyed) return socket;
  return null;
}

/** The same of the connection itself and of the TLS that goes over it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
