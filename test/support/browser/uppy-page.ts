import Uppy from '@uppy/core';
import Tus from '@uppy/tus';
import { DefaultHttpStack, type HttpRequest, Upload } from 'tus-js-client';

/** What a page is to upload with Uppy. */
export interface UppyRun {
  /** How the plugin for tus is set up, as documented: statements that use `uppy`, `url` and `token`. */
  readonly setUp: string;
  /** Of the server. */
  readonly url: string;
  readonly token: string;
  readonly name: string;
  /** Virtual path. */
  readonly folder: string;
  /** Bytes. */
  readonly size: number;
  /** Offsets at which the upload is paused and resumed, in ascending order. */
  readonly pauses: readonly number[];
  /** Whether the first request with content is paused and resumed before it is sent. */
  readonly isPausedBefore: boolean;
}

export interface UppyResult {
  readonly pauses: number;
  /** Of what the page sent. */
  readonly sha256: string;
  readonly failed: string | null;
}

/** Uploads random bytes. Runs in a browser. */
async function runUppy({
  setUp,
  url,
  token,
  name,
  folder,
  size,
  pauses,
  isPausedBefore,
}: UppyRun): Promise<UppyResult> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');

  const uppy = new Uppy();
  new Function('uppy', 'Tus', 'DefaultHttpStack', 'url', 'token', setUp)(uppy, Tus, DefaultHttpStack, url, token);
  let isPending = isPausedBefore;
  // As often as it takes a slow server to notice that a paused request has ended.
  const retryDelays = [100, ...Array.from({ length: 100 }, () => 500)];
  const onBeforeRequest = (request: HttpRequest) => {
    if (!isPending || request.getMethod() !== 'PATCH') return;
    isPending = false;
    uppy.pauseResume(id);
    uppy.pauseResume(id);
  };
  uppy.getPlugin('Tus')?.setOptions({ retryDelays, onBeforeRequest });
  const id = uppy.addFile({ name, type: 'application/octet-stream', data: new Blob([bytes]), meta: { path: folder } });
  const waiting = [...pauses];
  let isPaused = false;
  uppy.on('upload-progress', (_file, { bytesUploaded }) => {
    const [next] = waiting;
    if (isPaused || next === undefined || bytesUploaded < next || bytesUploaded === size) return;
    waiting.shift();
    isPaused = true;
    uppy.pauseResume(id);
    // In a turn of its own, as a second press of the button is.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      isPaused = false;
      uppy.pauseResume(id);
    };
    port2.postMessage(null);
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
