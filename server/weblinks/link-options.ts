import type { z } from 'zod';
import { invalidParameter } from '../http/errors.ts';
import { datetime, flag, integer, orNothing, text } from '../http/request/parameters.ts';
import { MINUTE } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';
import type { LinkRules } from './link-record.ts';

/** §4.2, §8. */
export const TEMPORARY_FOR = 15 * MINUTE;

/** Bytes; longer ones cost memory without adding security. */
const MAX_PASSWORD = 1_024;
const MAX_TERMS = 20_000;

/** §4.2: the options of a link, all of them optional. */
export const linkOptions = {
  password: text().optional().describe('Asked of everybody who comes by the link.'),
  expiry: orNothing(datetime()).optional().describe('When it ends: YYYY-MM-DD HH:MM:SS, or ISO 8601 with a zone.'),
  download_limit: orNothing(integer({ min: 0, max: 10 ** 9 }))
    .optional()
    .describe('Downloads after which it ends.'),
  allow_uploads: flag().optional().describe('Of a folder: a file request.'),
  allow_downloads: flag().optional().describe('A file request that shows what is there, too.'),
  force_save: flag().optional().describe('Browsers save it rather than show it.'),
  show_comments: flag().optional().describe('Visitors read the comments.'),
  show_comments_names: flag().optional().describe('With the names of those who wrote them.'),
  show_metadata: flag().optional().describe('Visitors see what is known of the file.'),
  notify: flag().optional().describe('Its maker gets a mail when it is used.'),
  download_terms: text().optional().describe('What visitors agree to before they download.'),
  require_login: flag().optional().describe('Only for people with an account here.'),
};

export type LinkOptions = z.output<z.ZodObject<typeof linkOptions>>;

export const NO_RULES: LinkRules = {
  expiresAt: null,
  downloadLimit: 0,
  allowUploads: false,
  allowDownloads: false,
  forceSave: false,
  showComments: false,
  showCommentsNames: false,
  showMetadata: false,
  notify: false,
  downloadTerms: '',
  requireLogin: false,
};

/** Omitted options stay unchanged. @throws ApiError `invalid_parameter` for an invalid combination */
export function rulesFrom(before: LinkRules, options: LinkOptions, isDir: boolean, now: number): LinkRules {
  const { expiry, password = '', download_terms: terms } = options;
  if (expiry !== undefined && expiry !== null && expiry <= now)
    throw invalidParameter('expiry', t('api.links.expiryPast'));
  if (Buffer.byteLength(password) > MAX_PASSWORD) {
    throw invalidParameter('password', t('api.parameters.tooManyBytes', { parameter: 'password', max: MAX_PASSWORD }));
  }
  for (const name of ['allow_uploads', 'allow_downloads'] as const) {
    if (options[name] === true && !isDir)
      throw invalidParameter(name, t('api.parameters.foldersOnly', { parameter: name }));
  }
  return {
    expiresAt: expiry === undefined ? before.expiresAt : expiry,
    downloadLimit: options.download_limit === undefined ? before.downloadLimit : (options.download_limit ?? 0),
    allowUploads: options.allow_uploads ?? before.allowUploads,
    allowDownloads: options.allow_downloads ?? before.allowDownloads,
    forceSave: options.force_save ?? before.forceSave,
    showComments: options.show_comments ?? before.showComments,
    showCommentsNames: options.show_comments_names ?? before.showCommentsNames,
    showMetadata: options.show_metadata ?? before.showMetadata,
    notify: options.notify ?? before.notify,
    downloadTerms: terms === undefined ? before.downloadTerms : checkedTerms(terms),
    requireLogin: options.require_login ?? before.requireLogin,
  };
}

function checkedTerms(text: string): string {
  const terms = text.replaceAll('\r\n', '\n').toWellFormed().trim();
  if (terms.length > MAX_TERMS)
    throw invalidParameter(
      'download_terms',
      t('api.parameters.tooLong', { parameter: 'download_terms', max: MAX_TERMS }),
    );
  return terms;
}

/** The enabled options, by the names of §4.2, for the activity log. Passwords and the text of terms are left out. */
export function namesOfRules(rules: LinkRules, hasPassword: boolean): string[] {
  const on: Record<string, boolean> = {
    password: hasPassword,
    expiry: rules.expiresAt !== null,
    download_limit: rules.downloadLimit > 0,
    allow_uploads: rules.allowUploads,
    allow_downloads: rules.allowDownloads,
    force_save: rules.forceSave,
    show_comments: rules.showComments,
    show_comments_names: rules.showCommentsNames,
    show_metadata: rules.showMetadata,
    notify: rules.notify,
    download_terms: rules.downloadTerms !== '',
    require_login: rules.requireLogin,
  };
  return Object.keys(on).filter((name) => on[name]);
}
