import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';
import { startHelper } from '../helper.ts';
import { runToEnd, type Scratch } from '../scratch.ts';
import { CIPHER } from '../tls.ts';
import type { TransferJob, TransferResult } from './transfer-process.ts';

export type { TransferJob };

/** Moves one file, the same way for every server. @returns bytes and seconds, the handshake included */
export type Transfer = (job: TransferJob) => Promise<TransferResult>;

/** curl where it is installed: it needs the least CPU, so that a difference between servers shows. */
export function newTransfer(scratch: Scratch): Transfer {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  return hasCurl ? (job) => transferWithCurl(scratch, job) : (job) => transferWithNode(scratch, job);
}

async function transferWithCurl(scratch: Scratch, { url, authority, headers, upload }: TransferJob) {
  const output = await runToEnd(scratch, 'curl', [
    // First of all: no settings of the person who runs this.
    '--disable',
    ...['--silent', '--show-error', '--fail', '--http1.1', '--noproxy', '*'],
    ...['--tlsv1.3', '--tls13-ciphers', CIPHER, '--cacert', authority],
    // No waiting for "100 Continue".
    ...Object.entries({ ...headers, expect: '' }).flatMap(([name, value]) => ['--header', `${name}:${value}`]),
    ...(upload === null ? [] : ['--upload-file', upload]),
    ...['--output', devNull, '--write-out', '{"seconds":%{time_total},"down":%{size_download},"up":%{size_upload}}'],
    url,
  ]);
  const { seconds, down, up } = JSON.parse(output);
  return { seconds, bytes: upload === null ? down : up };
}

function transferWithNode(scratch: Scratch, job: TransferJob): Promise<TransferResult> {
  return startHelper<TransferJob, TransferResult>(scratch, './clients/transfer-process.js').ask(job);
}
