// The way of one file to the server: in one piece, or in several that go on where they stopped.

import { base, Failure, query, root, session, texts } from './files-common.js';

/** Bytes of a piece. A smaller file goes in one. */
export const PIECE = 16 * 1024 * 1024;

const KEPT = 'larder-upload';
const signOf = ({ size, lastModified }) => `${size}:${lastModified}`;

/**
 * Which file the pieces of a path belong to, also after the page was closed: only that one may go on. What it is called is
 * not for the next person in this browser to read.
 */
async function keptKey(path) {
  const bytes = new TextEncoder().encode(`${root.dataset.account}:${path}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `${KEPT}:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

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
    const known = await recall(path);
    if (known === sign) {
      ({ offset } = await put({ ...target, getOffset: 1 }, null));
      if (offset > 0) told.resumed(offset);
    }
    if (known === null || !job.isBegun) await keep(path, sign);
    job.isBegun = true;
    for (;;) {
      if (isStopped) throw new Failure(0, { error: '', code: 'stopped' });
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

async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
