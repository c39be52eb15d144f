import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SECOND } from '../../lib/clock.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';

const TIMEOUT = 5 * SECOND;

/** Checks that the ports respond while Larder runs, and are free while it does not. */
export async function checkPorts(parts: DoctorParts): Promise<Finding[]> {
  const listening = parts.listening();
  const found = listening === null ? await checkFree(parts) : await checkAnswers(parts, listening);
  if (parts.allowsHttp())
    found.push(note(t('api.doctor.httpAllowed', { command: larderCommand(), input: `'{"httpTesting":false}'` })));
  return found;
}

async function checkFree({ config, allowsHttp }: DoctorParts): Promise<Finding[]> {
  const { host, port, httpPort, controlPort } = config;
  const found: Finding[] = [];
  const checkPort = async (kind: PortKind, flag: string, at: number, address: string, isNeeded: boolean) => {
    // 0 means any free port.
    const code = at === 0 ? null : await refusal(at, address);
    if (code === null) return;
    if (isNeeded) found.push(problem(`${refused(kind, at, address, code)} ${advice(flag, code)}`));
    else found.push(note(`${refused(kind, at, address, code)} ${t('api.doctor.portOther')}`));
  };
  await checkPort('https', '--port', port, host, true);
  if (allowsHttp()) await checkPort('http', '--http-port', httpPort, host, true);
  await checkPort('control', '--control-port', controlPort, '127.0.0.1', false);
  return found;
}

/** Why a port cannot be used, or null. It is released at once. */
function refusal(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    server.listen({ port, host, ipv6Only: false }, () => server.close(() => resolve(null)));
  });
}

type PortKind = 'https' | 'http' | 'control';

function refused(kind: PortKind, port: number, host: string, code: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return t('api.doctor.portInUse', { kind, port });
    case 'EACCES':
      return t('api.doctor.portDenied', { kind, port });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return t('api.doctor.portAddress', { kind, port, host });
    default:
      return t('api.doctor.portFailed', { kind, port, code });
  }
}

function advice(flag: string, code: string): string {
  if (code === 'EADDRINUSE') return t('api.doctor.portChooseOrStop', { flag });
  return code === 'EACCES' ? t('api.doctor.portChoose', { flag }) : t('api.doctor.portHost');
}

async function checkAnswers(
  { config, certificates, listenerProblems }: DoctorParts,
  { port, httpPort }: { port: number; httpPort: number | null },
): Promise<Finding[]> {
  const host = ['::', '0.0.0.0'].includes(config.host) ? '127.0.0.1' : config.host;
  const restart = t('api.doctor.portsRestart');
  const found = listenerProblems().map((text) => problem(t('api.doctor.httpPortTaken', { problem: text })));
  const seen = await shownFingerprint(port, host);
  if (seen === null) found.push(problem(t('api.doctor.httpsSilent', { port, host, advice: restart })));
  else if (seen !== certificates.current().fingerprint)
    found.push(problem(t('api.doctor.httpsOther', { port, advice: restart })));
  if (httpPort !== null && !(await answers(httpPort, host)))
    found.push(problem(t('api.doctor.httpSilent', { port: httpPort, host, advice: restart })));
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
