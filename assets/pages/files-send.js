// The way of one file to the server: in one piece, or in several that go on where they stopped.

import { base, Failure, query, root, session } from './files-common.js';

/** Bytes of a piece. A smaller file goes in one. */
export const PIECE = 16 * 1024 * 1024;

const KEPT = 'larder-upload';
/** Which file the pieces of a path belong to, also after the page was closed: only that one may go on. */
const keptKey = (path) => `${KEPT}:${root.dataset.account}:${path}`;
const signOf = ({ size, lastModified }) => `${size}:${lastModified}`;

function recall(path) {
  try {
    return localStorage.getItem(keptKey(path));
  } catch {
    return null;
  }
}

function keep(path, sign) {
  try {
    if (sign === null) localStorage.removeItem(keptKey(path));
    else localStorage.setItem(keptKey(path), sign);
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

  function put(parameters, body, onBytes = () => undefined) {
    return new Promise((resolve, reject) => {
      request = new XMLHttpRequest();
      request.open('PUT', `${base}/upload?${query(parameters)}`);
      request.setRequestHeader('Accept', 'application/json');
      request.setRequestHeader('X-Form-Token', session.token);
      request.responseType = 'json';
      request.upload.onprogress = ({ loaded }) => onBytes(loaded);
      request.onload = () => {
        const { status, response } = request;
        if (status >= 200 && status < 300 && response !== null) resolve(response.data);
        else reject(new Failure(status, response));
      };
      request.onerror = () => reject(new Failure(0));
      request.onabort = () => reject(new Failure(0, { error: '', code: 'stopped' }));
      request.send(body);
    });
  }

  const { file, path, makesFolders } = job;
  const target = makesFolders ? { filePath: path } : { path };
  const lastModified = Math.max(0, Math.floor(file.lastModified / 1000));

  async function inPieces() {
    const sign = signOf(file);
    let offset = 0;
    if (recall(path) === sign) {
      ({ offset } = await put({ ...target, getOffset: 1 }, null));
      if (offset > 0) told.resumed(offset);
    }
    keep(path, sign);
    for (;;) {
      if (isStopped) throw new Failure(0, { error: '', code: 'stopped' });
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
        keep(path, null);
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
      if (file.size > PIECE) keep(path, null);
    },
  };
}

async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
