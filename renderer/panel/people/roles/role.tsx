import { Anchor, TextInput } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useControl, useControlChange } from '../../../control/control.tsx';
import { addressOf, usePlace } from '../../../control/routes.ts';
import { letLeave } from '../../../control/unsaved-changes.ts';
import { t } from '../../../messages/messages.ts';
import { useToast } from '../../../parts/dialogs/toasts.tsx';
import { SaveBar } from '../../../parts/forms/save-bar.tsx';
import { Heading } from '../../../parts/heading.tsx';
import { Note, RefusalNote, reasonOf } from '../../../parts/note.tsx';
import { Skeletons } from '../../../parts/skeletons.tsx';
import { Refusal } from '../../../transport/transport.ts';
import type { Role as RoleRow } from '../groups/group.ts';
import styles from '../user/user.module.css';
import {
  Administration,
  AllowedTypes,
  Amounts,
  Marked,
  MaySee,
  PermissionRows,
  PLACEHOLDERS,
} from './permission-rows.tsx';
import { countAllowed, DEFAULTS, type Permissions } from './permissions.ts';

/** A role: a named set of permissions. `new` creates one. */
export function Role() {
  const { id } = usePlace();
  const list = useControl('roles.list', {});
  if (list.data === undefined) {
    if (list.error === null) return <Skeletons widths={[300, 500, 460]} />;
    return (
      <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => list.refetch() }}>
        {t('common.unread')} {reasonOf(list.error)}
      </Note>
    );
  }
  const role = list.data.roles.find((one) => String(one.id) === id) ?? null;
  if (role === null && id !== 'new') {
    return (
      <>
        <Heading title={t('people.roles.gone')} />
        <p className={styles.lead}>{t('people.roles.goneHelp')}</p>
        <p>
          <Anchor href={addressOf('roles')}>{t('people.roles.back')}</Anchor>
        </p>
      </>
    );
  }
  return <Form key={id} saved={role} />;
}

interface Draft {
  readonly name: string;
  readonly homeTemplate: string;
  readonly permissions: Permissions;
}

function Form({ saved }: { readonly saved: RoleRow | null }) {
  const before: Draft = saved ?? { name: '', homeTemplate: '', permissions: DEFAULTS };
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const [isNameless, setNameless] = useState(false);
  const say = useToast();
  const stale = ['roles.list', 'accounts.list', 'accounts.get', 'activity.list'] as const;
  const add = useControlChange('roles.add', stale);
  const update = useControlChange('roles.update', stale);
  const change = saved === null ? add : update;
  const draft = { ...before, ...changes };
  const failure = change.error instanceof Refusal ? change.error.failure : null;
  const problemOf = (field: string) => (failure?.field === field ? failure.error : null);
  const count =
    Number(draft.name !== before.name) +
    Number(draft.homeTemplate !== before.homeTemplate) +
    Object.keys(draft.permissions).filter((name) => draft.permissions[name] !== before.permissions[name]).length;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setNameless(draft.name.trim() === '');
    if (change.isPending || draft.name.trim() === '' || (saved !== null && count === 0)) return;
    if (saved === null) {
      add.mutate(draft, {
        onSuccess: ({ id }) => {
          letLeave();
          location.hash = addressOf('role', { id });
        },
      });
    } else {
      update.mutate(
        { id: saved.id, ...changes },
        {
          onSuccess: () => {
            setChanges({});
            say(t('people.user.saved'));
          },
        },
      );
    }
  }

  const rows = {
    values: draft.permissions,
    saved: before.permissions,
    disabled: false,
    onChange: (changed: Permissions) => setChanges({ ...changes, permissions: { ...draft.permissions, ...changed } }),
  };
  const allowed = (group: 'files' | 'sharing' | 'account') =>
    t('people.user.allowed', countAllowed(group, draft.permissions));

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.head}>
        <a className={styles.back} href={addressOf('roles')}>
          <IconChevronLeft size={16} stroke={1.75} aria-hidden />
          {t('people.roles.back')}
        </a>
        <Heading title={saved?.name ?? t('people.roles.addTitle')} />
        {saved !== null && <p className={styles.lead}>{t('people.roles.people', { count: saved.accounts })}</p>}
      </div>
      <div className={`${styles.sections} ${styles.single}`}>
        {failure?.field !== 'name' && failure?.field !== 'homeTemplate' && <RefusalNote error={change.error} />}
        <TextInput
          label={<Marked isChanged={draft.name !== before.name}>{t('people.roles.name')}</Marked>}
          value={draft.name}
          error={isNameless && draft.name.trim() === '' ? t('people.roles.needed') : problemOf('name')}
          onChange={(event) => setChanges({ ...changes, name: event.currentTarget.value })}
        />
        <Part title={t('people.user.sections.storage')}>
          <Amounts {...rows} usedBytes={null} />
          <TextInput
            label={
              <Marked isChanged={draft.homeTemplate !== before.homeTemplate}>{t('people.limits.template')}</Marked>
            }
            description={t('people.limits.templateHelp', PLACEHOLDERS)}
            spellCheck={false}
            value={draft.homeTemplate}
            error={problemOf('homeTemplate')}
            onChange={(event) => setChanges({ ...changes, homeTemplate: event.currentTarget.value })}
          />
        </Part>
        <Part title={t('people.user.sections.files')} aside={allowed('files')}>
          <PermissionRows {...rows} group="files" />
          <AllowedTypes {...rows} />
        </Part>
        <Part title={t('people.user.sections.sharing')} aside={allowed('sharing')}>
          <PermissionRows {...rows} group="sharing" />
          <MaySee {...rows} />
        </Part>
        <Part title={t('people.user.sections.account')} aside={allowed('account')}>
          <PermissionRows {...rows} group="account" />
        </Part>
        <Part title={t('people.user.sections.administration')}>
          <Administration {...rows} />
        </Part>
      </div>
      <SaveBar
        changes={count}
        isBusy={change.isPending}
        onDiscard={() => setChanges({})}
        {...(saved === null
          ? { label: t('people.roles.create') }
          : { effect: t('people.roles.effect', { count: saved.accounts }) })}
      />
    </form>
  );
}

interface PartProps {
  readonly title: string;
  readonly aside?: string;
  readonly children: ReactNode;
}

function Part({ title, aside, children }: PartProps) {
  return (
    <section className={styles.part} aria-label={title}>
      <div className={styles.partHead}>
        <h2>{title}</h2>
        {aside !== undefined && <span>{aside}</span>}
      </div>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}
