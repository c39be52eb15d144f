import { Anchor, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { PasswordField } from '../parts/forms/password-field.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { type Credentials, Refusal, type SignInAccess } from '../transport/transport.ts';
import styles from './state-screen.module.css';
import { Buttons, Card, StateScreen } from './state-screen.tsx';

const NOTHING: Credentials = { username: '', password: '', otp: '' };

/** Sign-in from another device: name and password, then the code of two-step sign-in. */
export function SignIn({
  access,
  lead = t('panelSignIn.lead'),
  back = null,
}: {
  readonly access: SignInAccess;
  readonly lead?: string;
  /** The address of the start page, where nothing is lost by going there. */
  readonly back?: string | null;
}) {
  const [typed, setTyped] = useState(NOTHING);
  const [needsCode, setNeedsCode] = useState(false);
  const [usesRecovery, setUsesRecovery] = useState(false);
  const [missing, setMissing] = useState<keyof Credentials | null>(null);
  const signIn = useMutation({
    mutationFn: (credentials: Credentials) => access.signIn(credentials),
    // The input is not kept after it was sent.
    gcTime: 0,
    onSuccess: (result) => setNeedsCode(result.needsCode),
    onError: (error) => {
      if (isOfCode(error)) setTyped((others) => ({ ...others, otp: '' }));
      else if (error instanceof Refusal && !needsCode) setTyped((others) => ({ ...others, password: '' }));
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (signIn.isPending) return;
    const needed = ['username', 'password', ...(needsCode ? ['otp'] : [])] as (keyof Credentials)[];
    const empty = needed.find((field) => typed[field].trim() === '') ?? null;
    setMissing(empty);
    if (empty === null) signIn.mutate(typed);
  }

  const fieldOf = (field: keyof Credentials) => ({
    name: field,
    label: t(`panelSignIn.${field}`),
    value: typed[field],
    required: true,
    error: missing === field && typed[field].trim() === '' ? t(`panelSignIn.needed.${field}`) : null,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((others) => ({ ...others, [field]: value }));
    },
  });
  const problem = signIn.error;

  return (
    <StateScreen heading={t('panelSignIn.heading')} lead={lead}>
      <form className={`${styles.content} ${styles.short}`} onSubmit={submit} noValidate>
        {!isOfCode(problem) && <RefusalNote error={problem} />}
        <Card>
          <div className={styles.fields}>
            <TextInput
              {...fieldOf('username')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              readOnly={needsCode}
            />
            <PasswordField
              {...fieldOf('password')}
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': t('panelSignIn.show') }}
            />
            {needsCode && (
              <TextInput
                {...fieldOf('otp')}
                {...(isOfCode(problem) && typed.otp === '' ? { error: problem.message } : {})}
                {...(usesRecovery ? { label: t('panelSignIn.recovery') } : { description: t('panelSignIn.otpHelp') })}
                autoComplete={usesRecovery ? 'off' : 'one-time-code'}
                inputMode={usesRecovery ? 'text' : 'numeric'}
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
              />
            )}
            {needsCode && !usesRecovery && (
              <Anchor component="button" type="button" onClick={() => setUsesRecovery(true)}>
                {t('panelSignIn.useRecovery')}
              </Anchor>
            )}
          </div>
        </Card>
        <Buttons>
          <ActionButton isBusy={signIn.isPending}>{t('panelSignIn.submit')}</ActionButton>
          {back !== null && <Anchor href={back}>{t('panelSignIn.back')}</Anchor>}
        </Buttons>
      </form>
    </StateScreen>
  );
}

function isOfCode(error: Error | null): error is Refusal {
  return error instanceof Refusal && error.failure.field === 'otp';
}
