import type { AccountRecord } from '../../../accounts/accounts.ts';
import type { AlbumMemberName } from '../../../albums/share-album.ts';
import type { VisibleAlbum } from '../../../albums/visible-albums.ts';
import { avatarColour } from '../../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { ALBUM_ROLES, type AlbumRole } from '../../../shares/album-shares.ts';
import type { NamedRecipient } from '../../../sharing/recipients.ts';
import { initialOf } from '../../shell/avatar.ts';
import { hidden, problemNote } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';

interface AlbumSharePage {
  /** The form action. */
  readonly action: string;
  readonly back: string;
  readonly formToken: string;
  readonly album: VisibleAlbum;
  readonly shares: readonly AlbumMemberName[];
  /** Everyone it can be shared with. */
  readonly recipients: readonly NamedRecipient[];
  /** The values entered, if they were rejected. */
  readonly values: Readonly<Record<string, string>>;
  readonly problem: string | null;
  readonly done: string | null;
}

/** Whom an album is shared with; for its owner with the forms that change it. The script shows them in a dialog. */
export function albumSharePage(page: AlbumSharePage): Html {
  const { album, shares, back, problem, done } = page;
  const { reach, members } = album;
  const isOwn = reach.role === 'owner';
  const title = bidiIsolate(album.title);
  const hiddenCount = members.filter(({ isForAll }) => !isForAll).length;
  const unseen =
    hiddenCount === 0 ? html`` : html`<p class="help">${t('albums.share.notForAll', { count: hiddenCount })}</p>`;
  const list =
    shares.length === 0
      ? html`<p class="help">${t('sharing.with.none')}</p>`
      : html`<ul class="sharers">${isOwn ? html`` : html`<li>${whose(face(reach.owner), reach.owner.name, t('albums.roles.owner'))}</li>`}${shares.map((share) => html`<li>${member(page, share)}</li>`)}</ul>`;
  return html`<div class="sheet"><section class="form share" data-close="${t('sharing.close')}"><a class="back" href="${back}">${icon('left')}${title}</a><h1>${isOwn ? t('sharing.heading', { name: title }) : t('albums.share.people', { title })}</h1>
${problemNote(problem)}${done === null ? html`` : html`<div class="note good done" role="status">${icon('check')}<span>${done}</span></div>`}
<p class="help">${isOwn ? t('albums.share.lead') : t('albums.share.memberLead')}</p>${unseen}
<h2>${t('sharing.with.heading')}</h2>
${list}
${isOwn ? addForm(page) : html``}</section></div>`;
}

/** The first letter of a person's name in a circle, beside the name. */
export function face({ id, name }: Pick<AccountRecord, 'id' | 'name'>): Html {
  return html`<span class="avatar ${avatarColour(id)}" aria-hidden="true">${initialOf(name)}</span>`;
}

function whose(drawing: Html, name: string, about: string): Html {
  return html`<div class="whose">${drawing}<div><span class="name">${bidiIsolate(name)}</span><span class="about">${about}</span></div></div>`;
}

function member(page: AlbumSharePage, { to, role }: AlbumMemberName): Html {
  const { uid } = to.recipient;
  const drawing = uid === null ? icon('users') : face({ id: uid, name: to.name });
  const shown = whose(drawing, to.name, `${t(`sharing.kinds.${to.kind}`)} · ${t(`albums.roles.${role}`)}`);
  if (page.album.reach.role !== 'owner') return shown;
  const key = keyOf(to);
  const fields = html`${hidden({ to: key })}${roleFields(key, role)}`;
  const buttons = html`<button class="primary" name="do" value="change">${t('sharing.save')}</button><button class="danger" name="do" value="stop">${t('sharing.stop')}</button>`;
  return html`${shown}<details><summary aria-label="${t('sharing.changeFor', { name: to.name })}">${t('sharing.change')}</summary>${wrap(page, fields, buttons)}</details>`;
}

function addForm(page: AlbumSharePage): Html {
  const { recipients, shares, values } = page;
  const shared = new Set(shares.map(({ to }) => keyOf(to)));
  const left = recipients.filter((one) => !shared.has(keyOf(one)));
  if (left.length === 0) return shares.length > 0 ? html`` : html`<p class="help">${t('sharing.add.noOne')}</p>`;
  const options = (kind: NamedRecipient['kind'], label: string) => {
    const some = left.filter((one) => one.kind === kind);
    if (some.length === 0) return html``;
    return html`<optgroup label="${label}">${some.map((one) => html`<option value="${keyOf(one)}"${values.to === keyOf(one) ? html` selected` : html``}>${one.name}</option>`)}</optgroup>`;
  };
  const role = ALBUM_ROLES.find((one) => one === values.role) ?? 'view';
  const fields = html`<div class="field"><label for="to">${t('sharing.add.who')}</label><select id="to" name="to" required><option value="">${t('sharing.add.choose')}</option>${options('group', t('sharing.add.groups'))}${options('user', t('sharing.add.people'))}</select></div>${roleFields('new', role)}`;
  return html`<h2>${t('sharing.add.heading')}</h2>${wrap(page, fields, html`<button class="primary" name="do" value="share">${t('sharing.add.submit')}</button>`)}`;
}

/** @param prefix makes the ids in this form unique */
function roleFields(prefix: string, chosen: AlbumRole): Html {
  return html`<fieldset class="levels"><legend>${t('sharing.permissions.legend')}</legend>${ALBUM_ROLES.map((role) => {
    const id = `${prefix}-${role}`;
    return html`<div class="level"><input type="radio" id="${id}" name="role" value="${role}"${role === chosen ? html` checked` : html``} aria-describedby="${id}-help"><label for="${id}">${t(`albums.share.${role}.label`)}</label><p class="help" id="${id}-help">${t(`albums.share.${role}.help`)}</p></div>`;
  })}</fieldset>`;
}

/** @param buttons the main one first: it is the one that Enter presses */
function wrap({ action, formToken, album }: AlbumSharePage, fields: Html, buttons: Html): Html {
  return html`<form class="act" method="post" action="${action}">${hidden({ form_token: formToken, album: album.album })}${fields}<div class="actions">${buttons}</div></form>`;
}

/** The key of a recipient in a form: `u3`, `g2`. */
function keyOf({ recipient }: NamedRecipient): string {
  return recipient.uid === null ? `g${recipient.gid}` : `u${recipient.uid}`;
}
