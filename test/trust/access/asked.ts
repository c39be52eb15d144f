import type { WebVisitor } from '../../support/browser/web-visitor.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import type { Own } from './object-calls.ts';

export interface Caller extends Own {
  readonly kind: string;
  readonly api: ApiClient;
  /** Guests have none. */
  readonly username?: string;
  /** A browser in which they have signed in; guests sign in differently. */
  readonly pages?: WebVisitor;
}

export interface Secrets {
  /** Of Olga's account, of the share of the secret folder with Gil, and of the open one with Ben. */
  readonly olga: number;
  readonly share: number;
  readonly open: number;
  readonly comment: number;
  /** Of the secret folder, and of the files in it, by name. */
  readonly uuids: ReadonlyMap<string, string>;
  readonly link: string;
  /** The way to the drawing through an album that is shared with Gil: the uuids of both. */
  readonly album: string;
  readonly trashed: string;
  /** The uuid of a deleted drawing. */
  readonly trashedDrawing: string;
  /** The address of an upload that is not complete. */
  readonly upload: string;
  /** The name of a transfer of Olga's app that is not complete. */
  readonly transfer: string;
  /** The number of the first share for apps made for Nextcloud. */
  readonly ocsShare: string;
}

/** What is put in the place of what is there, in a name of something that never was. */
export const NEVER = { share: 987_654, name: 'nevers', id: 987_654, uuid: '00000000-0000-4000-8000-000000000000' };

export const OCS = { 'ocs-apirequest': 'true' };
export const OCS_SHARES = '/ocs/v2.php/apps/files_sharing/api/v1/shares';

export type Told = () => Promise<string>;
/** What is asked, of what is there, and of what never was. Both answers have to be the same. */
export type Asked = readonly [what: string, real: Told, never: Told];
/** An answer without a number or name. */
export function told({ status, text }: Pick<Reply, 'status' | 'text'>, id: string): string {
  return `${status} ${text.replaceAll(id, '…')}`;
}

export interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The same request with one name, and with another. */
export function bothNames(
  api: ApiClient,
  method: string,
  path: (name: string) => string,
  names: readonly [string, string],
  sent: (name: string) => Sent,
): Asked {
  const of =
    (name: string): Told =>
    async () =>
      told(await api.send(method, path(name), sent(name)), name);
  return [`${method} ${path(names[0])}`, of(names[0]), of(names[1])];
}

export const SECRET = ['secret', NEVER.name] as const;
