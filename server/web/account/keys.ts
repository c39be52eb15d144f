import { HOME_BASE } from '../../access/access.ts';
import { missingPermissionFor } from '../../access/rights.ts';
import type { AccountRecord } from '../../accounts/accounts.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { filesLinks } from '../files/addresses.ts';

/** The list of keys of the account's pages, which their script shows, and where one of them leads. */
export function keysHelp(
  basePath: string,
  { homeId, permissions }: Pick<AccountRecord, 'homeId' | 'permissions'>,
): Html {
  const canCreate = homeId !== null && missingPermissionFor('files/createfolder', permissions) === null;
  const line = (does: string, key: string) => html`<dt>${does}</dt><dd><span><kbd>${key}</kbd></span></dd>`;
  const newFolder = html` data-new-folder="${filesLinks(basePath).act('create-folder', HOME_BASE)}"`;
  return html`<dialog class="keys-help" aria-labelledby="keys-title"${canCreate ? newFolder : html``}><h2 id="keys-title">${t('files.keys.heading')}</h2><dl class="keys">${line(t('files.keys.does.search'), '/')}${canCreate ? line(t('files.actions.createFolder'), 'N') : html``}${line(t('files.keys.does.help'), '?')}</dl><form method="dialog"><button class="primary">${t('files.keys.close')}</button></form></dialog>`;
}
