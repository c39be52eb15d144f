import { Button, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useControl } from '../../../control/control.tsx';
import { t } from '../../../messages/messages.ts';
import { SwitchRow } from '../../../parts/forms/switch-row.tsx';
import type { Account } from '../account.ts';
import { AppPasswords } from '../app-passwords.tsx';
import { NewPassword } from '../new-password.tsx';
import { Marked } from '../roles/permission-rows.tsx';
import { SignedIn } from '../signed-in.tsx';
import styles from './user.module.css';
import type { Draft } from './user-draft.ts';

interface SectionProps {
  readonly before: Draft;
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  /** The server's error for a field. */
  readonly problemOf: (field: string) => string | null;
}

interface ProfileProps extends SectionProps {
  readonly isOwner: boolean;
  readonly isGuest: boolean;
}

/** Name, role and groups. */
export function Profile({ before, draft, set, problemOf, isOwner, isGuest }: ProfileProps) {
  const roles = useControl('roles.list', {});
  const groups = useControl('groups.list', { ownerId: null });
  const text = (name: 'name' | 'lastName' | 'email' | 'phone' | 'company' | 'website' | 'logoUrl') => (
    <TextInput
      label={<Marked isChanged={draft[name] !== before[name]}>{t(`people.user.fields.${name}`)}</Marked>}
      autoComplete="off"
      value={draft[name]}
      error={problemOf(name)}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <div className={styles.pair}>
        {text('name')}
        {text('lastName')}
      </div>
      {!isGuest && (
        <TextInput
          label={<Marked isChanged={draft.username !== before.username}>{t('people.user.fields.username')}</Marked>}
          autoComplete="off"
          spellCheck={false}
          value={draft.username}
          error={problemOf('newUsername') ?? problemOf('username')}
          onChange={(event) => set({ username: event.currentTarget.value })}
        />
      )}
      {text('email')}
      {!isGuest && (
        <>
          <Select
            label={<Marked isChanged={draft.roleId !== before.roleId}>{t('people.user.fields.role')}</Marked>}
            placeholder={t('people.add.noRole')}
            clearable
            disabled={isOwner}
            data={(roles.data?.roles ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={draft.roleId === null ? null : String(draft.roleId)}
            onChange={(picked) => set({ roleId: picked === null ? null : Number(picked) })}
          />
          <TagsInput
            label={
              <Marked isChanged={draft.groups.join() !== before.groups.join()}>{t('people.user.fields.groups')}</Marked>
            }
            data={(groups.data?.groups ?? []).map(({ name }) => name)}
            value={[...draft.groups]}
            error={problemOf('groups')}
            onChange={(picked) => set({ groups: picked })}
          />
        </>
      )}
      <div className={styles.pair}>
        {text('phone')}
        {text('company')}
      </div>
      {text('website')}
      {text('logoUrl')}
      <Textarea
        label={
          <Marked isChanged={draft.description !== before.description}>{t('people.user.fields.description')}</Marked>
        }
        autosize
        minRows={2}
        maxRows={8}
        value={draft.description}
        error={problemOf('description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <SwitchRow
        label={t('people.user.fields.notify')}
        help={t('people.user.fields.notifyHelp')}
        field="data[receive_notifications]"
        checked={draft.receiveNotifications}
        isChanged={draft.receiveNotifications !== before.receiveNotifications}
        onChange={(receiveNotifications) => set({ receiveNotifications })}
      />
    </>
  );
}

interface SignInProps extends SectionProps {
  readonly account: Account;
  readonly isOwner: boolean;
}

/** Sign-in settings, and present sessions. */
export function SignIn({ before, draft, set, problemOf, account, isOwner }: SignInProps) {
  const [isSetting, setSetting] = useState(false);
  const isLocked = account.deactivatedReason === 'wrong_passwords';
  return (
    <>
      <SwitchRow
        label={t('people.user.fields.activated')}
        help={isLocked && !draft.activated ? t('people.user.fields.lockedHelp') : t('people.user.fields.activatedHelp')}
        field="data[activated]"
        checked={draft.activated}
        isChanged={draft.activated !== before.activated}
        disabled={isOwner}
        onChange={(activated) => set({ activated })}
      />
      <TextInput
        type="datetime-local"
        label={<Marked isChanged={draft.expires !== before.expires}>{t('people.user.fields.expires')}</Marked>}
        description={t('people.user.fields.expiresHelp')}
        disabled={isOwner}
        value={draft.expires}
        error={problemOf('expirationDate')}
        onChange={(event) => set({ expires: event.currentTarget.value })}
      />
      {account.type !== 'guest' && (
        <>
          <div className={styles.line}>
            <div>
              <strong>{t('people.user.password')}</strong>
              <p className={styles.help}>
                {account.hasPassword ? t('people.user.passwordSet') : t('people.user.passwordNone')}
              </p>
            </div>
            <Button variant="default" size="xs" onClick={() => setSetting(true)}>
              {t('people.user.newPassword')}
            </Button>
          </div>
          <SwitchRow
            label={t('people.user.fields.mustChange')}
            help={t('people.user.fields.mustChangeHelp')}
            field="data[require_password_change]"
            checked={draft.requirePasswordChange}
            isChanged={draft.requirePasswordChange !== before.requirePasswordChange}
            onChange={(requirePasswordChange) => set({ requirePasswordChange })}
          />
          <SwitchRow
            label={t('people.user.fields.twoStep')}
            help={t('people.user.fields.twoStepHelp')}
            field="data[two_step_enabled]"
            checked={draft.twoStepEnabled}
            isChanged={draft.twoStepEnabled !== before.twoStepEnabled}
            onChange={(twoStepEnabled) => set({ twoStepEnabled })}
          />
        </>
      )}
      <SignedIn accountId={account.id} />
      {account.type !== 'guest' && <AppPasswords accountId={account.id} />}
      {isSetting && <NewPassword person={account} onClose={() => setSetting(false)} />}
    </>
  );
}
