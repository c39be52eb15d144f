import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNK_BYTES } from '../../dist/web-client-modules/upload/chunks.js';
import { createJob, type UploadJob } from '../../dist/web-client-modules/upload/job.js';
import { discard, transfer, type UploadEndpoint } from '../../dist/web-client-modules/upload/transfer.js';

type Job = UploadJob<null>;

interface Reply {
  readonly status: number;
  readonly response: unknown;
}

/** What the client asks for, and what it gets; without a reply left, nobody answers. */
let asked: string[];
let replies: Reply[];
let storage: Record<string, string>;

const ok = (data: unknown): Reply => ({ status: 200, response: { data } });
const conflict = (offset: number): Reply => ({ status: 409, response: { code: 'conflict', details: { offset } } });
const lost: Reply = { status: 0, response: null };

/** As far as uploads use it. */
class FakeRequest {
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null };
  status = 0;
  response: unknown = null;
  responseType = '';
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  #address = '';

  open(_method: string, address: string): void {
    this.#address = address;
  }

  setRequestHeader(): void {}

  send(body: Blob | null): void {
    asked.push(body === null ? this.#address : `${this.#address} with ${body.size}`);
    const reply = replies.shift() ?? lost;
    queueMicrotask(() => {
      if (body !== null) this.upload.onprogress?.({ loaded: body.size });
      Object.assign(this, reply);
      if (reply.status === 0) this.onerror?.();
      else this.onload?.();
    });
  }

  abort(): void {
    this.onabort?.();
  }
}

const endpoint: UploadEndpoint<null> = {
  whole: ({ name }) => ({ address: `whole ${name}`, token: 't' }),
  chunk: ({ uploadId }, start) => ({ address: `chunk ${idOf(uploadId)} at ${start}`, token: 't' }),
  status: ({ uploadId }) => ({ address: `status ${idOf(uploadId)}`, token: 't' }),
  hasStatusOfWhole: true,
  discard: async ({ uploadId }) => asked.push(`discard ${idOf(uploadId)}`),
  identify: ({ name, file }) => [name, file.size],
};

/** Ids are random: the first one is called 1. */
let ids: string[];
function idOf(uploadId: string | null): number {
  if (uploadId === null) return 0;
  if (!ids.includes(uploadId)) ids.push(uploadId);
  return ids.indexOf(uploadId) + 1;
}

/** A file of any size that takes no room. */
const fileOf = (name: string, size: number) =>
  ({
    name,
    size,
    slice: (start: number, end: number) => ({ size: end - start, arrayBuffer: async () => new ArrayBuffer(0) }),
  }) as unknown as File;

const jobOf = (name: string, size: number): Job => createJob({ file: fileOf(name, size), name, target: null }, null);
const large = () => jobOf('film.mkv', 2 * CHUNK_BYTES + 10);

async function send(job: Job, signal = new AbortController().signal): Promise<void> {
  const sending = transfer(job, { endpoint, signal, onProgress: () => undefined, resumed: (bytes) => `from ${bytes}` });
  let isDone = false;
  const done = sending.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  // Hashing is done by threads, so that a timer may be set at any time.
  while (!isDone) {
    await vi.runAllTimersAsync();
    await setImmediate();
  }
  await done;
}

beforeEach(() => {
  [asked, replies, ids] = [[], [], []];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('navigator', {});
  storage = Object.create({
    getItem: (name: string) => storage[name] ?? null,
    setItem: (name: string, value: string) => {
      storage[name] = value;
    },
    removeItem: (name: string) => {
      delete storage[name];
    },
  });
  vi.stubGlobal('localStorage', storage);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a file that fits into one request', () => {
  it('is sent as a whole', async () => {
    replies = [ok({ sent: 'a.txt' })];
    const job = jobOf('a.txt', 7);
    await send(job);
    expect(asked).toEqual(['whole a.txt with 7']);
    expect(Object.keys(storage)).toEqual([]);
  });

  it('is not sent twice if only the reply was lost', async () => {
    const job = jobOf('a.txt', 7);
    await expect(send(job)).rejects.toMatchObject({ status: 0 });
    replies = [ok({ sent: 'a.txt' })];
    await send(job);
    expect(asked).toEqual(['whole a.txt with 7', 'status 1']);
  });

  it('is sent again if the server does not have it', async () => {
    const job = jobOf('a.txt', 7);
    await expect(send(job)).rejects.toMatchObject({ status: 0 });
    replies = [ok({ offset: 0 }), ok({ sent: 'a.txt' })];
    await send(job);
    expect(asked.slice(1)).toEqual(['status 1', 'whole a.txt with 7']);
  });
});

describe('a large file', () => {
  it('is sent in chunks, and its stored state is deleted afterwards', async () => {
    replies = [ok({ offset: CHUNK_BYTES }), ok({ offset: 2 * CHUNK_BYTES }), ok({})];
    const job = large();
    await send(job);
    expect(asked).toEqual([
      `chunk 1 at 0 with ${CHUNK_BYTES}`,
      `chunk 1 at ${CHUNK_BYTES} with ${CHUNK_BYTES}`,
      `chunk 1 at ${2 * CHUNK_BYTES} with 10`,
    ]);
    expect([job.stored, Object.keys(storage)]).toEqual([2 * CHUNK_BYTES, []]);
  });

  it('continues at the offset of the server, also in another page', async () => {
    replies = [ok({ offset: CHUNK_BYTES })];
    await expect(send(large())).rejects.toMatchObject({ status: 0 });
    expect(Object.keys(storage)).toHaveLength(1);
    expect(JSON.stringify(storage)).not.toContain('film');
    asked = [];
    replies = [ok({ offset: CHUNK_BYTES + 5 }), ok({})];
    const again = large();
    await send(again);
    expect(asked).toEqual(['status 1', `chunk 1 at ${CHUNK_BYTES + 5} with ${CHUNK_BYTES}`]);
    expect(Object.keys(storage)).toEqual([]);
  });

  it('is complete if the server has all of it already', async () => {
    await expect(send(large())).rejects.toMatchObject({ status: 0 });
    asked = [];
    replies = [ok({ offset: 2 * CHUNK_BYTES + 10, isStored: true })];
    await send(large());
    expect([asked, Object.keys(storage)]).toEqual([['status 1'], []]);
  });

  it('continues at the offset of the server after a conflict, and fails after the fifth', async () => {
    replies = [conflict(CHUNK_BYTES), ok({})];
    await send(large());
    expect(asked[1]).toBe(`chunk 1 at ${CHUNK_BYTES} with ${CHUNK_BYTES}`);
    asked = [];
    replies = Array.from({ length: 10 }, () => conflict(0));
    await expect(send(large())).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(asked).toHaveLength(5);
  });

  it('continues after any number of conflicts, as long as it advances between them', async () => {
    const chunks = 8;
    replies = Array.from({ length: chunks }, (_, index) => [
      conflict(index * CHUNK_BYTES),
      ok({ offset: (index + 1) * CHUNK_BYTES }),
    ]).flat();
    replies.push(ok({}));
    await send(jobOf('film.mkv', chunks * CHUNK_BYTES + 10));
    expect(asked).toHaveLength(2 * chunks + 1);
  });

  it('fails if each conflict resets the stored bytes', async () => {
    replies = Array.from({ length: 10 }, () => [ok({ offset: CHUNK_BYTES }), conflict(0)]).flat();
    await expect(send(large())).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(asked).toHaveLength(10);
  });

  it('fails at once after another kind of conflict', async () => {
    replies = [{ status: 409, response: { error: 'It is locked.', code: 'locked' } }];
    await expect(send(large())).rejects.toMatchObject({ message: 'It is locked.', code: 'locked' });
  });

  it('starts separately if another tab sends the same file, without affecting that', async () => {
    await expect(send(large())).rejects.toMatchObject({ status: 0 });
    const remembered = { ...storage };
    vi.stubGlobal('navigator', {
      locks: { request: (_name: string, _options: object, run: (lock: null) => Promise<void>) => run(null) },
    });
    asked = [];
    replies = [ok({})];
    await send(large());
    expect(asked).toEqual([`chunk 2 at 0 with ${CHUNK_BYTES}`]);
    expect({ ...storage }).toEqual(remembered);
  });

  it('leaves no data when it is discarded', async () => {
    const job = large();
    replies = [ok({ offset: CHUNK_BYTES })];
    await expect(send(job)).rejects.toMatchObject({ status: 0 });
    discard(job, endpoint);
    expect([asked.at(-1), Object.keys(storage)]).toEqual(['discard 1', []]);
    expect(job).toMatchObject({ uploadId: null, isStarted: false, stored: 0 });
  });

  it('is not started if it was cancelled before', async () => {
    await send(large(), AbortSignal.abort());
    expect([asked, Object.keys(storage)]).toEqual([[], []]);
  });
});

it('reports that the file can no longer be read', async () => {
  const job = jobOf('a.txt', 7);
  Object.assign(job.file, {
    slice: () => ({
      size: 1,
      arrayBuffer: async () => {
        throw new Error('it is gone');
      },
    }),
  });
  await expect(send(job)).rejects.toMatchObject({ code: 'unreadable' });
});
