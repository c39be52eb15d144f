import type { Granted } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

export const MEGABYTE = 1_048_576;

/** A member for each, whose home holds a little more than one megabyte. */
export const MEMBERS = {
  free: {},
  readonly: { readonly: true },
  noupload: { upload: false },
  nodownload: { download: false },
  nofolders: { download_folders: false },
  nohistory: { file_history: false },
  small: { upload_max_size: 1 },
  pictures: { upload_limit_types: 'jpg, .png' },
  full: { space_quota_max: 1 },
  noshare: { share: false },
  noread: { read_comments: false },
  nowrite: { write_comments: false },
  nolink: { weblink: false },
  nometa: { metadata: false },
} satisfies Record<string, Granted>;

export type Member = keyof typeof MEMBERS;

export interface Row {
  readonly of: string;
  readonly what: string;
  readonly call: (api: ApiClient, trashed: Trashed) => Promise<Reply>;
  /** Who is refused, and with what; everyone else is answered. */
  readonly refused: Partial<Record<Member, string>>;
}

export interface Trashed {
  readonly restore: string;
  readonly remove: string;
  /** The id of one on `a.txt`. */
  readonly comment: number;
  /** The id of a field that every file has. */
  readonly field: number;
}

export const path = (name: string) => `/ROOT/HOME/${name}`;
export const post = (operation: string, form: Record<string, string | number>) => (api: ApiClient) =>
  api.post(operation, form);
