import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import type { Certificate } from '../larder.ts';
import type { Scratch } from '../scratch.ts';
import { CIPHER } from '../tls.ts';
import type { FileServer } from './bare-node.ts';

export interface NginxProgram {
  readonly path: string;
  readonly version: string;
}

/** The installed nginx, if it has TLS and takes uploads. */
export function findNginx(): NginxProgram | null {
  // Where distributions put it is seldom on the search path of someone who is not root.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];
  const path = folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file));
  if (path === undefined) return null;
  const said = spawnSync(path, ['-V'], { encoding: 'utf8' }).stderr;
  const version = /nginx\/([\d.]+)/.exec(said)?.[1];
  const isFit = said.includes('http_dav_module') && said.includes('http_ssl_module');
  return version !== undefined && isFit ? { path, version } : null;
}

/** Starts it with one worker, as Larder is one process. @throws Error when it does not come up */
export async function startNginx(
  scratch: Scratch,
  { path, version }: NginxProgram,
  root: string,
  tls: Certificate,
): Promise<FileServer> {
  const own = scratch.newFolder('nginx');
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(own, name));
  const port = await freePort();
  const file = join(own, 'nginx.conf');
  writeFileSync(file, configuration(own, root, port, tls));
  const child = scratch.spawn(path, ['-p', own, '-c', file, '-e', join(own, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await comesUp(child, port);
  return { name: `nginx ${version}`, pid: child.pid ?? 0, port };
}

/**
 * Nothing that slows it down: no log, `sendfile`, and buffers for uploads as large as Larder's pieces. What it takes lies
 * on the same disk until it is renamed into place.
 */
function configuration(own: string, root: string, port: number, tls: Certificate): string {
  return `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${own}/nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_max_body_size 0;
  client_body_buffer_size 256k;
  client_body_temp_path ${own}/body;
  proxy_temp_path ${own}/proxy;
  fastcgi_temp_path ${own}/fastcgi;
  uwsgi_temp_path ${own}/uwsgi;
  scgi_temp_path ${own}/scgi;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${tls.certificate};
    ssl_certificate_key ${tls.key};
    ssl_protocols TLSv1.3;
    ssl_conf_command Ciphersuites ${CIPHER};
    root ${root};
    location / { dav_methods PUT; autoindex on; autoindex_format json; }
  }
}
`;
}

/** nginx cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function comesUp(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nginx does not answer');
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
