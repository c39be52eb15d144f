import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, createServer } from 'node:tls';
import { DAY } from '../../dist/server/lib/clock.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import { type CertificateOptions, openCertificates } from '../../dist/server/tls/certificates.js';
import { householdConstraints } from '../../dist/server/tls/household-constraints.js';
import { type Issued, issueAuthority, issueServer } from '../../dist/server/tls/issue.js';

/** A household in a temporary folder, with everything a test wants to turn at hand. */
export async function household() {
  const parent = await mkdtemp(join(tmpdir(), 'larder-tls-'));
  const lines: string[] = [];
  const world = {
    folder: join(parent, 'tls'),
    now: Date.now(),
    addresses: ['192.168.1.20', '2001:db8::7', '203.0.113.9', 'fd00::20'],
    lines,
    open: (changes: Partial<CertificateOptions> = {}) =>
      openCertificates({
        folder: world.folder,
        hostname: 'nas',
        extraNames: [],
        addresses: () => world.addresses,
        clock: { now: () => world.now },
        log: createLog('trace', { write: (line: string) => lines.push(line) }),
        ...changes,
      }),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
  return world;
}

/** A server certificate for these names from an authority (`issuer`) that has nothing to do with the household's. */
export async function foreignCertificate(
  names: readonly string[],
  now: number,
): Promise<Issued & { readonly issuer: string }> {
  const constraints = householdConstraints('elsewhere', ['home.example', 'example.org']);
  const authority = await issueAuthority({ commonName: 'Elsewhere', constraints, now: now - DAY });
  return { ...(await issueServer({ names, authority, now })), issuer: authority.certificate };
}

/** Runs `use` with the port of a TLS server on loopback that shows this certificate. */
export async function serving<T>(
  pair: { key: string; chain: string },
  use: (port: number) => Promise<T>,
  host = '127.0.0.1',
): Promise<T> {
  const server = createServer({ key: pair.key, cert: pair.chain }, (socket) => socket.end('hello'));
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  try {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return await use(address.port);
  } finally {
    await closeServer(server);
  }
}

/** What a Node client says to the server: `ok`, or why it refuses: the code, or the text where Node has no code. */
export function handshake(options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(options, () => {
      resolve('ok');
      socket.destroy();
    });
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      resolve(code === undefined || code === 'UNSPECIFIED' ? message : code);
    });
  });
}

const PYTHON = `
import socket, ssl, sys
port, ca, name = int(sys.argv[1]), sys.argv[2], sys.argv[3]
context = ssl.create_default_context(cafile=ca)
context.verify_flags |= ssl.VERIFY_X509_STRICT
try:
    with socket.create_connection(('127.0.0.1', port), 10) as plain:
        with context.wrap_socket(plain, server_hostname=name) as secure:
            secure.recv(5)
    print('ok')
except ssl.SSLCertVerificationError as error:
    print(error.verify_message)
`;

import { closeServer } from '../support/system/close-server.ts';

/** The same from Python's `ssl` with strict checks; `undefined`, and a line on standard error, where it is not there. */
export function pythonHandshake(port: number, caFile: string, name: string): Promise<string | undefined> {
  return tool('python3', ['-c', PYTHON, String(port), caFile, name]);
}

/** The output of a command whatever its exit code; `undefined`, and a line on standard error, when it is not there. */
export function tool(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') {
        process.stderr.write(`${command} is not installed: its part of this test was left out\n`);
        resolve(undefined);
      } else resolve(`${stdout}${stderr}`.trim());
    });
  });
}
