import { Button, Select } from '@mantine/core';
import { t } from '../../messages/messages.ts';
import styles from '../../parts/forms/form.module.css';
import { PasswordField } from '../../parts/forms/password-field.tsx';
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

/** The owner's mail server, and its test. */
export function Mail() {
  return (
    <>
      <PageHead title={t('mail.title')} lead={t('mail.lead')} />
      <SettingsForm names={['smtpHost', 'smtpPort', 'smtpSecurity', 'smtpUsername', 'smtpPassword', 'mailFrom']}>
        <SettingGroup title={t('mail.server.title')}>
          <SettingText name="smtpHost" label={t('mail.server.host')} help={t('mail.server.hostHelp')} inputMode="url" />
          <Security />
          <SettingNumber name="smtpPort" label={t('mail.server.port')} help="" unit="" min={1} max={65_535} />
          <SettingText name="smtpUsername" label={t('mail.server.username')} help={t('mail.server.usernameHelp')} />
          <Password />
          <SettingText
            name="mailFrom"
            label={t('mail.server.from')}
            help={t('mail.server.fromHelp')}
            inputMode="email"
          />
        </SettingGroup>
        <TestMail />
      </SettingsForm>
    </>
  );
}

const SECURITIES = ['tls', 'starttls', 'none'] as const;

/** Sets the usual port, unless it was changed. */
function Security() {
  const { values, set, isChanged, problemOf } = useSettings();
  const ports = { tls: 465, starttls: 587, none: 25 } as const;
  return (
    <Select
      label={<Label isChanged={isChanged('smtpSecurity')}>{t('mail.server.security')}</Label>}
      allowDeselect={false}
      data={SECURITIES.map((value) => ({ value, label: t(`mail.server.securities.${value}`) }))}
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

/** It is never returned: an empty field keeps it. */
function Password() {
  const { values, set, isChanged, problemOf } = useSettings();
  return (
    <div className={styles.beside}>
      <PasswordField
        label={<Label isChanged={isChanged('smtpPassword')}>{t('mail.server.password')}</Label>}
        description={values.smtpPasswordSet ? t('mail.server.passwordKept') : t('mail.server.passwordHelp')}
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
      {t('mail.server.forget')}
    </Button>
  );
}
