import type http from 'node:http';
import type https from 'node:https';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { mostOpenFiles } from '../../lib/process/open-files.ts';
import { addressBehind, addressGroup, type TrustsProxy } from './client-address.ts';

/** Connections per listener. Each takes about 50 KB, and a household does not have thousands of devices. */
const MOST = 4_000;
/** Share of file handles for one listener's connections; the rest is for files and other listeners. */
const SHARE = 1 / 4;
/** Share of a listener's connections for one address; enough for a household behind one address. */
const SHARE_OF_ADDRESS = 1 / 4;

interface Connection {
  readonly socket: Socket;
  /** Client that is charged: the address, or behind a trusted proxy the client of the last request. */
  holder: string;
  /** Whether several clients may share the address: this machine, and trusted proxies. */
  readonly isShared: boolean;
  /** Requests without a complete response, oldest first. */
  readonly underWay: Set<http.IncomingMessage>;
}

/**
 * Limits the number of connections, in total and per address (IPv6: per /64), so that file handles remain for opening files.
 * Ends the least valuable connection of the busiest address: first the one without a request that was used longest ago, then
 * the one whose request has been incomplete for longest. A client with thousands of idle or incomplete connections loses
 * those, and others can still connect. A new connection is rejected only if each one is answering a complete request.
 *
 * An address that several clients may share (this machine, a trusted proxy) has no limit of its own; behind a trusted proxy,
 * clients are counted by the addresses that it reports.
 */
export function limitConnections(server: http.Server | https.Server, trustsProxy: TrustsProxy = () => false): void {
  const most = Math.min(MOST, Math.floor(mostOpenFiles() * SHARE));
  const mostOfAddress = Math.max(1, Math.floor(most * SHARE_OF_ADDRESS));
  // Ordered by last use.
  const open = new Map<string, Connection>();
  const of = (holder: string) => [...open.values()].filter((one) => one.holder === holder && !one.socket.destroyed);

  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (open.size >= most) (leastWorth(open.values()) ?? socket).destroy();
    // A closed connection no longer has an address.
    if (socket.destroyed || address === undefined) return;
    const holder = addressGroup(address);
    const isShared = isLoopback(address) || trustsProxy(address, 0);
    if (!isShared && open.size >= mostOfAddress) {
      const same = of(holder);
      if (same.length >= mostOfAddress) (leastWorth(same) ?? socket).destroy();
      if (socket.destroyed) return;
    }
    const name = nameOf(socket);
    open.set(name, { socket, holder, isShared, underWay: new Set() });
    socket.once('close', () => {
      // The system may reuse the port at once.
      if (open.get(name)?.socket === socket) open.delete(name);
    });
  });

  /** A visitor behind a named proxy is known with the first request. */
  function countFor(connection: Connection, request: http.IncomingMessage): void {
    if (!connection.isShared) return;
    const visitor = addressBehind(request, trustsProxy);
    connection.holder = addressGroup(visitor);
    if (isLoopback(visitor) || trustsProxy(visitor, 0) || open.size < mostOfAddress) return;
    const same = of(connection.holder);
    if (same.length > mostOfAddress) leastWorth(same.filter((one) => one !== connection))?.destroy();
  }

  const begin = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const name = nameOf(request.socket);
    const connection = open.get(name);
    if (connection === undefined) return;
    countFor(connection, request);
    connection.underWay.add(request);
    // Behind all others: it was used just now.
    const use = () => {
      if (open.get(name) !== connection) return;
      open.delete(name);
      open.set(name, connection);
    };
    use();
    response.once('close', () => {
      connection.underWay.delete(request);
      use();
    });
  };
  server.prependListener('request', begin);
  server.prependListener('checkContinue', begin);
}

/** @param open in the order in which they were used last */
function leastWorth(open: Iterable<Connection>): Socket | null {
  const idle = new Map<string, Connection[]>();
  const incomplete = new Map<string, Connection[]>();
  for (const connection of open) {
    const { holder, socket, underWay } = connection;
    if (socket.destroyed) continue;
    const group = underWay.size === 0 ? idle : isIncomplete(connection) ? incomplete : null;
    if (group === null) continue;
    const same = group.get(holder);
    if (same === undefined) group.set(holder, [connection]);
    else same.push(connection);
  }
  return (largest(idle) ?? largest(incomplete))?.socket ?? null;
}

/** The first of the largest group, which was used longest ago. */
function largest(groups: ReadonlyMap<string, readonly Connection[]>): Connection | undefined {
  let most: readonly Connection[] = [];
  for (const same of groups.values()) if (same.length > most.length) most = same;
  return most[0];
}

function isIncomplete({ underWay }: Connection): boolean {
  for (const request of underWay) if (!request.complete) return true;
  return false;
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** The same of the connection itself and of the TLS that goes over it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
