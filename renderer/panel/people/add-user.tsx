import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControl, useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import styles from '../../parts/forms/form.module.css';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { Refusal } from '../../transport/transport.ts';
import { PasswordChoice, type PasswordWay, passwordInput } from './password-choice.tsx';
import { ShownPassword } from './shown-password.tsx';

const words = peopleTexts.add;
const FIELDS = ['name', 'username', 'email', 'password'];

/** The few things a new person needs; everything else stands on their page. */
export function AddUser({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string | null>(null);
  const [groups, setGroups] = useState<string[]>([]);
  const [way, setWay] = useState<PasswordWay>('generate');
  const [password, setPassword] = useState('');
  const [mustChange, setMustChange] = useState(true);
  const [hasHome, setHasHome] = useState(true);
  const [isChecked, setChecked] = useState(false);
  const roles = useControl('roles.list', {});
  const known = useControl('groups.list', { ownerId: null });
  const add = useControlChange('accounts.add', [
    'accounts.list',
    'groups.list',
    'roles.list',
    'homes.list',
    'activity.list',
  ]);

  if (add.data !== undefined && add.data.generatedPassword !== null) {
    return (
      <ShownPassword
        title={words.addedTitle(add.data.name)}
        username={add.data.username}
        password={add.data.generatedPassword}
        onDone={onClose}
      />
    );
  }

  const refusal = add.error instanceof Refusal ? add.error.failure : null;
  const problemOf = (field: string) => (refusal?.field === field ? refusal.error : null);
  const missing = (value: string, what: keyof typeof words.needed) =>
    isChecked && value.trim() === '' ? words.needed[what] : null;

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
      { onSuccess: ({ generatedPassword }) => generatedPassword === null && onClose() },
    );
  }

  return (
    <Dialog title={words.title} onClose={onClose} keepsOpen>
      <form className={styles.form} onSubmit={submit} noValidate>
        {!FIELDS.includes(refusal?.field ?? '') && <RefusalNote error={add.error} />}
        <TextInput
          label={words.name}
          data-autofocus
          autoComplete="off"
          value={name}
          error={missing(name, 'name') ?? problemOf('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={words.username}
          description={words.usernameHelp}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={missing(username, 'username') ?? problemOf('username')}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <TextInput
          label={words.email}
          type="email"
          autoComplete="off"
          value={email}
          error={problemOf('email')}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Select
          label={words.role}
          description={words.roleHelp}
          placeholder={words.noRole}
          clearable
          data={(roles.data?.roles ?? []).map(({ id, name: label }) => ({ value: String(id), label }))}
          value={role}
          onChange={setRole}
        />
        <TagsInput
          label={words.groups}
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
            label={words.mustChange}
            help={words.mustChangeHelp}
            checked={mustChange}
            onChange={setMustChange}
          />
        )}
        <SwitchRow label={words.home} help={words.homeHelp} checked={hasHome} onChange={setHasHome} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <ActionButton isBusy={add.isPending}>{words.add}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
