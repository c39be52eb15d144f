import { InvalidValue } from '../fields/invalid-value.ts';
import { normalized } from '../lib/names/normalized.ts';

/** A comment on a file or folder. */
export interface CommentRecord {
  readonly id: number;
  readonly itemId: number;
  /** Null for a visitor, and for a deleted account. */
  readonly accountId: number | null;
  /** The name a visitor entered; empty for accounts. */
  readonly visitorName: string;
  readonly comment: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface CommentRow {
  id: number;
  item_id: number;
  account_id: number | null;
  visitor_name: string;
  comment: string;
  created_at: number;
}

export const COMMENT_COLUMNS = 'id, item_id, account_id, visitor_name, comment, created_at';

export function commentOf(row: CommentRow): CommentRecord {
  return {
    id: row.id,
    itemId: row.item_id,
    accountId: row.account_id,
    visitorName: row.visitor_name,
    comment: row.comment,
    createdAt: row.created_at,
  };
}

/** Characters of a comment, as Unicode counts them. */
const MAX_COMMENT = 4_000;

/** The text as stored: trimmed, in NFC, with uniform line ends. @throws ApiError `invalid_parameter` */
export function checkedComment(text: string): string {
  const comment = normalized(text.replace(/\r\n?/g, '\n').trim(), 'NFC');
  if (comment === '') throw new InvalidValue('comment', { kind: 'empty' });
  if ([...comment].length > MAX_COMMENT) throw new InvalidValue('comment', { kind: 'tooLong', max: MAX_COMMENT });
  if (/[^\P{Cc}\n]/u.test(comment) || !comment.isWellFormed()) {
    throw new InvalidValue('comment', { kind: 'characters' });
  }
  return comment;
}
