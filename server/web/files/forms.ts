import type { AccountCaller } from '../../access/caller.ts';
import { ApiError } from '../../http/errors.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { field, hidden, problemNote } from '../shell/form-fields.ts';
import { sprite } from '../shell/icons.ts';
import type { FilesLinks } from './addresses.ts';
import { breadcrumbsOf, type FilesPagesParts, findItem, listFolder, type Place, segmentsOf } from './context.ts';
import { filesTexts } from './texts.ts';

/** What an action is about, and what was typed so far. */
export interface ActionForm {
  readonly parts: FilesPagesParts;
  readonly caller: AccountCaller;
  readonly links: FilesLinks;
  readonly places: readonly Place[];
  readonly formToken: string;
  readonly action: string;
  /** The item, or the folder that something new goes into; null for what is about no path. */
  readonly path: string | null;
  /** How many items it is about, where those are not all named here. */
  readonly count: number;
  readonly values: Readonly<Record<string, string>>;
  /** What was wrong with the last try. */
  readonly problem: string | null;
}

export interface FormPage {
  readonly heading: string;
  readonly form: Html;
  /** Where one was: cancelling leads there. */
  readonly back: string;
}

const FORMS: Record<string, (form: ActionForm) => Promise<FormPage>> = {
  'create-folder': (form) =>
    named(form, { ...filesTexts.forms.createFolder, value: '', back: form.links.folder(form.path ?? '/ROOT') }),
  rename: async (form) => {
    const { row } = await itemOf(form);
    return named(form, { ...filesTexts.forms.rename, value: row.name, back: form.links.item(row.path) });
  },
  move: (form) => chooser(form, filesTexts.forms.move),
  copy: (form) => chooser(form, filesTexts.forms.copy),
  delete: (form) => question(form, filesTexts.forms.delete, true),
  restore: async (form) => {
    const { heading, back } = await subject(form);
    const { actions } = filesTexts;
    const other = html`<a class="button danger" href="${form.links.act('erase', form.path ?? '')}">${actions.erase}</a>`;
    return { heading, back, form: wrap(form, html``, html`${other}${submit(actions.restore)}`, back) };
  },
  erase: (form) => question(form, filesTexts.forms.erase, true),
  'empty-trash': async (form) => {
    const { heading, lead, ...texts } = filesTexts.forms.empty;
    const { total } = await listFolder(form.parts, form.caller, ['TRASH'], { limit: 1 });
    return question(form, { ...texts, heading: () => heading, lead: lead(total) }, false);
  },
  upload,
};

/** The form that asks what an action needs. @throws ApiError `not_found` also for an action that there is not */
export async function actionForm(form: ActionForm): Promise<FormPage> {
  const make = Object.hasOwn(FORMS, form.action) ? FORMS[form.action] : undefined;
  if (make === undefined) throw new ApiError('not_found', 'There is no such page.');
  return make(form);
}

async function itemOf({ parts, caller, path }: ActionForm) {
  if (path === null) throw new ApiError('not_found', 'There is no such file or folder.');
  return findItem(parts, caller, path, path.startsWith('/TRASH/') ? '/TRASH' : null);
}

/** What the form is about, in words. */
async function subject(form: ActionForm): Promise<{ heading: string; back: string }> {
  const { forms } = filesTexts;
  if (form.path === null) return { heading: '', back: form.links.folder('/TRASH') };
  const { row, list } = await itemOf(form);
  const heading = form.count > 1 ? forms.many(form.count) : forms.one(row.name);
  return { heading, back: row.deleted === null ? form.links.item(row.path) : form.links.folder(list.meta.path) };
}

function wrap({ links, action, formToken, path, problem }: ActionForm, inner: Html, buttons: Html, back: string): Html {
  const { cancel } = filesTexts.forms;
  return html`<form class="act" method="post" action="${links.act(action)}">${hidden({ form_token: formToken, ...(path === null ? {} : { 'path[]': path }) })}
${problemNote(problem)}${inner}<div class="actions"><a class="button cancel" href="${back}">${cancel}</a>${buttons}</div></form>`;
}

function submit(text: string, kind = 'primary'): Html {
  return html`<button class="${kind}">${text}</button>`;
}

async function named(
  form: ActionForm,
  texts: { heading: string; submit: string; value: string; back: string },
): Promise<FormPage> {
  const { name } = filesTexts.forms;
  const value = form.values.name ?? texts.value;
  const input = field({ name: 'name', label: name, value, problem: form.problem ?? undefined, hasFocus: true });
  const inner = wrap({ ...form, problem: null }, input, submit(texts.submit), texts.back);
  return { heading: texts.heading, back: texts.back, form: inner };
}

async function question(
  form: ActionForm,
  texts: { heading: (what: string) => string; lead: string; submit: string; keep: string },
  isAboutItem: boolean,
): Promise<FormPage> {
  const { heading, back } = isAboutItem ? await subject(form) : { heading: '', back: form.links.folder('/TRASH') };
  const { links, action, formToken, path, problem } = form;
  const inner = html`<form class="act" method="post" action="${links.act(action)}">${hidden({ form_token: formToken, ...(path === null ? {} : { 'path[]': path }) })}
${problemNote(problem)}<p>${texts.lead}</p><div class="actions"><a class="button cancel" href="${back}">${texts.keep}</a>${submit(texts.submit, 'primary grave')}</div></form>`;
  return { heading: texts.heading(heading), back, form: inner };
}

/** A folder is chosen by going through them, one at a time. */
async function chooser(
  form: ActionForm,
  texts: { heading: (what: string) => string; submit: (folder: string) => string; lead: string },
): Promise<FormPage> {
  const { parts, caller, links, places, path, action, values } = form;
  const { forms } = filesTexts;
  const { heading, back } = await subject(form);
  const parent = `/${segmentsOf(path ?? '')
    .slice(0, -1)
    .join('/')}`;
  const at = values.to ?? (parent.startsWith('/ROOT/') ? parent : (places[0]?.path ?? '/ROOT'));
  const more = form.count > 1 ? { count: String(form.count) } : {};
  const step = (to: string) => links.act(action, path ?? '', { to, ...more });
  const isTop = at === '/ROOT';
  const { meta, rows } = await listFolder(parts, caller, segmentsOf(at), { itemType: 'folders' });
  const trail = isTop ? [] : await breadcrumbsOf(parts, caller, places, meta);
  const [above] = trail.slice(-2, -1);
  const folders = isTop
    ? places.filter((one) => one.path.startsWith('/ROOT/'))
    : rows.filter((row) => row.path !== path);
  const way = [
    ...(isTop ? [] : [above ?? { name: forms.chooser.places, path: '/ROOT' }]).map(
      (one) =>
        html`<li><a class="up" href="${step(one.path)}">${sprite('up')}<span>${above === undefined ? one.name : forms.chooser.up(one.name)}</span></a></li>`,
    ),
    ...folders.map(
      ({ name, path: to }) =>
        html`<li><a href="${step(to)}"><img src="${parts.basePath}/icons/folder.svg" width="30" height="30" alt=""><span>${name}</span></a></li>`,
    ),
  ];
  const here = trail.at(-1)?.name ?? forms.chooser.places;
  // Where it is already, nothing would happen.
  const isHere = meta.path === parent && path !== null;
  const inner = html`${hidden({ to: meta.path })}<p class="lead">${texts.lead}</p>
<div class="chooser"><p class="here">${here}</p><ul aria-label="${forms.chooser.label}">${way}</ul>${folders.length === 0 ? html`<p class="help">${forms.chooser.none}</p>` : html``}${
    meta.perms.upload
      ? html`<a class="new" href="${links.act('create-folder', meta.path)}" hidden>${sprite('folderPlus')}<span>${filesTexts.actions.createFolder}</span></a>`
      : html``
  }</div>${isHere ? html`<p class="help">${forms.chooser.isHere}</p>` : html``}
<div class="check"><input type="checkbox" id="overwrite" name="overwrite" value="1"${values.overwrite === '1' ? html` checked` : html``}><label for="overwrite">${forms.replace}</label></div>`;
  const button = meta.perms.upload && !isHere ? submit(texts.submit(here)) : html``;
  return { heading: texts.heading(heading), back, form: wrap(form, inner, button, back) };
}

/** One file, for those without JavaScript. */
async function upload({ parts, caller, links, places, formToken, path, problem }: ActionForm): Promise<FormPage> {
  const { upload: texts, cancel } = filesTexts.forms;
  const { meta } = await listFolder(parts, caller, segmentsOf(path ?? '/ROOT'), { limit: 1 });
  const back = links.folder(meta.path);
  const name = (await breadcrumbsOf(parts, caller, places, meta)).at(-1)?.name ?? meta.folderName;
  const action = `${links.base}/upload?path=${encodeURIComponent(meta.path)}`;
  const form = html`<form class="act" method="post" action="${action}" enctype="multipart/form-data">${hidden({ form_token: formToken })}
${problemNote(problem)}<p class="lead">${texts.lead(name)}</p><div class="field file"><label for="file">${texts.file}</label><input type="file" id="file" name="file" required></div>
<div class="actions"><a class="button cancel" href="${back}">${cancel}</a>${submit(texts.submit)}</div></form>`;
  return { heading: texts.heading, back, form };
}
