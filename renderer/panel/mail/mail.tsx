import { Button, PasswordInput, Select } from '@mantine/core';
import styles from '../../parts/forms/form.module.css';
import { mailTexts as words } from '../../texts/settings.ts';
import { PageHead } from '../page-head.tsx';
import {
  Label,
  SettingGroup,
  SettingNumber,
  SettingsForm,
  SettingText,
  useSettings,
} from '../settings/settings-form.tsx';
import { TestMail } from './test-mail.tsx';

const { server } = words;

/** The owner's server for mail, and whether it works. */
export function Mail() {
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <SettingsForm names={['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUsername', 'smtpPassword', 'mailFrom']}>
        <SettingGroup title={server.title}>
          <SettingText name="smtpHost" label={server.host} help={server.hostHelp} inputMode="url" />
          <Security />
          <SettingNumber name="smtpPort" label={server.port} help="" unit="" min={1} max={65_535} />
          <SettingText name="smtpUsername" label={server.username} help={server.usernameHelp} />
          <Password />
          <SettingText name="mailFrom" label={server.from} help={server.fromHelp} inputMode="email" />
        </SettingGroup>
        <TestMail />
      </SettingsForm>
    </>
  );
}

/** The usual port comes with it, unless it is another one already. */
function Security() {
  const { values, set, isChanged, problemOf } = useSettings();
  const ports = { tls: 465, starttls: 587, none: 25 } as const;
  return (
    <Select
      label={<Label isChanged={isChanged('smtpSecurity')}>{server.security}</Label>}
      allowDeselect={false}
      data={Object.entries(server.securities).map(([value, label]) => ({ value, label }))}
      value={values.smtpSecurity}
      error={problemOf('smtpSecurity')}
      onChange={(picked) => {
        if (picked !== 'tls' && picked !== 'starttls' && picked !== 'none') return;
        const isUsual = values.smtpPort === ports[values.smtpSecurity];
        set({ smtpSecurity: picked, ...(isUsual ? { smtpPort: ports[picked] } : {}) });
      }}
    />
  );
}

/** It is never told again: an empty field keeps it. */
function Password() {
  const { values, set, isChanged, problemOf } = useSettings();
  return (
    <div className={styles.beside}>
      <PasswordInput
        label={<Label isChanged={isChanged('smtpPassword')}>{server.password}</Label>}
        description={values.smtpPasswordSet ? server.passwordKept : server.passwordHelp}
        autoComplete="new-password"
        value={values.smtpPassword ?? ''}
        error={problemOf('smtpPassword')}
        onChange={(event) => set({ smtpPassword: event.currentTarget.value || undefined })}
      />
      {values.smtpPasswordSet && values.smtpPassword === undefined && <Forget />}
    </div>
  );
}

function Forget() {
  const { set } = useSettings();
  return (
    <Button variant="default" onClick={() => set({ smtpPassword: '', smtpUsername: '' })}>
      {server.forget}
    </Button>
  );
}
