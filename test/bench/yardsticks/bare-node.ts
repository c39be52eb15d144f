import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Certificate } from '../larder.ts';
import type { Scratch } from '../scratch.ts';

/** A server that serves the folder `root`, and takes files there. */
export interface FileServer {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
}

/** @param authorization header that every request must carry */
export async function startBareNode(
  scratch: Scratch,
  root: string,
  tls: Certificate,
  authorization = '',
): Promise<FileServer> {
  const program = fileURLToPath(new URL('bare-node-server.js', import.meta.url));
  const child = scratch.spawn(process.execPath, [program, root, tls.certificate, tls.key, authorization], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the bare Node server did not start')));
  const [address] = (await Promise.race([once(child, 'message'), ended])) as [AddressInfo];
  ended.catch(() => undefined);
  return { name: 'bare Node', pid: child.pid ?? 0, port: address.port };
}
