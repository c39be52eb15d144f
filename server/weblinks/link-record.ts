import type { SqlValue } from '../database/database.ts';

/** §4.2: what can be asked of a web link, but the password, which is kept as a hash. */
export interface LinkRules {
  /** Milliseconds since the epoch; null: it does not end by itself. */
  readonly expiresAt: number | null;
  /** 0: as many as are wanted. */
  readonly downloadLimit: number;
  /** Folders only: a file request. */
  readonly allowUploads: boolean;
  /** Folders only: a file request in which what is there can be downloaded, too. */
  readonly allowDownloads: boolean;
  /** The browser is event to save what it could show. */
  readonly forceSave: boolean;
  readonly showComments: boolean;
  readonly showCommentsNames: boolean;
  readonly showMetadata: boolean;
  readonly notify: boolean;
  /** What is to be accepted first; empty without it. */
  readonly downloadTerms: string;
  readonly requireLogin: boolean;
}

/** A public address of a file or folder. */
export interface LinkRecord extends LinkRules {
  /** Its name among ourselves: it opens nothing. */
  readonly number: number;
  /** The 32 letters and digits of its address. */
  readonly id: string;
  readonly itemId: number;
  readonly creatorId: number;
  /** The one that stands, or one of many for a download or a moment. */
  readonly isStanding: boolean;
  readonly passwordHash: string | null;
  /** Those under way included. */
  readonly downloads: number;
  readonly createdAt: number;
}

export interface LinkRow extends Record<string, SqlValue> {
  number: number;
  id: string;
  item_id: number;
  creator_id: number;
  standing: number;
  password_hash: string | null;
  expires_at: number | null;
  download_limit: number;
  downloads: number;
  allow_uploads: number;
  allow_downloads: number;
  force_save: number;
  show_comments: number;
  show_comments_names: number;
  show_metadata: number;
  notify: number;
  download_terms: string;
  require_login: number;
  created_at: number;
}

export function linkOf(row: LinkRow): LinkRecord {
  return {
    number: row.number,
    id: row.id,
    itemId: row.item_id,
    creatorId: row.creator_id,
    isStanding: row.standing === 1,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    downloadLimit: row.download_limit,
    downloads: row.downloads,
    allowUploads: row.allow_uploads === 1,
    allowDownloads: row.allow_downloads === 1,
    forceSave: row.force_save === 1,
    showComments: row.show_comments === 1,
    showCommentsNames: row.show_comments_names === 1,
    showMetadata: row.show_metadata === 1,
    notify: row.notify === 1,
    downloadTerms: row.download_terms,
    requireLogin: row.require_login === 1,
    createdAt: row.created_at,
  };
}

/** Whether files can be sent by it: to let them be taken as well is a file request, too. */
export function takesUploads({ allowUploads, allowDownloads }: LinkRules): boolean {
  return allowUploads || allowDownloads;
}

/** Whether what is there can be seen and taken: of a plain file request it cannot. */
export function givesDownloads({ allowUploads, allowDownloads }: LinkRules): boolean {
  return allowDownloads || !allowUploads;
}
