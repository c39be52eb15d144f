// The way of one file to the server: in one piece, or in several that go on where they stopped.

import { base, Failure, query, root, session, texts } from './files-common.js';
import { hashed, isReadable, PIECE, putContent, stopped } from './sending.js';

const KEPT = 'larder-upload';
const signOf = ({ size, lastModified }) => `${size}:${lastModified}`;

/** Which file the pieces of a path belong to, also after the page was closed: only that one may go on. */
const keptKey = async (path) => `${KEPT}:${await hashed(`${root.dataset.account}:${path}`)}`;

async function recall(path) {
  try {
    return localStorage.getItem(await keptKey(path));
  } catch {
    return null;
  }
}

async function keep(path, sign) {
  try {
    const key = await keptKey(path);
    if (sign === null) localStorage.removeItem(key);
    else localStorage.setItem(key, sign);
  } catch {
    // Then it goes on in this page only.
  }
}

/**
 * @param job `{ file, path, makesFolders }` @param told `{ progress(bytes), stored(bytes), resumed(bytes) }`
 * @returns `{ done, stop }`: `done` rejects with a Failure, whose code is `unreadable` when the file cannot be read any more
 */
export function send(job, told) {
  let request = null;
  let isStopped = false;

  function put(parameters, body, onBytes) {
    request = putContent(`${base}/upload?${query(parameters)}`, session.token, body, onBytes);
    return request.done;
  }

  const { file, path, makesFolders } = job;
  const target = makesFolders ? { filePath: path } : { path };
  const lastModified = Math.max(0, Math.floor(file.lastModified / 1000));

  async function inPieces() {
    const sign = signOf(file);
    let offset = 0;
    const known = await recall(path);
    if (known === sign) {
      ({ offset } = await put({ ...target, getOffset: 1 }, null));
      if (offset > 0) told.resumed(offset);
    }
    if (known === null || !job.isBegun) await keep(path, sign);
    job.isBegun = true;
    for (;;) {
      if (isStopped) throw stopped();
      // Another tab sends another file to the same place: the pieces of the two would become one.
      const other = await recall(path);
      if (other !== null && other !== sign) throw new Failure(409, { error: texts.upload.other });
      const piece = file.slice(offset, offset + PIECE);
      const parameters = { ...target, totalSize: file.size, startByte: offset, lastModified };
      try {
        const answer = await put(parameters, piece, (bytes) => told.progress(offset + bytes));
        if (answer.offset === undefined) return;
        offset = answer.offset;
      } catch (error) {
        // The server knows better how far it has come.
        if (error.code !== 'conflict' || error.details.offset === undefined) throw error;
        offset = error.details.offset;
      }
      told.stored(offset);
    }
  }

  async function run() {
    try {
      if (file.size > PIECE) {
        await inPieces();
        await keep(path, null);
      } else await put({ ...target, lastModified }, file, told.progress);
    } catch (error) {
      if (error.status === 0 && error.code !== 'stopped' && !(await isReadable(file))) error.code = 'unreadable';
      throw error;
    }
  }

  return {
    done: run(),
    stop() {
      isStopped = true;
      request?.abort();
      if (file.size > PIECE) void keep(path, null);
    },
  };
}
