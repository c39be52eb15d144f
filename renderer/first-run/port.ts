import type { ServerState } from '../../server/control/contract/window.ts';
import type { Desktop } from '../transport/window-transport.ts';

/** A port that could not be opened, with the reason. The server runs on the previous one again. */
export class PortRefused extends Error {}

/** The HTTPS port of addresses; null if there is none. */
export function portOf(addresses: readonly string[]): number | null {
  const [address] = addresses;
  return address === undefined ? null : Number(new URL(address).port || 443);
}

/** The address with another port. */
export function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.origin;
}

/**
 * Restarts the server on another port, unless it runs there already.
 * @throws PortRefused, Error when it does not start for another reason, Refusal
 */
export async function moveToPort(desktop: Desktop, port: number): Promise<void> {
  const { port: before, server } = await desktop.invoke('desktop.state', {});
  if (server.kind === 'running' && portOf(server.addresses) === port) return;
  const after = await startOn(desktop, port);
  if (after.kind === 'running') return;
  const { reason, message, advice } = after.failure;
  if (reason !== 'port') throw new Error(message);
  await startOn(desktop, before);
  throw new PortRefused(`${message} ${advice}`);
}

type Settled = Extract<ServerState, { kind: 'running' | 'failed' }>;

/** @returns the result */
async function startOn(desktop: Desktop, port: number | null): Promise<Settled> {
  await desktop.invoke('desktop.set', { port });
  return new Promise((resolve) => {
    const unsubscribe = desktop.subscribe(({ port: current, server }) => {
      // A late event may belong to the previous start.
      if (current !== port || (server.kind !== 'running' && server.kind !== 'failed')) return;
      unsubscribe();
      resolve(server);
    });
  });
}
