// Downloads: a file as it is, a folder as an archive, several items as one archive.

import { t } from 'virtual:messages/files';
import { make } from '../lib/dom.ts';
import { encodeQuery } from '../lib/requests.ts';
import { type ActionItem, pathFields } from './actions/batches.ts';
import { listing } from './list/items.ts';
import { showProblem } from './overlays/toast.ts';
import { base, session } from './page.ts';
import { type Field, renewSession, request } from './requests.ts';

/** Most paths per download. */
const MAX_PATHS = 900;
/** Milliseconds in which the browser notices that the page is not left. */
const LEAVING = 1_000;

let isLeaving = false;

/** Whether the browser reports leaving the page only because of a download. */
export const isLeavingForDownload = (): boolean => isLeaving;

/** Checks the download first, because an error would replace the page. @throws RequestError */
export async function download(items: readonly ActionItem[]): Promise<void> {
  if (items.length > MAX_PATHS) {
    showProblem(t('files.errors.tooMany', { max: MAX_PATHS }));
    return;
  }
  const paths = pathFields(items);
  await renewSession();
  await request('POST', `${base}/download`, [['form_token', session.token], ...paths]);
  isLeaving = true;
  const [first] = items;
  if (items.length === 1 && first !== undefined) {
    location.href = `${base}/download?${encodeQuery({ path: first.path })}`;
  } else {
    submitAway(`${base}/download`, [['form_token', session.token], ['name', listing()?.dataset.name ?? ''], ...paths]);
  }
  setTimeout(() => {
    isLeaving = false;
  }, LEAVING);
}

function submitAway(action: string, fields: readonly Field[]): void {
  const inputs = fields.map(([name, value]) => make('input', { type: 'hidden', name, value }));
  const form = make('form', { method: 'post', action, hidden: true }, ...inputs);
  document.body.append(form);
  form.submit();
  form.remove();
}
