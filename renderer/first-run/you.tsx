import { Button, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useDesktop } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import { PasswordField } from '../parts/forms/password-field.tsx';
import { SwitchRow } from '../parts/forms/switch-row.tsx';
import styles from './step-form.module.css';
import { StepForm, textFieldOf } from './step-form.tsx';
import type { FirstRun } from './use-first-run.ts';

/** First run: the owner's account. */
export function You({ firstRun }: { readonly firstRun: FirstRun }) {
  const { answers, answer, shown: problems } = firstRun;
  const desktop = useDesktop();
  const [isShown, setShown] = useState(false);

  const passwordOf = (field: 'password' | 'repeat') => ({
    ...textFieldOf(firstRun, field),
    required: true,
    // The library sets this for its other fields.
    'aria-invalid': problems[field] !== undefined,
    autoComplete: 'new-password',
    visible: isShown,
    onVisibilityChange: setShown,
    visibilityToggleIcon: Eye,
    visibilityToggleButtonProps: { 'aria-label': t('firstRun.you.show') },
  });

  return (
    <StepForm step="you" firstRun={firstRun} heading={t('firstRun.you.heading')} lead={t('firstRun.you.lead')}>
      <TextInput
        label={t('firstRun.you.name')}
        description={t('firstRun.you.nameHelp')}
        autoComplete="name"
        required
        {...textFieldOf(firstRun, 'name')}
      />
      <TextInput
        label={t('firstRun.you.username')}
        description={t('firstRun.you.usernameHelp')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...textFieldOf(firstRun, 'owner')}
      />
      <PasswordField
        label={t('firstRun.you.password')}
        description={t('firstRun.you.passwordHelp')}
        {...passwordOf('password')}
      />
      <PasswordField label={t('firstRun.you.repeat')} {...passwordOf('repeat')} />
      <SwitchRow
        label={t('firstRun.you.files')}
        help={t('firstRun.you.filesHelp')}
        checked={answers.hasFiles}
        // Clears the folder's error together with its field.
        onChange={(hasFiles) => answer({ hasFiles, homeFolder: answers.homeFolder })}
      />
      {answers.hasFiles && (
        <div className={styles.beside}>
          <TextInput
            label={t('firstRun.you.homeFolder')}
            description={t('firstRun.you.homeFolderHelp')}
            autoComplete="off"
            spellCheck={false}
            required
            {...textFieldOf(firstRun, 'homeFolder')}
          />
          {desktop !== null && (
            <Button
              variant="default"
              onClick={() =>
                void desktop.invoke('desktop.chooseFolder', {}).then((look) => {
                  if (look !== null) answer({ homeFolder: look.folder });
                })
              }
            >
              {t('firstRun.you.chooseFolder')}
            </Button>
          )}
        </div>
      )}
    </StepForm>
  );
}

function Eye({ reveal }: { readonly reveal: boolean }) {
  return reveal ? <IconEyeOff size={18} stroke={1.75} /> : <IconEye size={18} stroke={1.75} />;
}
