import { createHash } from 'node:crypto';
import { Client as Connection } from 'undici';
import { z } from 'zod';
import { encodeQuery } from '../support/requests/api-client.ts';
import type { Listed, Operation, Path, Reply } from './history.ts';
import { folded } from './state.ts';

const HOME = '/ROOT/HOME';
const TRASH = '/TRASH';

/** What of any reply's `data` is looked at. */
const dataSchema = z.object({
  path: z.string().optional(),
  uuid: z.string().optional(),
  version: z.int().optional(),
  fileSize: z.int().optional(),
  offset: z.int().optional(),
  trash_path: z.string().optional(),
  versions: z.array(z.object({ version: z.int(), size: z.int(), by: z.string().nullable() })).optional(),
  meta: z.object({ path: z.string() }).optional(),
  files: z
    .array(
      z.object({
        filename: z.string(),
        is_dir: z.boolean(),
        path: z.string(),
        uuid: z.string(),
        fileSize: z.int().optional(),
        version: z.int().optional(),
      }),
    )
    .optional(),
});

const bodySchema = z.object({
  code: z.string().optional(),
  data: dataSchema.optional(),
  details: z.object({ offset: z.int().optional() }).optional(),
});

/** In place of a code: the connection broke. */
export const BROKEN = 'broken';

/** One client of the household, with a connection of its own, which sends one request after the other. */
export class Client {
  readonly #connection: Connection;
  readonly #token: string;

  constructor(port: number, ca: string, token: string) {
    this.#connection = new Connection(`https://127.0.0.1:${port}`, { connect: { ca }, headersTimeout: 60_000 });
    this.#token = token;
  }

  /** @throws when there is no whole reply, but for an archive of a folder, which has no other way to say so */
  async perform(operation: Operation): Promise<Reply> {
    try {
      return await this.#perform(operation);
    } catch (error) {
      if (operation.kind === 'download' && operation.version === null) return { status: 0, code: BROKEN };
      throw new Error(`no reply to ${JSON.stringify(operation)}`, { cause: error });
    }
  }

  async #perform(operation: Operation): Promise<Reply> {
    const { method, query, content } = requestOf(operation);
    const isForm = method === 'POST';
    const endpoint = `/api.php/files/${endpointOf(operation)}`;
    const { statusCode, headers, body } = await this.#connection.request({
      method,
      path: isForm ? endpoint : `${endpoint}?${encodeQuery(query)}`,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: isForm ? encodeQuery(query) : content,
    });
    const text = await body.text();
    if (operation.kind === 'download' && statusCode === 200)
      return { status: statusCode, code: null, text: headers['content-type'] === 'application/zip' ? null : text };
    return replyOf(operation, statusCode, text);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

function virtual(path: Path): string {
  return [HOME, ...path].join('/');
}

function real(path: string): Path {
  return path.slice(HOME.length + 1).split('/');
}

function endpointOf({ kind }: Operation): string {
  return kind === 'trash/list' ? 'browse' : kind;
}

/** One for each path and size. */
function uploadIdOf(path: Path, total: number): string {
  return createHash('sha256')
    .update(`${path.map(folded).join('/')} ${total}`)
    .digest('hex');
}

type Query = Record<string, string | number | readonly string[]>;

const DETAILS = { 'details[]': ['uuid', 'fileSize', 'version'] };

function requestOf(operation: Operation): { method: 'POST' | 'PUT'; query: Query; content: string } {
  if (operation.kind === 'upload') {
    const { path, text, makesFolders, piece } = operation;
    const query = {
      [makesFolders ? 'filePath' : 'path']: virtual(path),
      ...(piece && { totalSize: piece.total, startByte: piece.start, uploadId: uploadIdOf(path, piece.total) }),
    };
    return { method: 'PUT', query, content: text };
  }
  return { method: 'POST', query: queryOf(operation), content: '' };
}

function queryOf(operation: Exclude<Operation, { kind: 'upload' }>): Query {
  switch (operation.kind) {
    case 'createfolder':
      return { path: virtual(operation.path), name: operation.name };
    case 'rename':
      return { path: virtual(operation.path), newName: operation.newName, overwrite: Number(operation.overwrite) };
    case 'move':
    case 'copy': {
      const { kind, path, to, overwrite } = operation;
      return { path: virtual(path), [`${kind}To`]: virtual(to), overwrite: Number(overwrite) };
    }
    case 'delete':
      return { path: virtual(operation.path), permanent: Number(operation.permanent) };
    case 'trash/restore':
    case 'trash/delete':
      return { path: `${TRASH}/${operation.trashId}` };
    case 'trash/list':
      return { path: TRASH, ...DETAILS };
    case 'versions/restore':
    case 'versions/delete':
      return { path: virtual(operation.path), version: operation.version };
    case 'download': {
      const { path, version } = operation;
      return { path: virtual(path), ...(version !== null && { version }) };
    }
    case 'browse':
      return { path: virtual(operation.path), recursive: Number(operation.recursive), ...DETAILS };
    case 'versions/list':
      return { path: virtual(operation.path) };
    case 'observe':
      throw new Error('an observation is not a request');
  }
}

function replyOf(operation: Operation, status: number, text: string): Reply {
  const { code, data, details } = bodySchema.parse(JSON.parse(text));
  if (status >= 400)
    return { status, code: code ?? '', ...(details?.offset !== undefined && { offset: details.offset }) };
  if (data === undefined) throw new Error(`a reply without data: ${text}`);
  const { path, uuid, version, fileSize, offset, trash_path, versions, meta, files } = data;
  const folder = meta?.path.startsWith(HOME) ? real(meta.path).filter((segment) => segment !== '') : undefined;
  return {
    status,
    code: null,
    ...(path !== undefined && { path: real(path) }),
    ...(uuid !== undefined && { uuid }),
    ...(version !== undefined && { version }),
    ...(fileSize !== undefined && { size: fileSize }),
    ...(offset !== undefined && { offset }),
    ...(trash_path !== undefined && { trashId: trash_path.slice(TRASH.length + 1) }),
    ...(versions && { versions: versions.map(({ by, ...rest }) => ({ ...rest, isSigned: by !== null })) }),
    ...(folder && { path: folder }),
    ...(files && { listed: files.map((file) => listedOf(operation, file)) }),
  };
}

function listedOf(
  { kind }: Operation,
  { filename, is_dir, path, uuid, fileSize, version }: NonNullable<z.infer<typeof dataSchema>['files']>[number],
): Listed {
  const segments = kind === 'trash/list' ? [path.slice(TRASH.length + 1)] : real(path);
  return { path: segments, name: filename, isDir: is_dir, uuid, size: fileSize ?? null, version: version ?? null };
}
