import type { IncomingMessage } from 'node:http';

/** Requests at the root of the host, for an installation that has a prefix. */
const atRoot = new WeakSet<IncomingMessage>();

/** Notes that a request came without the prefix of the installation. */
export function noteAtRoot(request: IncomingMessage): void {
  atRoot.add(request);
}

/** The prefix that a request came with, for addresses in its reply: that of the installation, or none. */
export function prefixOf(request: IncomingMessage, basePath: string): string {
  return atRoot.has(request) ? '' : basePath;
}
