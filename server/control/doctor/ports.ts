import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SECOND } from '../../lib/clock.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

const TIMEOUT = 5 * SECOND;

/** Checks that the ports respond while Larder runs, and are free while it does not. */
export async function checkPorts(parts: DoctorParts): Promise<Finding[]> {
  const listening = parts.listening();
  const found = listening === null ? await checkFree(parts) : await checkAnswers(parts, listening);
  if (parts.allowsHttp())
    found.push(
      note(
        `Plain HTTP is allowed: passwords, tokens and files travel readable for everyone on the network. When you are done testing: ${larderCommand()} control settings.update '{"httpTesting":false}'`,
      ),
    );
  return found;
}

async function checkFree({ config, allowsHttp }: DoctorParts): Promise<Finding[]> {
  const { host, port, httpPort, controlPort } = config;
  const found: Finding[] = [];
  const look = async (name: string, flag: string, at: number, address: string, isNeeded: boolean) => {
    // 0 means any free port.
    const code = at === 0 ? null : await refusal(at, address);
    if (code === null) return;
    if (isNeeded) found.push(problem(`${refused(name, at, address, code)} ${advice(flag, code)}`));
    else found.push(note(`${refused(name, at, address, code)} Larder will take another one; commands find it.`));
  };
  await look('HTTPS port', '--port', port, host, true);
  if (allowsHttp()) await look('plain HTTP port', '--http-port', httpPort, host, true);
  await look('control port', '--control-port', controlPort, '127.0.0.1', false);
  return found;
}

/** Why a port cannot be used, or null. It is released at once. */
function refusal(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'an error' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ port, host, ipv6Only: false }, () => server.close(() => resolve(null)));
  });
}

function refused(name: string, port: number, host: string, code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `The ${name} ${port} is in use by another program.`;
    case 'EACCES':
      return `The ${name} ${port} may not be opened by this user: ports below 1024 need rights.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `The ${name} ${port} cannot be opened, because this machine has no address ${host}.`;
    default:
      return `The ${name} ${port} cannot be opened (${code}).`;
  }
}

function advice(flag: string, code: string): string {
  if (code === 'EADDRINUSE') return `Stop that, or choose another port with ${flag}.`;
  return code === 'EACCES' ? `Choose another one with ${flag}.` : 'Choose another address with --host.';
}

async function checkAnswers(
  { config, certificates, listenerProblems }: DoctorParts,
  { port, httpPort }: { port: number; httpPort: number | null },
): Promise<Finding[]> {
  const host = ['::', '0.0.0.0'].includes(config.host) ? '127.0.0.1' : config.host;
  const restart = 'Stop Larder and start it again; if that does not help, look for a firewall on this machine.';
  const found = listenerProblems().map((text) =>
    problem(`${text} Stop what uses it, or start Larder with another --http-port.`),
  );
  const seen = await shownFingerprint(port, host);
  if (seen === null) found.push(problem(`The HTTPS port ${port} does not answer at ${host}. ${restart}`));
  else if (seen !== certificates.current().fingerprint)
    found.push(problem(`The HTTPS port ${port} does not show the certificate of this Larder. ${restart}`));
  if (httpPort !== null && !(await answers(httpPort, host)))
    found.push(problem(`The plain HTTP port ${httpPort} does not answer at ${host}. ${restart}`));
  return found;
}

/** Nothing is sent, so the certificate is not verified: the fingerprint shows whether it is ours. */
function shownFingerprint(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connectTls({ port, host, rejectUnauthorized: false, timeout: TIMEOUT }, () => {
      resolve(socket.getPeerCertificate().fingerprint256 ?? null);
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
    socket.once('timeout', () => {
      resolve(null);
      socket.destroy();
    });
  });
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: TIMEOUT }, () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('timeout', () => {
      resolve(false);
      socket.destroy();
    });
  });
}
