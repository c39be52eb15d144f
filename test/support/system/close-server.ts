import { once } from 'node:events';
import type { Server } from 'node:net';

/** Stops a server of a test and waits for its last connection, and for the listener itself. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
  await listenerEnded();
}

/** A listener still exists when its server says that it is closed: until the event loop has ended that turn. */
export async function listenerEnded(): Promise<void> {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}
