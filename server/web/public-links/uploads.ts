import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { displayName } from '../../accounts/account-record.ts';
import { dropReceived, type UploadPlan } from '../../files/upload/plan.ts';
import { missingContent } from '../../files/upload/publish.ts';
import type { Received } from '../../files/upload/received.ts';
import { bindOperations } from '../../http/bind.ts';
import { ApiError, invalidParameter, missingParameter } from '../../http/errors.ts';
import { operationsFor } from '../../http/operation.ts';
import { flag, integer, MAX_BYTES, text, virtualPath } from '../../http/request/parameters.ts';
import { bodyParameters } from '../../http/request/read-parameters.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { t } from '../../messages/messages.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../../storage/disk/time-limits.ts';
import {
  abandonSending,
  prepareSending,
  publishSending,
  type Sending,
  sending,
  sendingOffset,
} from '../../weblinks/file-request-upload.ts';
import { givesDownloads } from '../../weblinks/link-record.ts';
import { checkFormToken } from '../shell/browser-session.ts';
import { queryOf } from '../shell/page-context.ts';
import { arrive, forVisitor, type LinkPagesParts, type LinkRequest, recheckLink } from './context.ts';
import { linkSentence } from './failures.ts';

const MAX_SENDER = 80;
/** Completed uploads that are remembered: a client that lost the reply asks again instead of sending everything again. */
const MAX_TAKEN = 10_000;
/** Bytes of the fields of a form, without its file. */
const MAX_FORM = 64 * 1024;

const uploadParams = z.object({
  id: text(),
  path: virtualPath().default([]),
  /** The name, after its folders on the visitor's side. */
  name: text(),
  key: text(),
  sender: text().default(''),
  totalSize: integer({ min: 0, max: MAX_BYTES }).optional(),
  startByte: integer({ min: 0, max: MAX_BYTES }).optional(),
  lastModified: integer({ min: EARLIEST_TIME, max: LATEST_TIME }).optional(),
  getOffset: flag().default(false),
  giveUp: flag().default(false),
});
type UploadParams = z.output<typeof uploadParams>;

interface Sender {
  readonly linkRequest: LinkRequest;
  readonly visitor: Buffer;
}

const { json } = operationsFor<Sender, never>();

/** Files sent by the script of a link page: whole, or in chunks that can be resumed. */
export function linkUploads(parts: LinkPagesParts): RequestHandler {
  const { weblinks } = parts;
  const senders = new WeakMap<Request, Sender>();
  const bound = bindOperations<Sender, never>({
    operations: [uploadOperation(weblinks, new LruCache<true>(MAX_TAKEN))],
    now: () => parts.clock.now(),
    authenticate: async (request) => {
      const sender = senders.get(request as Request);
      if (sender === undefined) throw new Error('who sends is known before');
      await recheckLink(parts, sender.linkRequest);
      return sender;
    },
  });
  const taken: RequestHandler = async (request, response) => {
    const { id, sender, path } = queryOf(request);
    const linkRequest = await arrive(parts, request, response, String(id ?? ''));
    if (linkRequest.pendingRequirement !== null)
      throw new ApiError('permission_denied', t('links.errors.noPermission'));
    if (linkRequest.browser === null) throw new ApiError('permission_denied', t('links.errors.reloadPage'));
    // A file request has one folder, and its visitors see no other.
    if (!givesDownloads(linkRequest.open.link) && typeof path === 'string' && path !== '' && path !== '/') {
      throw new ApiError('not_found', t('api.access.folderNotFound'));
    }
    checkFormToken(request.headers['x-form-token'], linkRequest.browser);
    const named = await withName(
      parts,
      linkRequest,
      typeof sender === 'string' ? sender : '',
      linkRequest.browser.visitor,
    );
    senders.set(request, { linkRequest: named, visitor: linkRequest.browser.visitor });
    await bound(request, response).catch((error) => {
      throw forVisitors(error);
    });
  };
  return async (request, response, next) => {
    try {
      await taken(request, response, next);
    } catch (error) {
      throw error instanceof ApiError ? forVisitor(error) : error;
    }
  };
}

/** Hides the limits of the link's maker and the temporary names of uploads from visitors. */
function forVisitors(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const sentence = linkSentence(error.code);
  return sentence === undefined ? error : new ApiError(error.code, sentence, { headers: error.headers, cause: error });
}

const uploadOperation = (weblinks: LinkPagesParts['weblinks'], taken: LruCache<true>) =>
  json({
    path: 'wl/upload',
    methods: ['PUT'],
    scopes: [],
    summary: 'Send a file',
    params: uploadParams,
    data: z.union([z.object({ sent: z.string() }), z.object({ offset: z.int().nonnegative() }), z.object({})]),
    upload: {
      expects: ({ getOffset, giveUp }) => !getOffset && !giveUp,
      prepare: async ({ principal: { linkRequest, visitor }, params, bytes }): Promise<UploadPlan> => {
        if (params === null) throw missingParameter('name');
        const known = { bytes, chunk: chunkOf(params), lastModified: params.lastModified };
        return prepareSending(linkRequest.files, linkRequest.caller, sendingOf(params, visitor), known);
      },
    },
    run: async ({ params, principal: { linkRequest, visitor }, plan }) => {
      const one = sendingOf(params, visitor);
      if (params.giveUp) {
        await abandonSending(linkRequest.files, linkRequest.caller, one);
        return {};
      }
      const key = `${linkRequest.open.link.id} ${one.key}`;
      if (params.getOffset) {
        if (taken.get(key)) return { sent: params.name };
        return { offset: await sendingOffset(linkRequest.files, linkRequest.caller, one) };
      }
      const received = plan?.received ?? null;
      if (received === null) throw missingContent();
      if (received.kind === 'chunk' && !received.isComplete) return { offset: received.offset };
      await published(weblinks, linkRequest, visitor, one, params.name, received);
      taken.set(key, true);
      return { sent: params.name };
    },
  });

/** One file of a form, for browsers without JavaScript. @returns whether one was chosen @throws ApiError */
export async function sentForm(
  parts: LinkPagesParts,
  linkRequest: LinkRequest,
  folder: readonly string[],
  request: Request,
  response: Response,
): Promise<boolean> {
  const { browser, open } = linkRequest;
  if (!givesDownloads(open.link) && folder.length > 0) throw new ApiError('not_found', t('api.access.folderNotFound'));
  if (browser === null) throw new ApiError('permission_denied', t('links.errors.reloadPage'));
  const unknown = { bytes: null, chunk: null };
  await prepareSending(linkRequest.files, linkRequest.caller, sending(folder, ['file']), unknown).catch((error) => {
    // The error about its type belongs to its name.
    if (!(error instanceof ApiError) || error.code !== 'type_not_allowed') throw error;
  });
  let sent: { one: Sending; name: string } | null = null;
  const { parameters, file } = await bodyParameters<Received>(
    request,
    response,
    {
      take: async (content, name) => {
        const one = sending(folder, [name]);
        sent = { one, name };
        const plan = await prepareSending(linkRequest.files, linkRequest.caller, one, unknown);
        await plan.receive(content);
        if (plan.received === null) throw missingContent();
        return plan.received;
      },
      drop: dropReceived,
    },
    MAX_FORM,
  );
  const { one, name } = (sent as { one: Sending; name: string } | null) ?? { one: null, name: '' };
  try {
    await recheckLink(parts, linkRequest);
    checkFormToken(parameters.form_token, browser);
    if (file === null || one === null || name === '') {
      if (file !== null) await dropReceived(file);
      return false;
    }
    const sender = typeof parameters.sender === 'string' ? parameters.sender : '';
    const named = await withName(parts, linkRequest, sender, browser.visitor);
    await published(parts.weblinks, named, browser.visitor, one, name, file);
    return true;
  } catch (error) {
    if (file !== null) await dropReceived(file);
    throw error;
  }
}

/** A visitor enters a name; a signed-in account is known. @throws ApiError `missing_parameter` without a name */
export async function withName(
  { weblinks }: LinkPagesParts,
  linkRequest: LinkRequest,
  given: string,
  visitor: Buffer,
): Promise<LinkRequest> {
  const { session, open, visit, caller } = linkRequest;
  const name = session === null ? cleanName(given) || visit.name : displayName(session.account);
  if (name === '') throw missingParameter('sender');
  if (name !== visit.name) await weblinks.visits.note(open.link, visitor, { name });
  const known = { ...caller, visitor: { ...caller.visitor, name } };
  return { ...linkRequest, visit: { ...visit, name }, caller: known };
}

function cleanName(text: string): string {
  const plain = normalized(text.toWellFormed(), 'NFC').replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu,
    ' ',
  );
  return [...plain.trim()].slice(0, MAX_SENDER).join('').trim();
}

async function published(
  weblinks: LinkPagesParts['weblinks'],
  { files, caller, open, visit }: LinkRequest,
  visitor: Buffer,
  one: Sending,
  name: string,
  file: Received,
): Promise<void> {
  const { itemId, size } = await publishSending({ ...files, lastNumbers: weblinks.lastNumbers }, caller, one, file);
  const { link } = open;
  await weblinks.sent.add({ link: link.number, visitor, itemId, name, size, sender: visit.name });
  await weblinks.notices.note(link, 'sent', visit.name);
}

/** Includes the visitor, so that chunks of two visitors never mix, whatever names they use. */
function sendingOf({ path, name, key }: UploadParams, visitor: Buffer): Sending {
  if (!/^[A-Za-z0-9_-]{8,64}$/.test(key)) throw invalidParameter('key', t('api.uploads.key'));
  const way = name.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  if (way.length === 0 || way.length > 64) throw invalidParameter('name', t('api.uploads.name'));
  return sending(path, way, `${visitor.toString('hex').slice(0, 24)}-${key}`);
}

function isChunk({ totalSize, startByte }: UploadParams): boolean {
  return totalSize !== undefined || startByte !== undefined;
}

function chunkOf(params: UploadParams) {
  if (!isChunk(params)) return null;
  const { totalSize, startByte = 0, lastModified } = params;
  if (totalSize === undefined) throw missingParameter('totalSize');
  return { totalSize, startByte, lastModified };
}
