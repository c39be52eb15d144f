import { z } from 'zod';
import { isoSeconds, localSeconds } from '../lib/datetime.ts';
import { type LinkRecord, takesUploads } from './link-record.ts';

/** Relative to the household's address. */
export function linkPath({ id }: Pick<LinkRecord, 'id'>): string {
  return `/wl/?id=${id}`;
}

/** The detail `weblink-full` (§2.5). */
export const linkDetailsSchema = z.object({
  id: z.string(),
  url: z.string(),
  created: z.string(),
  expiry: z.string().nullable(),
  download_limit: z.int().nonnegative(),
  downloads: z.int().nonnegative(),
  password: z.boolean(),
  allow_uploads: z.boolean(),
  allow_downloads: z.boolean(),
  force_save: z.boolean(),
  show_comments: z.boolean(),
  show_comments_names: z.boolean(),
  show_metadata: z.boolean(),
  notify: z.boolean(),
  download_terms: z.string(),
  require_login: z.boolean(),
});

/** @param address of the household as the caller reached it, with the prefix of the installation */
export function linkDetails(link: LinkRecord, address: string): z.infer<typeof linkDetailsSchema> {
  return {
    id: link.id,
    url: `${address}${linkPath(link)}`,
    created: isoSeconds(link.createdAt),
    expiry: link.expiresAt === null ? null : localSeconds(link.expiresAt),
    download_limit: link.downloadLimit,
    downloads: link.downloads,
    password: link.passwordHash !== null,
    allow_uploads: takesUploads(link),
    allow_downloads: link.allowDownloads,
    force_save: link.forceSave,
    show_comments: link.showComments,
    show_comments_names: link.showCommentsNames,
    show_metadata: link.showMetadata,
    notify: link.notify,
    download_terms: link.downloadTerms,
    require_login: link.requireLogin,
  };
}
