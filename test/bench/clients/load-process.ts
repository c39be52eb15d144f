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
  /** The bodies themselves, which take turns, if they are not of random bytes. */
  readonly texts?: readonly string[];
}

export interface LoadResult {
  readonly milliseconds: number;
  /** Of the bodies of all replies. */
  readonly bytes: number;
  /** How much of a core this client was busy, from 0 to 1: near 1 it is the client that was measured. */
  readonly busy: number;
}

answerJobs<LoadJob, LoadResult>(
  async ({ port, ca, connections, count, method, path, digits = 0, headers, texts, body: size }) => {
    const lanes = await Promise.all(Array.from({ length: connections }, () => Lane.connect(port, ca)));
    const contents = texts === undefined ? [randomBytes(size)] : texts.map((text) => Buffer.from(text));
    const fields = { host: `127.0.0.1:${port}`, ...headers };
    const rest = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    let [next, bytes] = [0, 0];
    const work = async (lane: Lane) => {
      while (next < count) {
        const number = next++;
        const content = contents[number % contents.length] ?? Buffer.alloc(0);
        const target = path.replace('{n}', String(number).padStart(digits, '0'));
        const length = content.length > 0 ? `content-length: ${content.length}\r\n` : '';
        const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${rest.join('')}${length}\r\n`);
        const reply = await lane.send(content.length > 0 ? Buffer.concat([head, content]) : head);
        if (reply.status < 200 || reply.status > 299) throw new Error(`status ${reply.status} for ${method} ${path}`);
        bytes += reply.bytes;
      }
    };
    try {
      const [begin, cpu] = [performance.now(), process.cpuUsage()];
      await Promise.all(lanes.map(work));
      const milliseconds = performance.now() - begin;
      const { user, system } = process.cpuUsage(cpu);
      return { milliseconds, bytes, busy: (user + system) / 1000 / milliseconds };
    } finally {
      for (const lane of lanes) lane.close();
    }
  },
);
