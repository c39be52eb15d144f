import type { AccountCaller } from '../../access/caller.ts';
import { ApiError } from '../../http/errors.ts';
import { extensionsLike } from '../../lib/names/same-format.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { recipientsFor } from '../../sharing/recipients.ts';
import { field, hidden, problemNote } from '../shell/form-fields.ts';
import { sprite } from '../shell/icons.ts';
import { abilitiesIn, canEditIn } from './abilities.ts';
import type { FilesLinks } from './addresses.ts';
import { coveredAlbums } from './albums/list.ts';
import { albumChoices } from './albums/page.ts';
import { breadcrumbsOf, type FilesPagesParts, findItem, listFolder, type NamedPath, segmentsOf } from './context.ts';
import { newShareFields } from './sharing/page.ts';

/** The target of an action, and what was entered so far. */
interface ActionForm {
  readonly parts: FilesPagesParts;
  readonly caller: AccountCaller;
  readonly links: FilesLinks;
  readonly roots: readonly NamedPath[];
  readonly formToken: string;
  readonly action: string;
  /** The item, or the destination folder for something new; null for actions without a path. */
  readonly path: string | null;
  /** Number of items, if they are not all named here. */
  readonly count: number;
  readonly values: Readonly<Record<string, string>>;
  /** Whether it is for all that belongs to a photo, which the server finds. */
  readonly isWhole: boolean;
  /** What is said of it. */
  readonly note: Html;
  /** What was wrong with the last try. */
  readonly problem: string | null;
}

interface FormPage {
  readonly heading: string;
  readonly form: Html;
  /** Where cancelling leads: the previous page. */
  readonly back: string;
  /** What else the page loads. */
  readonly head?: Html;
}

const FORMS: Record<string, (form: ActionForm) => Promise<FormPage>> = {
  'create-folder': (form) => named(form, 'createFolder', { value: '', back: form.links.folder(form.path ?? '/ROOT') }),
  'create-file': async (form) => {
    const back = form.links.folder(form.path ?? '/ROOT');
    const problem = form.problem ?? undefined;
    const input = field({
      name: 'name',
      label: t('files.forms.name'),
      value: form.values.name ?? '',
      help: t('editing.createHelp'),
      problem,
      hasFocus: true,
    });
    const own = wrap({ ...form, problem: null }, input, submit(t('editing.createSubmit')), back);
    return { heading: t('editing.create'), back, form: own };
  },
  rename: async (form) => {
    const { row } = await itemOf(form);
    return named(form, 'rename', { value: row.name, back: form.links.item(row.path) });
  },
  tag: tagForm,
  album: albumForm,
  'share-with': shareForm,
  move: (form) => chooser(form, 'move'),
  copy: (form) => chooser(form, 'copy'),
  delete: (form) => question(form, 'delete'),
  restore: async (form) => {
    const { about, back } = await subject(form);
    const heading = t('files.forms.restore.heading', about);
    const other = html`<a class="button danger" href="${form.links.act('erase', form.path ?? '')}">${t('files.actions.erase')}</a>`;
    return { heading, back, form: wrap(form, html``, html`${other}${submit(t('files.actions.restore'))}`, back) };
  },
  erase: (form) => question(form, 'erase'),
  'empty-trash': async (form) => {
    const { total, hidden } = await listFolder(form.parts, form.caller, ['TRASH'], { limit: 1 });
    const back = form.links.folder('/TRASH');
    const lead = t('files.forms.emptyTrash.lead', { count: total + hidden });
    const inner = questionForm(form, { lead, submit: t('files.actions.emptyTrash'), back });
    return { heading: t('files.forms.emptyTrash.heading'), back, form: inner };
  },
  upload,
  replace: newVersion,
};

/** The form for an action's parameters. @throws ApiError `not_found`, also for an unknown action */
export async function actionForm(form: ActionForm): Promise<FormPage> {
  const make = Object.hasOwn(FORMS, form.action) ? FORMS[form.action] : undefined;
  if (make === undefined) throw new ApiError('not_found', t('api.requests.unknownAddress'));
  return make(form);
}

async function itemOf({ parts, caller, path }: ActionForm) {
  if (path === null) throw new ApiError('not_found', t('api.access.notFound'));
  return findItem(parts, caller, path, path.startsWith('/TRASH/') ? '/TRASH' : null);
}

/** The target of the form: one item by its name, or several. */
interface About {
  readonly count: number;
  readonly name: string;
}

async function subject(form: ActionForm): Promise<{ about: About; back: string }> {
  if (form.path === null)
    return { about: { count: Math.max(form.count, 1), name: '' }, back: form.links.folder('/TRASH') };
  const { row, list } = await itemOf(form);
  const about = { count: Math.max(form.count, 1), name: bidiIsolate(row.name) };
  return { about, back: row.deleted === null ? form.links.item(row.path) : form.links.folder(list.meta.path) };
}

/** What every form sends, and what it says of several files. */
function beginning({ formToken, path, isWhole, note }: ActionForm): Html {
  const fields = {
    form_token: formToken,
    ...(path === null ? {} : { 'path[]': path }),
    ...(isWhole ? { whole: '1' } : {}),
  };
  return html`${hidden(fields)}${note}`;
}

function wrap(form: ActionForm, inner: Html, buttons: Html, back: string): Html {
  return html`<form class="act" method="post" action="${form.links.act(form.action)}">${beginning(form)}
${problemNote(form.problem)}${inner}<div class="actions"><a class="button cancel" href="${back}">${t('files.forms.cancel')}</a>${buttons}</div></form>`;
}

function submit(text: string, kind = 'primary'): Html {
  return html`<button class="${kind}">${text}</button>`;
}

async function named(
  form: ActionForm,
  kind: 'createFolder' | 'rename',
  { value: proposed, back }: { value: string; back: string },
): Promise<FormPage> {
  const value = form.values.name ?? proposed;
  const label = t('files.forms.name');
  const input = field({ name: 'name', label, value, problem: form.problem ?? undefined, hasFocus: true });
  const inner = wrap(
    { ...form, problem: null },
    input,
    submit(kind === 'rename' ? t('files.actions.rename') : t('files.forms.createFolder.submit')),
    back,
  );
  return {
    heading: kind === 'rename' ? t('files.actions.rename') : t('files.actions.createFolder'),
    back,
    form: inner,
  };
}

/** A tag for one item or several. */
async function tagForm(form: ActionForm): Promise<FormPage> {
  const { about, back } = await subject(form);
  const { values, problem } = form;
  const label = t('files.forms.tag.label');
  const input = field({ name: 'tag', label, value: values.tag ?? '', problem: problem ?? undefined, hasFocus: true });
  const inner = wrap({ ...form, problem: null }, input, submit(t('files.actions.tag')), back);
  return { heading: t('files.forms.tag.heading', about), back, form: inner };
}

/** An album for one item or several: a new one, or one of the existing ones. */
async function albumForm(form: ActionForm): Promise<FormPage> {
  const { about, back } = await subject(form);
  const { parts, caller, links, action, values, problem } = form;
  const albums = await coveredAlbums(parts, caller, ({ kind, reach }) => kind === 'list' && reach.role !== 'view');
  const label = t('albums.into.new');
  const input = field({
    name: 'title',
    label,
    value: values.title ?? '',
    problem: problem ?? undefined,
    hasFocus: true,
  });
  const inner = html`<form class="act" method="post" action="${links.act(action)}">${beginning(form)}
${input}<div class="actions"><a class="button cancel" href="${back}">${t('files.forms.cancel')}</a>${submit(t('albums.add.submit'))}</div>${albumChoices(links, albums)}</form>`;
  return { heading: t('albums.into.heading', about), back, head: parts.assets.load('albums'), form: inner };
}

/** One share for several items. */
async function shareForm(form: ActionForm): Promise<FormPage> {
  const { about, back } = await subject(form);
  const { parts, caller, values } = form;
  const recipients = await recipientsFor(parts.sharing, caller.account);
  const heading = t('files.forms.share.heading', about);
  if (recipients.length === 0) {
    const none = html`<p class="help">${t('sharing.add.noOne')}</p>`;
    return { heading, back, form: wrap(form, none, html``, back) };
  }
  const fields = html`<div class="share">${newShareFields(recipients, 'several', values)}</div>`;
  const head = parts.assets.load('share');
  return { heading, back, head, form: wrap(form, fields, submit(t('sharing.add.submit')), back) };
}

async function question(form: ActionForm, kind: 'delete' | 'erase'): Promise<FormPage> {
  const { about, back } = await subject(form);
  const lead = t(`files.forms.${kind}.lead`, { count: about.count });
  const inner = questionForm(form, { lead, submit: t(`files.actions.${kind}`), back });
  return { heading: t(`files.forms.${kind}.heading`, about), back, form: inner };
}

function questionForm(
  form: ActionForm,
  { lead, submit: verb, back }: { lead: string; submit: string; back: string },
): Html {
  return html`<form class="act" method="post" action="${form.links.act(form.action)}">${beginning(form)}
${problemNote(form.problem)}<p>${lead}</p><div class="actions"><a class="button cancel" href="${back}">${t('files.forms.cancel')}</a>${submit(verb, 'primary grave')}</div></form>`;
}

/** A folder is chosen by navigating, one level at a time. */
async function chooser(form: ActionForm, kind: 'move' | 'copy'): Promise<FormPage> {
  const { parts, caller, links, roots, path, action, values } = form;
  const { about, back } = await subject(form);
  const parent = `/${segmentsOf(path ?? '')
    .slice(0, -1)
    .join('/')}`;
  const at = values.to ?? (parent.startsWith('/ROOT/') ? parent : (roots[0]?.path ?? '/ROOT'));
  const more = { ...(form.count > 1 ? { count: String(form.count) } : {}), ...(form.isWhole ? { whole: '1' } : {}) };
  const step = (to: string) => links.act(action, path ?? '', { to, ...more });
  const isTop = at === '/ROOT';
  const { meta, rows } = await listFolder(parts, caller, segmentsOf(at), { itemType: 'folders' });
  const breadcrumbs = isTop ? [] : await breadcrumbsOf(parts, caller, roots, meta);
  const [above] = breadcrumbs.slice(-2, -1);
  const folders = isTop
    ? roots.filter((one) => one.path.startsWith('/ROOT/'))
    : rows.filter((row) => row.path !== path);
  const way = [
    ...(isTop ? [] : [above ?? { name: t('files.forms.folders.all'), path: '/ROOT' }]).map(
      (one) =>
        html`<li><a class="up" href="${step(one.path)}">${sprite('up')}<span>${above === undefined ? one.name : t('files.forms.folders.up', { folder: bidiIsolate(one.name) })}</span></a></li>`,
    ),
    ...folders.map(
      ({ name, path: to }) =>
        html`<li><a href="${step(to)}"><img src="${parts.basePath}/icons/folder.svg" width="30" height="30" alt=""><span>${bidiIsolate(name)}</span></a></li>`,
    ),
  ];
  const here = breadcrumbs.at(-1)?.name ?? t('files.forms.folders.all');
  // It is there already: nothing would happen.
  const isHere = meta.path === parent && path !== null;
  const inner = html`${hidden({ to: meta.path })}<p class="lead">${t(`files.forms.${kind}.lead`)}</p>
<div class="chooser"><p class="here">${here}</p><ul aria-label="${t('files.forms.folders.label')}">${way}</ul>${folders.length === 0 ? html`<p class="help">${t('files.forms.folders.none')}</p>` : html``}${
    meta.perms.upload
      ? html`<a class="new" href="${links.act('create-folder', meta.path)}" hidden>${sprite('folderPlus')}<span>${t('files.actions.createFolder')}</span></a>`
      : html``
  }</div>${isHere ? html`<p class="help">${t('files.forms.folders.current', { count: about.count })}</p>` : html``}
<div class="check"><input type="checkbox" id="overwrite" name="overwrite" value="1"${values.overwrite === '1' ? html` checked` : html``}><label for="overwrite">${t('files.forms.replace')}</label></div>`;
  const button =
    meta.perms.upload && !isHere ? submit(t(`files.forms.${kind}.submit`, { folder: bidiIsolate(here) })) : html``;
  return { heading: t(`files.forms.${kind}.heading`, about), back, form: wrap(form, inner, button, back) };
}

/** Files are sent with these forms only without JavaScript. */
function fileForm({ formToken, problem }: ActionForm, to: string, lead: string, input: Html, below: Html): Html {
  return html`<form class="act" method="post" action="${to}" enctype="multipart/form-data">${hidden({ form_token: formToken })}
${problemNote(problem)}<p class="lead">${lead}</p><div class="field file"><label for="file">${t('files.forms.upload.file')}</label>${input}</div>
${below}</form>`;
}

function sendButtons(back: string): Html {
  return html`<div class="actions"><a class="button cancel" href="${back}">${t('files.forms.cancel')}</a>${submit(t('files.actions.upload'))}</div>`;
}

async function upload(form: ActionForm): Promise<FormPage> {
  const { parts, caller, links, roots, path } = form;
  const { meta, reshare } = await listFolder(parts, caller, segmentsOf(path ?? '/ROOT'), { limit: 1 });
  const back = links.folder(meta.path);
  const name = (await breadcrumbsOf(parts, caller, roots, meta)).at(-1)?.name ?? meta.folderName;
  const to = `${links.base}/upload?path=${encodeURIComponent(meta.path)}`;
  const lead = t('files.forms.upload.lead', { folder: bidiIsolate(name) });
  const text = canEditIn(meta.perms)
    ? html`<p><a href="${links.act('create-file', meta.path)}">${t('editing.create')}</a></p>`
    : html``;
  const request = abilitiesIn(caller.account, meta, reshare).requestFiles
    ? html`<p><a href="${links.requestFiles(meta.path)}">${t('files.actions.requestFiles')}</a></p>`
    : html``;
  const input = html`<input type="file" id="file" name="file" required>`;
  const own = fileForm(form, to, lead, input, html`${sendButtons(back)}${text}${request}`);
  return { heading: t('files.forms.upload.heading'), back, form: own };
}

async function newVersion(form: ActionForm): Promise<FormPage> {
  const { row } = await itemOf(form);
  const { links } = form;
  const back = links.item(row.path);
  const to = `${links.base}/replace?path=${encodeURIComponent(row.path)}`;
  const input = html`<input type="file" id="file" name="file" accept="${extensionsLike(row.name).join(',')}" required>`;
  const lead = t('files.forms.newVersion.lead', { versions: form.parts.files.settings.values.versionsKept });
  const heading = t('files.forms.newVersion.heading', { name: bidiIsolate(row.name) });
  const own = fileForm(form, to, lead, input, sendButtons(back));
  return { heading, back, form: own };
}
