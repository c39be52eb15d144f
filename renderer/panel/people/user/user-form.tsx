import { Anchor } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useControl, useControlChange } from '../../../control/control.tsx';
import { addressOf } from '../../../control/routes.ts';
import { t } from '../../../messages/messages.ts';
import { useToast } from '../../../parts/dialogs/toasts.tsx';
import { SaveBar } from '../../../parts/forms/save-bar.tsx';
import { RefusalNote } from '../../../parts/note.tsx';
import { size } from '../../../sizes.ts';
import { Refusal } from '../../../transport/transport.ts';
import { type Account, OWNER_ID } from '../account.ts';
import { HomeFolder } from '../home-folder.tsx';
import { Administration, AllowedTypes, Amounts, MaySee, PermissionRows } from '../roles/permission-rows.tsx';
import { countAllowed, type PermissionGroup, type Permissions } from '../roles/permissions.ts';
import styles from './user.module.css';
import { changedCount, type Draft, draftOf, FIELDS_OF_FORM, inputOf } from './user-draft.ts';
import { Profile, SignIn } from './user-sections.tsx';

/** The properties of a person that are saved together. After an error the input stays. */
export function UserForm({ saved }: { readonly saved: Account }) {
  const before = draftOf(saved);
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const say = useToast();
  const roles = useControl('roles.list', {});
  const update = useControlChange('accounts.update', [
    'accounts.list',
    'accounts.get',
    'groups.list',
    'roles.list',
    'activity.list',
  ]);
  const draft: Draft = { ...before, ...changes };
  const isOwner = saved.id === OWNER_ID;
  const isGuest = saved.type === 'guest';
  const count = changedCount(before, draft);
  const set = (change: Partial<Draft>) => setChanges({ ...changes, ...change });
  const failure = update.error instanceof Refusal ? update.error.failure : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (update.isPending || count === 0) return;
    update.mutate(
      { id: saved.id, ...inputOf(before, draft) },
      {
        onSuccess: () => {
          setChanges({});
          say(t('people.user.saved'));
        },
      },
    );
  }

  const role = roles.data?.roles.find(({ id }) => id === draft.roleId);
  const permissions: Permissions = isOwner ? saved.permissions : (role?.permissions ?? draft.permissions);
  const rows = {
    values: permissions,
    saved: isOwner || role !== undefined ? permissions : before.permissions,
    disabled: isOwner || role !== undefined,
    onChange: (change: Permissions) => set({ permissions: { ...draft.permissions, ...change } }),
  };
  const decidedBy = isOwner ? (
    <p className={styles.help}>{t('people.user.ownerMay')}</p>
  ) : role === undefined ? null : (
    <p className={styles.help}>
      {t('people.user.byRole', { role: role.name })}{' '}
      <Anchor href={addressOf('role', { id: role.id })}>{t('people.user.editRole')}</Anchor>
    </p>
  );
  const sections = {
    before,
    draft,
    set,
    problemOf: (field: string) => (failure?.field === field ? failure.error : null),
  };
  const [files, sharing, account] = (['files', 'sharing', 'account'] as PermissionGroup[]).map((group) =>
    t('people.user.allowed', countAllowed(group, permissions)),
  );

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.columns}>
        <Sections isGuest={isGuest} />
        <div className={styles.sections}>
          {!FIELDS_OF_FORM.has(failure?.field ?? '') && <RefusalNote error={update.error} />}
          <Part id="profile">
            <Profile {...sections} isOwner={isOwner} isGuest={isGuest} />
          </Part>
          <Part id="signIn">
            <SignIn {...sections} account={saved} isOwner={isOwner} />
          </Part>
          {!isGuest && (
            <>
              <Part id="storage">
                {decidedBy}
                <Amounts {...rows} usedBytes={size(saved.usedBytes)} />
                <HomeFolder account={saved} />
              </Part>
              <Part id="files" aside={files}>
                {decidedBy}
                <PermissionRows {...rows} group="files" />
                <AllowedTypes {...rows} />
              </Part>
              <Part id="sharing" aside={sharing}>
                {decidedBy}
                <PermissionRows {...rows} group="sharing" />
                <MaySee {...rows} />
              </Part>
              <Part id="account" aside={account}>
                {decidedBy}
                <PermissionRows {...rows} group="account" />
              </Part>
              {!isOwner && (
                <Part id="administration">
                  {decidedBy}
                  <Administration {...rows} />
                </Part>
              )}
            </>
          )}
        </div>
      </div>
      <SaveBar
        changes={count}
        effect={t('people.user.effect')}
        isBusy={update.isPending}
        onDiscard={() => setChanges({})}
      />
    </form>
  );
}

const SECTIONS = ['profile', 'signIn', 'storage', 'files', 'sharing', 'account', 'administration'] as const;
type Section = (typeof SECTIONS)[number];

/** Links to the sections of the page. */
function Sections({ isGuest }: { readonly isGuest: boolean }) {
  return (
    <nav aria-label={t('people.title')} className={styles.anchors}>
      {SECTIONS.filter((section) => !isGuest || section === 'profile' || section === 'signIn').map((section) => (
        <button
          type="button"
          key={section}
          onClick={() => {
            const heading = document.getElementById(`section-${section}`);
            heading?.scrollIntoView({ block: 'start' });
            heading?.focus({ preventScroll: true });
          }}
        >
          {t(`people.user.sections.${section}`)}
        </button>
      ))}
    </nav>
  );
}

interface PartProps {
  readonly id: Section;
  readonly aside?: string | undefined;
  readonly children: ReactNode;
}

function Part({ id, aside, children }: PartProps) {
  return (
    <section className={styles.part} aria-labelledby={`section-${id}`}>
      <div className={styles.partHead}>
        <h2 id={`section-${id}`} tabIndex={-1}>
          {t(`people.user.sections.${id}`)}
        </h2>
        {aside !== undefined && <span>{aside}</span>}
      </div>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}
