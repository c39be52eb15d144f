import type { ServerResponse } from 'node:http';

/** Keeps a reply of a protocol for programs from running on the origin of the pages, whatever a browser makes of its content. */
export function sandboxReply(response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', "sandbox; default-src 'none'");
  response.setHeader('X-Content-Type-Options', 'nosniff');
}
