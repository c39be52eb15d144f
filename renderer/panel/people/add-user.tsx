import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { Refusal } from '../../transport/transport.ts';
import { PasswordChoice, type PasswordWay, passwordInput } from './password-choice.tsx';
import { freeUsername, usernameFor } from './propose-username.ts';
import { ShownPassword } from './shown-password.tsx';

/** Accounts that are compared with a proposed username. */
const MAX_SIMILAR = 100;

const FIELDS = ['name', 'username', 'email', 'password'];

/** The essential fields of a new person; the rest is on their page. */
export function AddUser({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  /** Null until one is typed: then it is proposed. */
  const [ownUsername, setUsername] = useState<string | null>(null);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string | null>(null);
  const [groups, setGroups] = useState<string[]>([]);
  const [way, setWay] = useState<PasswordWay>('generate');
  const [password, setPassword] = useState('');
  const [mustChange, setMustChange] = useState(true);
  const [hasHome, setHasHome] = useState(true);
  const [isChecked, setChecked] = useState(false);
  const requested = usernameFor(name);
  // Nobody has an empty name, so nothing is found for it.
  const similar = useControl('accounts.list', { text: requested, limit: MAX_SIMILAR });
  const taken = new Set(similar.data?.accounts.map((account) => account.username.toLowerCase()));
  const username = ownUsername ?? freeUsername(requested, taken);
  const roles = useControl('roles.list', {});
  const known = useControl('groups.list', { ownerId: null });
  const add = useControlChange('accounts.add', [
    'accounts.list',
    'groups.list',
    'roles.list',
    'homes.list',
    'activity.list',
  ]);

  // Without a password, nobody can sign in yet.
  const given = add.data?.generatedPassword ?? (way === 'type' ? password : null);
  if (add.data !== undefined && given !== null) {
    return (
      <ShownPassword
        title={t('people.add.addedTitle', { name: add.data.name })}
        reason="invitation"
        name={add.data.name}
        username={add.data.username}
        password={given}
        onDone={onClose}
      />
    );
  }

  const refusal = add.error instanceof Refusal ? add.error.failure : null;
  const problemOf = (field: string) => (refusal?.field === field ? refusal.error : null);
  const missing = (value: string, what: 'name' | 'username' | 'password') =>
    isChecked && value.trim() === '' ? t(`people.add.needed.${what}`) : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    const isComplete = name.trim() !== '' && username.trim() !== '' && (way !== 'type' || password !== '');
    if (add.isPending || !isComplete) return;
    add.mutate(
      {
        name,
        username,
        ...(email === '' ? {} : { email }),
        ...(role === null ? {} : { roleId: Number(role) }),
        groups,
        requirePasswordChange: way !== 'none' && mustChange,
        createHomeFolder: hasHome,
        ...passwordInput(way, password),
      },
      { onSuccess: () => way === 'none' && onClose() },
    );
  }

  return (
    <Dialog title={t('people.add.title')} onClose={onClose} keepsOpen>
      <form className={styles.form} onSubmit={submit} noValidate>
        {!FIELDS.includes(refusal?.field ?? '') && <RefusalNote error={add.error} />}
        <TextInput
          label={t('people.add.name')}
          data-autofocus
          autoComplete="off"
          value={name}
          error={missing(name, 'name') ?? problemOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('people.add.username')}
          description={t('people.add.usernameHelp')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={missing(username, 'username') ?? problemOf('username')}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <TextInput
          label={t('people.add.email')}
          type="email"
          autoComplete="off"
          value={email}
          error={problemOf('email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Select
          label={t('people.add.role')}
          description={t('people.add.roleHelp')}
          placeholder={t('people.add.noRole')}
          clearable
          data={(roles.data?.roles ?? []).map(({ id, name: label }) => ({ value: String(id), label }))}
          value={role}
          onChange={setRole}
        />
        <TagsInput
          label={t('people.add.groups')}
          data={(known.data?.groups ?? []).map(({ name: group }) => group)}
          value={groups}
          onChange={setGroups}
        />
        <PasswordChoice
          ways={['generate', 'type', 'none']}
          way={way}
          onWay={setWay}
          typed={password}
          onTyped={setPassword}
          isMissing={isChecked}
          error={add.error}
        />
        {way !== 'none' && (
          <SwitchRow
            label={t('people.add.mustChange')}
            help={t('people.add.mustChangeHelp')}
            checked={mustChange}
            onChange={setMustChange}
          />
        )}
        <SwitchRow
          label={t('people.add.home')}
          help={t('people.add.homeHelp')}
          checked={hasHome}
          onChange={setHasHome}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('people.add.cancel')}
          </Button>
          <ActionButton isBusy={add.isPending}>{t('people.add.submit')}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
