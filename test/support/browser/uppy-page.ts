import Uppy from '@uppy/core';
import Tus from '@uppy/tus';
import { Upload } from 'tus-js-client';

/** What a page is to upload with Uppy. */
export interface UppyRun {
  readonly endpoint: string;
  readonly token: string;
  readonly name: string;
  /** Virtual path. */
  readonly folder: string;
  /** Bytes. */
  readonly size: number;
  /** Offsets at which the upload is paused and resumed, in ascending order. */
  readonly pauses: readonly number[];
}

export interface UppyResult {
  readonly pauses: number;
  /** Of what the page sent. */
  readonly sha256: string;
  readonly failed: string | null;
}

/** Uploads random bytes. Runs in a browser. */
async function runUppy({ endpoint, token, name, folder, size, pauses }: UppyRun): Promise<UppyResult> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');

  const uppy = new Uppy().use(Tus, {
    endpoint,
    headers: { Authorization: `Bearer ${token}` },
    // As often as it takes a slow server to notice that a paused request has ended.
    retryDelays: [100, ...Array.from({ length: 100 }, () => 500)],
  });
  const id = uppy.addFile({ name, type: 'application/octet-stream', data: new Blob([bytes]), meta: { path: folder } });
  const waiting = [...pauses];
  let isPaused = false;
  uppy.on('upload-progress', (_file, { bytesUploaded }) => {
    const [next] = waiting;
    if (isPaused || next === undefined || bytesUploaded < next || bytesUploaded === size) return;
    waiting.shift();
    isPaused = true;
    uppy.pauseResume(id);
    setTimeout(() => {
      isPaused = false;
      uppy.pauseResume(id);
    }, 20);
  });
  const result = await uppy.upload();
  const [failed] = result?.failed ?? [];
  return { pauses: pauses.length - waiting.length, sha256, failed: failed === undefined ? null : String(failed.error) };
}

/** Runs an example of the documentation: statements that upload `file`, and call `stored` or `failed`. */
function runExample(statements: string, { url, token, name, text }: Record<'url' | 'token' | 'name' | 'text', string>) {
  const file = new File([text], name, { lastModified: 1_600_000_000_123 });
  return new Promise((stored, failed) => {
    const run = new Function(
      ...['Upload', 'file', 'url', 'token', 'stored', 'failed'],
      `return (async () => { ${statements} })()`,
    ) as (...values: unknown[]) => Promise<void>;
    run(Upload, file, url, token, () => stored('stored'), failed).catch(failed);
  });
}

Object.assign(globalThis, { runUppy, runExample });
