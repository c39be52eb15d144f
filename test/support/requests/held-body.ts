import { Readable } from 'node:stream';

/** A body that stops in its middle until the test releases it. */
export interface HeldBody {
  readonly body: Readable;
  /** For `Content-Length`. */
  readonly headers: Record<string, string>;
  release(): void;
}

/** @param bytes at least so many that the server stores some of them before the rest has come */
export function holdBody(bytes: Buffer): HeldBody {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const middle = Math.floor(bytes.length / 2);
  async function* parts() {
    yield bytes.subarray(0, middle);
    await released;
    yield bytes.subarray(middle);
  }
  return { body: Readable.from(parts()), headers: { 'content-length': String(bytes.length) }, release };
}
