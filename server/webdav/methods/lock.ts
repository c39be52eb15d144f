import { Readable } from 'node:stream';
import type { ItemTarget } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { checkConditions } from '../../files/item-conditions.ts';
import type { LockRecord } from '../../files/locks/lock-record.ts';
import {
  addTokenLock,
  checkNewLock,
  LONGEST_LOCK,
  refreshTokenLock,
  removeTokenLock,
} from '../../files/locks/token-locks.ts';
import { prepareUpload, type UploadPlan } from '../../files/upload/plan.ts';
import { publishUpload } from '../../files/upload/publish.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { sendBody } from '../../http/response/send-buffer.ts';
import { HOUR, SECOND } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { hrefOf } from '../address.ts';
import { checkIf } from '../check-if.ts';
import type { DavCall } from '../context.ts';
import { requireDepth } from '../depth.ts';
import { missingFolderAsConflict } from '../failure.ts';
import { locateItem, locateNew, siblingSegments } from '../locate.ts';
import { activeLocks } from '../lock-xml.ts';
import { programOf } from '../program.ts';
import { readXml } from '../xml/read-xml.ts';
import { contentXml, DAV, davChild, isDav, type XmlElement } from '../xml/xml-tree.ts';

/** Milliseconds for a client that does not say how long. */
const USUAL = HOUR;
/** Characters of what a client states about its owner. */
const MAX_OWNER = 4_096;

/** RFC 4918 §9.10: creates a lock, or without a body extends one. A file that does not exist is created, empty and locked. */
export async function lock(call: DavCall): Promise<void> {
  const { context, address, request, response } = call;
  const depth = requireDepth(request, ['0', 'infinity']);
  const body = await readXml(request, response);
  const { caller, conditions, checkAgain } = await checkIf(call);
  const timeout = timeoutOf(request.headers.timeout);
  const path = await missingFolderAsConflict(() => locateNew(context, caller, address.segments));
  const target = await context.files.access.resolveItem(caller, path, 'files/lock');
  const check = async () => {
    await checkAgain();
    await checkConditions(context.files, caller, target, conditions);
  };
  if (body === null) {
    await sendLock(call, target, await refreshTokenLock(context.files, caller, target, timeout, check), 200);
    return;
  }
  const requested = { ...requestedLock(body), isDeep: depth === 'infinity', timeout };
  let isNew = false;
  const added = await addTokenLock(context.files, caller, target, requested, check).catch(async (error) => {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    await checkNewLock(context.files, caller, target, requested);
    isNew = await createEmpty(call, caller, path, check);
    // The conditions were about what was there before the empty file.
    return addTokenLock(context.files, caller, target, requested, isNew ? undefined : check);
  });
  response.setHeader('Lock-Token', `<${added.token}>`);
  await sendLock(call, target, added, isNew ? 201 : 200);
}

/** RFC 4918 §9.11. */
export async function unlock(call: DavCall): Promise<void> {
  const { context, address, request, response } = call;
  // Some clients leave the angle brackets out.
  const header = String(request.headers['lock-token'] ?? '').trim();
  const token = /^(?:<([^<>\s]+)>|([^<>\s]+))$/
    .exec(header)
    ?.slice(1)
    .find((one) => one !== undefined);
  if (token === undefined) throw invalidParameter('Lock-Token', t('api.webdav.lockHeader'));
  const { caller, conditions, checkAgain } = await checkIf(call);
  const path = await locateItem(context, caller, address.segments);
  const target = await context.files.access.resolveItem(caller, path, 'files/unlock');
  await removeTokenLock(context.files, caller, target, token, async () => {
    await checkAgain();
    await checkConditions(context.files, caller, target, conditions);
  });
  response.statusCode = 204;
  response.end();
}

/**
 * RFC 4918 §9.10.4.
 * @param check throws when the conditions of the request do not hold
 * @returns false if another request has created it meanwhile
 */
async function createEmpty(
  call: DavCall,
  caller: AccountCaller,
  path: readonly string[],
  check: () => Promise<void>,
): Promise<boolean> {
  const { files } = call.context;
  const conditions = { ifMatch: null, ifNoneMatch: '*', ifUnmodifiedSince: null } as const;
  const announced = { location: { path }, bytes: 0, chunk: null, conditions };
  let plan: UploadPlan | undefined;
  let refusal: unknown;
  const refuse = (error: unknown) => {
    refusal = error;
    throw error;
  };
  try {
    await missingFolderAsConflict(async () => {
      plan = await prepareUpload(files, caller, announced);
      await plan.receive(Readable.from([]));
      await publishUpload(files, caller, plan, {
        check: () => check().catch(refuse),
        program: programOf(caller),
      });
    });
    return true;
  } catch (error) {
    await plan?.drop();
    const isTaken = error !== refusal && error instanceof ApiError && error.code === 'precondition_failed';
    if (isTaken) return false;
    throw error;
  }
}

async function sendLock(
  { context, address, response }: DavCall,
  target: ItemTarget,
  added: LockRecord,
  status: number,
): Promise<void> {
  const segments = siblingSegments(address.segments, target, added.path === '' ? [] : added.path.split('/'));
  const href = segments && hrefOf(address.prefix, segments, false);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/xml; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  const active = activeLocks([added], () => href, context.files.clock.now());
  const head = `<?xml version="1.0" encoding="utf-8"?><d:prop xmlns:d="${DAV}">`;
  await sendBody(response, `${head}<d:lockdiscovery>${active}</d:lockdiscovery></d:prop>`);
}

/** @throws ApiError `malformed_body`; `precondition_failed` for a kind of lock that does not exist */
function requestedLock(root: XmlElement): { readonly isShared: boolean; readonly owner: string } {
  const scope = davChild(root, 'lockscope');
  const type = davChild(root, 'locktype');
  if (!isDav(root, 'lockinfo') || scope === undefined || type === undefined) {
    throw new ApiError('malformed_body', t('api.webdav.unexpectedXml', { expected: 'lockinfo' }));
  }
  const isShared = davChild(scope, 'shared') !== undefined;
  if (davChild(type, 'write') === undefined || (!isShared && davChild(scope, 'exclusive') === undefined)) {
    throw new ApiError('malformed_body', t('api.webdav.unexpectedXml', { expected: 'lockinfo' }));
  }
  const owner = davChild(root, 'owner');
  const text = owner === undefined ? '' : contentXml(owner);
  return { isShared, owner: text.length > MAX_OWNER ? '' : text };
}

/** RFC 4918 §10.7: the first choice that can be read. Milliseconds. */
function timeoutOf(header: string | string[] | undefined): number {
  for (const choice of String(header ?? '').split(',')) {
    const seconds = /^\s*second-(\d{1,10})\s*$/i.exec(choice)?.[1];
    if (seconds !== undefined) return Number(seconds) * SECOND;
    if (/^\s*infinite\s*$/i.test(choice)) return LONGEST_LOCK;
  }
  return USUAL;
}
