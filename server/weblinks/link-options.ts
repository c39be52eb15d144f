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
  password: text().optional().describe('Password required to open the link.'),
  expiry: orNothing(datetime()).optional().describe('Expiration: YYYY-MM-DD HH:MM:SS, or ISO 8601 with a zone.'),
  download_limit: orNothing(integer({ min: 0, max: 10 ** 9 }))
    .optional()
    .describe('Maximum number of downloads.'),
  allow_uploads: flag().optional().describe('Turn a folder into a file request.'),
  allow_downloads: flag().optional().describe('Let visitors of a file request see and download the existing contents.'),
  force_save: flag().optional().describe('Make browsers save the file instead of displaying it.'),
  show_comments: flag().optional().describe('Let visitors read and write comments.'),
  show_comments_names: flag().optional().describe('Show authors’ names.'),
  show_metadata: flag().optional().describe('Show metadata to visitors.'),
  notify: flag().optional().describe('Email the creator when the link is used.'),
  download_terms: text().optional().describe('Terms that visitors must accept before downloading.'),
  require_login: flag().optional().describe('Require sign-in with an account of this server.'),
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
