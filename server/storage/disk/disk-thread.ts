import { parentPort, workerData } from 'node:worker_threads';
import type { FailPoints } from '../../lib/process/fail-points.ts';
import { StorageError, storageError } from '../errors.ts';
import { diskOperations } from './disk-operations.ts';
import type { DiskFailure, DiskListing, DiskReply, DiskRequest } from './disk-protocol.ts';
import { progressIn } from './progress.ts';

const { failPoints, slots } = workerData as { failPoints: FailPoints; slots: Int32Array };
const progress = progressIn(slots);
const operations = diskOperations(failPoints, progress.beat);

parentPort?.on('message', (request: DiskRequest) => {
  const reply = progress.begin(request.id) ? answer(request) : { id: request.id, ok: false as const, error: SKIPPED };
  progress.end();
  parentPort?.postMessage(reply, transferable(reply));
});

/** Another thread has taken over the call. */
const SKIPPED: DiskFailure = { message: 'the call was given to another thread', code: undefined };

function answer({ id, operation, input }: DiskRequest): DiskReply {
  try {
    const run = operations[operation] as (
      input: unknown,
    ) => DiskReply extends { output: infer Output } ? Output : never;
    return { id, ok: true, output: run(input) };
  } catch (error) {
    return { id, ok: false, error: failure(storageError(error)) };
  }
}

function failure(error: unknown): DiskFailure {
  if (error instanceof StorageError) return { reason: error.reason, existing: error.existing };
  const { message, code } = error as NodeJS.ErrnoException;
  return { message, code };
}

function transferable(reply: DiskReply): ArrayBuffer[] {
  if (!reply.ok) return [];
  if ('bytes' in reply.output) return wholeBuffer(reply.output.bytes);
  if ('names' in reply.output) return columnsOf(reply.output);
  return 'listings' in reply.output ? reply.output.listings.flatMap((one) => (one === null ? [] : columnsOf(one))) : [];
}

/** Node shares the buffer of small contents between several, which must not be transferred. */
function wholeBuffer(bytes: Uint8Array | null): ArrayBuffer[] {
  return bytes !== null && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer as ArrayBuffer] : [];
}

function columnsOf({ sizes, mtimes, created, inodes, births, changes, touches }: DiskListing): ArrayBuffer[] {
  return [sizes, mtimes, created, inodes, births, changes, touches].map((column) => column.buffer as ArrayBuffer);
}
