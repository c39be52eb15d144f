import type { ServerResponse } from 'node:http';

/** Answers `OPTIONS` (RFC 4918 §18). @param allow the methods of the address */
export function sendOptions(response: ServerResponse, allow: string): void {
  response.statusCode = 200;
  response.setHeader('DAV', '1, 2, 3');
  response.setHeader('MS-Author-Via', 'DAV');
  response.setHeader('Allow', allow);
  response.setHeader('Content-Length', '0');
  response.end();
}
