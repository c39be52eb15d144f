import type { OcsValue } from '../ocs.ts';
import type { SharingCall } from './call.ts';
import { deleteShare, putShare } from './change-share.ts';
import { listShares, showShare } from './list-shares.ts';
import { makeShare } from './make-share.ts';
import { recommendedSharees, searchSharees } from './sharees.ts';

/** What answers the methods of an address. */
type SharingMethods = Readonly<Record<string, (call: SharingCall) => Promise<OcsValue>>>;

const BASE = '/apps/files_sharing/api/v1';
const SHARES = `${BASE}/shares`;

/**
 * Shares and those to share with (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/).
 * @param path below the address of OCS, without a slash at its end
 * @returns undefined for any other address
 */
export function sharingMethods(path: string): SharingMethods | undefined {
  if (path === SHARES) return { GET: listShares, POST: makeShare };
  if (path === `${BASE}/sharees`) return { GET: searchSharees };
  if (path === `${BASE}/sharees_recommended`) return { GET: recommendedSharees };
  const id = path.startsWith(`${SHARES}/`) ? path.slice(SHARES.length + 1) : '';
  if (!/^\d{1,20}$/.test(id)) return undefined;
  return {
    GET: (call) => showShare(call, id),
    PUT: (call) => putShare(call, id),
    DELETE: (call) => deleteShare(call, id),
  };
}
