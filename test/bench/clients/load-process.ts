// Sends requests on some connections, each as soon as the one before is answered. It speaks HTTP by hand, because a whole
// client would need more CPU than the servers that are measured.
import { randomBytes } from 'node:crypto';
import { answerJobs } from '../helper.ts';
import { Lane } from './lane.ts';

export interface LoadJob {
  readonly port: number;
  readonly ca: string;
  readonly connections: number;
  readonly count: number;
  readonly method: string;
  /** With `{n}` where the number of the request goes. */
  readonly path: string;
  /** Of that number, at least. */
  readonly digits?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body; 0 for none. */
  readonly body: number;
  /** The body itself, if it is not of random bytes. */
  readonly text?: string;
}

export interface LoadResult {
  readonly milliseconds: number;
  /** How much of a core this client was busy, from 0 to 1: near 1 it is the client that was measured. */
  readonly busy: number;
}

answerJobs<LoadJob, LoadResult>(
  async ({ port, ca, connections, count, method, path, digits = 0, headers, text, body: bytes }) => {
    const lanes = await Promise.all(Array.from({ length: connections }, () => Lane.connect(port, ca)));
    const content = text === undefined ? randomBytes(bytes) : Buffer.from(text);
    const body = content.length;
    const fields = { host: `127.0.0.1:${port}`, ...headers, ...(body > 0 ? { 'content-length': body } : {}) };
    const rest = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    let next = 0;
    const work = async (lane: Lane) => {
      while (next < count) {
        const head = `${method} ${path.replace('{n}', String(next++).padStart(digits, '0'))} HTTP/1.1\r\n${rest.join('')}\r\n`;
        const status = await lane.send(body > 0 ? Buffer.concat([Buffer.from(head), content]) : Buffer.from(head));
        if (status < 200 || status > 299) throw new Error(`status ${status} for ${method} ${path}`);
      }
    };
    try {
      const [begin, cpu] = [performance.now(), process.cpuUsage()];
      await Promise.all(lanes.map(work));
      const milliseconds = performance.now() - begin;
      const { user, system } = process.cpuUsage(cpu);
      return { milliseconds, busy: (user + system) / 1000 / milliseconds };
    } finally {
      for (const lane of lanes) lane.close();
    }
  },
);
