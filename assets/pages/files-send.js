// The way of one file to the server: in one request, or as a chunked upload that continues where it stopped.

import { base, Failure, post, query, root, session, texts } from './files-common.js';
import { forget, keep, recall } from './link-keys.js';
import { afterConflict, hashed, isReadable, newKey, PIECE, putContent, stopped } from './sending.js';

/** What the id of an upload is stored under: the same file, chosen again for the same place, continues it. */
const keptName = ({ path, file: { size, lastModified } }) =>
  hashed([root.dataset.account, path, size, lastModified].join('\n'));

/**
 * @param job `{ file, path, makesFolders, replaces, uploadId }`
 * @param told `{ progress(bytes), stored(bytes), resumed(bytes) }`
 * @returns `{ done, stop, giveUp }`: `done` rejects with a Failure, whose code is `unreadable` when the file cannot be read any more
 */
export function send(job, told) {
  let request = null;
  let isStopped = false;
  let kept = null;

  function put(parameters, body, onBytes, headers) {
    if (isStopped) throw stopped();
    request = putContent(`${base}/upload?${query(parameters)}`, session.token, body, onBytes, headers);
    return request.done;
  }

  const { file, path, makesFolders } = job;
  const target = makesFolders ? { filePath: path } : { path };
  const lastModified = Math.max(0, Math.floor(file.lastModified / 1000));
  // What was asked about and found free stays as it is when another file has come there meanwhile.
  const headers = job.replaces ? {} : { 'If-None-Match': '*' };

  async function inChunks(mayKeep) {
    const known = mayKeep ? recall(kept) : null;
    const identity = { totalSize: file.size, lastModified };
    let offset = 0;
    const isKnown = job.uploadId !== undefined || known !== null;
    job.uploadId ??= known ?? newKey();
    const { uploadId } = job;
    if (isKnown) {
      const answer = await put({ ...target, ...identity, uploadId, getOffset: 1 }, null);
      ({ offset } = answer);
      // Only the last answer was lost.
      if (answer.isStored) return;
      if (offset > 0) told.resumed(offset);
    }
    if (mayKeep) keep(kept, uploadId);
    let conflicts = 0;
    for (;;) {
      const chunk = file.slice(offset, offset + PIECE);
      const parameters = { ...target, ...identity, uploadId, startByte: offset };
      const from = offset;
      try {
        const answer = await put(parameters, chunk, (bytes) => told.progress(from + bytes), headers);
        if (answer.offset === undefined) return;
        offset = answer.offset;
      } catch (error) {
        conflicts += 1;
        offset = await afterConflict(error, conflicts, texts.upload.conflict);
      }
      told.stored(offset);
    }
  }

  async function sendFile() {
    if (file.size <= PIECE) return put({ ...target, lastModified }, file, told.progress);
    kept = await keptName(job);
    const hold = (work) => navigator.locks?.request(`uploading ${kept}`, { ifAvailable: true }, work) ?? work({});
    // Where another tab sends the same file, this one begins anew: their chunks would hinder each other.
    await hold((lock) => inChunks(lock !== null));
    forget(kept);
  }

  /** What has come of it would take room until it is given up. */
  function giveUp() {
    const { uploadId } = job;
    if (kept !== null) forget(kept);
    if (uploadId === undefined) return;
    job.uploadId = undefined;
    const fields = [
      ['path[]', path],
      ['upload_id', uploadId],
    ];
    void post('cancel-upload', fields).catch(() => undefined);
  }

  async function run() {
    try {
      await sendFile();
    } catch (error) {
      if (error.status === 0 && error.code !== 'stopped' && !(await isReadable(file))) error.code = 'unreadable';
      if (error.code === 'precondition_failed') {
        giveUp();
        throw new Failure(412, { error: texts.upload.other, code: error.code });
      }
      throw error;
    }
  }

  return {
    done: run(),
    stop() {
      isStopped = true;
      request?.abort();
    },
    giveUp,
  };
}
