import type { Actor, LarderEvents, LinkVisit } from '../lib/events.ts';

/** Groups of events for viewers. `system` concerns the installation itself. */
export type ActivityGroup = 'security' | 'files' | 'sharing' | 'system';

/** The row of an event. */
export interface ActivityRow {
  readonly kind: string;
  readonly actor: Actor;
  /** The object of the event: a path, or the name of a person or an app. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Recipe<Payload> {
  readonly group: ActivityGroup;
  /** @returns null for an event that is not logged */
  readonly toRow: (payload: Payload) => ActivityRow | null;
}

/** How every event becomes a row. An event without a recipe does not compile. */
export const recipes: { readonly [Name in keyof LarderEvents]: Recipe<LarderEvents[Name]> } = {
  'installation.set-up': security(({ actor }) => activityRow('installation.set-up', actor)),
  'settings.changed': security(({ actor, keys, values }) =>
    keys.length === 0 ? null : activityRow('settings.changed', actor, keys.join(', '), values),
  ),
  'account.created': security(({ actor, username }) => activityRow('account.created', actor, username)),
  'account.activated': security(({ actor, username }) => activityRow('account.activated', actor, username)),
  'account.deactivated': security(({ actor, accountId: id, username, reason }) => {
    // Automatic actions of the server are recorded under the person concerned.
    const account = actor.account ?? { id, username };
    return activityRow('account.deactivated', { ...actor, account }, username, { reason });
  }),
  'account.deleted': security(({ actor, username }) => activityRow('account.deleted', actor, username)),
  'account.changed': security(({ actor, username, fields }) =>
    activityRow('account.changed', actor, username, { fields }),
  ),
  'group.created': security(({ actor, name }) => activityRow('group.created', actor, name)),
  'group.changed': security(({ actor, name, fields, from }) =>
    activityRow('group.changed', actor, name, { fields, ...(from === null ? {} : { from }) }),
  ),
  'group.removed': security(({ actor, name }) => activityRow('group.removed', actor, name)),
  'role.created': security(({ actor, name }) => activityRow('role.created', actor, name)),
  'role.changed': security(({ actor, name, fields }) => activityRow('role.changed', actor, name, { fields })),
  'role.removed': security(({ actor, name, accounts }) => activityRow('role.removed', actor, name, { accounts })),
  'metadata.defined': {
    group: 'system',
    toRow: ({ actor, what, change, name, fields, values }) =>
      activityRow(`${DEFINED[what]}.${change}`, actor, name, { fields, values }),
  },
  'home.released': security(({ actor, path, username: of }) => activityRow('home.released', actor, path, { of })),
  'home.trashed': security(({ actor, path, username: of }) => activityRow('home.trashed', actor, path, { of })),
  'home.restored': security(({ actor, path, username: of }) => activityRow('home.restored', actor, path, { of })),
  'home.removed': security(({ actor, path, username: of }) => activityRow('home.removed', actor, path, { of })),
  'password.changed': security(({ actor, username }) => activityRow('password.changed', actor, username)),
  'two-step.changed': security(({ actor, enabled }) =>
    activityRow(enabled ? 'two-step.enabled' : 'two-step.disabled', actor),
  ),
  'recovery-codes.renewed': security(({ actor }) => activityRow('recovery-codes.renewed', actor)),
  'app-password.created': security(({ actor, label, isReadOnly }) =>
    activityRow('app-password.created', actor, label, flag('readOnly', isReadOnly)),
  ),
  'app-password.removed': security(({ actor, label, username }) =>
    activityRow('app-password.removed', actor, label, actor.account?.username === username ? {} : { of: username }),
  ),
  'share.created': sharing((event) => shared('share.created', event)),
  'share.changed': sharing((event) => shared('share.changed', event)),
  'share.removed': sharing((event) => shared('share.removed', event)),
  'album.shared': sharing(({ actor, title, to, kind, role }) =>
    activityRow('album.shared', actor, title, { to, recipient: kind, role }),
  ),
  'album.unshared': sharing(({ actor, title, to, kind, owner, hasLeft = false }) =>
    activityRow('album.unshared', actor, title, {
      to,
      recipient: kind,
      ...whose(owner),
      ...flag('left', hasLeft),
    }),
  ),
  'album.added': sharing(({ actor, title, items, owner }) =>
    activityRow('album.added', actor, title, { items, ...whose(owner) }),
  ),
  'album.removed': sharing(({ actor, title, items, owner }) =>
    activityRow('album.removed', actor, title, { items, ...whose(owner) }),
  ),
  'weblink.created': sharing((event) => ofLink('weblink.created', event, { link: event.kind })),
  'weblink.changed': sharing((event) => ofLink('weblink.changed', event)),
  'weblink.removed': sharing(({ actor, path, links, items, owner }) =>
    activityRow('weblink.removed', actor, path, { links, ...several(items), ...whose(owner) }),
  ),
  'guest-link.made': sharing(({ actor, username, name }) => activityRow('guest-link.made', actor, name, { username })),
  'picture.changed': security(({ actor }) => activityRow('picture.changed', actor)),
  'profile.changed': security(({ actor, fields }) => activityRow('profile.changed', actor, '', { fields })),
  'session.ended': security(({ actor, sessions }) => activityRow('session.ended', actor, '', { sessions })),
  'login.succeeded': security(({ actor }) => activityRow('login.succeeded', actor)),
  'login.failed': security(({ actor, reason }) => activityRow('login.failed', actor, '', { reason })),
  'client.added': security(({ actor, clientId, name }) => activityRow('client.added', actor, name, { clientId })),
  'client.changed': security(({ actor, clientId, name, fields }) =>
    activityRow('client.changed', actor, name, { clientId, fields }),
  ),
  'client.removed': security(({ actor, clientId, name }) => activityRow('client.removed', actor, name, { clientId })),
  'authorization.granted': security(({ actor, scopes }) =>
    activityRow('authorization.granted', actor, actor.client?.name, { scopes }),
  ),
  'authorization.revoked': security(({ actor, reason }) =>
    activityRow('authorization.revoked', actor, actor.client?.name, { reason }),
  ),
  'api.tried': security(({ actor, method, operation, username, status }) =>
    activityRow('api.tried', actor, `${method} ${operation} as ${username}`, {
      method,
      operation,
      of: username,
      status,
    }),
  ),
  'doctor.repaired': {
    group: 'system',
    toRow: ({ actor, repaired, problems }) => activityRow('doctor.repaired', actor, '', { repaired, problems }),
  },
  'backup.made': system(({ actor, name, files: has }) => activityRow('backup.made', actor, name, flag('files', has))),
  'backup.failed': system(({ actor, reason }) => activityRow('backup.failed', actor, '', { reason })),
  'backup.removed': system(({ actor, name }) => activityRow('backup.removed', actor, name)),
  'backup.restored': system(({ actor, name, folder }) => activityRow('backup.restored', actor, name, { folder })),
  'import.started': system(({ actor, username: of, path, folder }) =>
    activityRow('import.started', actor, folder, { of, path }),
  ),
  'folder.created': files(({ actor, path, copiedFrom }) =>
    copiedFrom === null
      ? activityRow('folder.created', actor, path)
      : activityRow('folder.copied', actor, path, { from: copiedFrom, folder: true }),
  ),
  'file.created': files((event) => content('file.created', event)),
  'file.overwritten': files((event) => content('file.overwritten', event)),
  'archive.extracted': files(({ actor, path, from, items, isFolder }) =>
    activityRow('archive.extracted', actor, path, { from, items, ...flag('folder', isFolder) }),
  ),
  'item.moved': files(({ actor, path, from, isFolder, hasReplaced, between }) =>
    activityRow(between === null && folderOf(path) === folderOf(from) ? 'item.renamed' : 'item.moved', actor, path, {
      from,
      ...(between === null ? {} : { fromOwner: between.fromOwner, toOwner: between.toOwner }),
      ...flag('folder', isFolder),
      ...flag('overwritten', hasReplaced),
    }),
  ),
  'item.trashed': files(({ actor, path, isFolder, trashId }) =>
    activityRow('item.trashed', actor, path, { ...flag('folder', isFolder), trashId }),
  ),
  'item.removed': files(({ actor, path, isFolder, wasInTrash }) =>
    activityRow('item.removed', actor, path, { ...flag('folder', isFolder), ...flag('trash', wasInTrash) }),
  ),
  'item.restored': files(({ actor, path, isFolder, from }) =>
    activityRow('item.restored', actor, path, { ...flag('folder', isFolder), ...(from === path ? {} : { from }) }),
  ),
  'trash.emptied': files(({ actor, items, username: of }) =>
    activityRow('trash.emptied', actor, '/TRASH', { items, of }),
  ),
  'file.locked': files(({ actor, path }) => activityRow('file.locked', actor, path)),
  'file.unlocked': files(({ actor, path, of }) => activityRow('file.unlocked', actor, path, of === null ? {} : { of })),
  // The text of a comment is not logged.
  'comment.added': files(({ actor, path, commentId: id }) => activityRow('comment.added', actor, path, { id })),
  'comment.removed': files(({ actor, path, commentId: id, author }) =>
    activityRow('comment.removed', actor, path, { id, ...(author === null ? {} : { author }) }),
  ),
  'metadata.changed': files(({ actor, path, what, names }) =>
    what === 'fields'
      ? activityRow('fields.changed', actor, path, { fields: names })
      : activityRow(`${what}.changed`, actor, path),
  ),
  'version.removed': files(({ actor, path, version }) => activityRow('version.removed', actor, path, { version })),
  'versions.expired': files(({ actor, versions, username: of }) =>
    activityRow('versions.expired', actor, '', { versions, of }),
  ),
  'item.downloaded': files(({ actor, path, isFolder, version }) =>
    activityRow(isFolder ? 'folder.downloaded' : 'file.downloaded', actor, path, { version }),
  ),
};

/** The names used in the log. */
const DEFINED = { type: 'file-type', set: 'field-set', field: 'field' } as const;

function security<Payload>(toRow: Recipe<Payload>['toRow']): Recipe<Payload> {
  return { group: 'security', toRow };
}

function system<Payload>(toRow: Recipe<Payload>['toRow']): Recipe<Payload> {
  return { group: 'system', toRow };
}

function sharing<Payload>(toRow: Recipe<Payload>['toRow']): Recipe<Payload> {
  return { group: 'sharing', toRow };
}

function shared(
  kind: 'share.created' | 'share.changed' | 'share.removed',
  { actor, path, to, kind: recipient, rights, owner }: LarderEvents[typeof kind],
): ActivityRow {
  const given = kind === 'share.removed' ? {} : { rights };
  return activityRow(kind, actor, path, { to, recipient, ...given, ...whose(owner) });
}

function ofLink(
  kind: 'weblink.created' | 'weblink.changed',
  { actor, path, number, rules, items, owner }: LarderEvents[typeof kind],
  more: ActivityRow['details'] = {},
): ActivityRow {
  return activityRow(kind, actor, path, { ...more, number, rules, ...several(items), ...whose(owner) });
}

function several(items: number | undefined): ActivityRow['details'] {
  return items === undefined || items < 2 ? {} : { items };
}

function whose(owner: string | undefined): ActivityRow['details'] {
  return owner === undefined ? {} : { of: owner };
}

/** With the home's owner, if it is another account, and the web link that was used. */
function files<Payload extends { readonly owner?: string; readonly link?: LinkVisit }>(
  toRow: Recipe<Payload>['toRow'],
): Recipe<Payload> {
  return {
    group: 'files',
    toRow: (payload) => {
      const row = toRow(payload);
      const { owner, link } = payload;
      if (row === null || (owner === undefined && link === undefined)) return row;
      const by =
        link === undefined ? {} : { weblink: link.number, ...(link.visitor === '' ? {} : { visitor: link.visitor }) };
      return { ...row, details: { ...row.details, ...whose(owner), ...by } };
    },
  };
}

function activityRow(kind: string, actor: Actor, subject = '', details: ActivityRow['details'] = {}): ActivityRow {
  return { kind, actor, subject, details };
}

function content(
  kind: 'file.created' | 'file.overwritten',
  { actor, path, size, version, copiedFrom, restoredFrom }: LarderEvents[typeof kind],
): ActivityRow {
  const isOver = kind === 'file.overwritten';
  if (restoredFrom !== null) return activityRow('version.restored', actor, path, { version, from: restoredFrom });
  if (copiedFrom !== null) {
    return activityRow('file.copied', actor, path, { from: copiedFrom, size, ...flag('overwritten', isOver) });
  }
  return activityRow(kind, actor, path, { size, ...(isOver ? { version } : {}) });
}

/** Present only if true: most rows are about files, and should be small. */
function flag(name: string, isSo: boolean): Record<string, true> {
  return isSo ? { [name]: true } : {};
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
