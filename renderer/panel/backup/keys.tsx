import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import form from '../../parts/forms/form.module.css';
import { PasswordField } from '../../parts/forms/password-field.tsx';
import { Note, RefusalNote } from '../../parts/note.tsx';
import { Refusal } from '../../transport/transport.ts';
import styles from './keys.module.css';
import { strengthOf } from './strength.ts';

const STALE = ['backup.state', 'settings.get', 'activity.list'] as const;

/** Whether backups contain the keys, and their passphrase. It takes effect at once, and is never shown again. */
export function Keys({ isSet }: { readonly isSet: boolean }) {
  const [over, setOver] = useState<'choose' | 'leave-out' | null>(null);
  const close = () => setOver(null);
  return (
    <div className={styles.row}>
      <div>
        <strong>{isSet ? t('backup.passphrase.set') : t('backup.passphrase.unset')}</strong>
        <p>{isSet ? t('backup.passphrase.setHelp') : t('backup.passphrase.unsetHelp')}</p>
      </div>
      <div className={styles.buttons}>
        {isSet && (
          <Button variant="default" onClick={() => setOver('leave-out')}>
            {t('backup.passphrase.leaveOut')}
          </Button>
        )}
        <Button variant="default" onClick={() => setOver('choose')}>
          {isSet ? t('backup.passphrase.change') : t('backup.passphrase.choose')}
        </Button>
      </div>
      {over === 'choose' && <Choose onClose={close} />}
      {over === 'leave-out' && <LeaveOut onClose={close} />}
    </div>
  );
}

function Choose({ onClose }: { readonly onClose: () => void }) {
  const [first, setFirst] = useState('');
  const [again, setAgain] = useState('');
  const [isShown, setShown] = useState(false);
  const [problem, setProblem] = useState<{ field: 'first' | 'again'; text: string } | null>(null);
  const set = useControlChange('backup.setPassphrase', STALE);
  const say = useToast();
  const refusal = set.error instanceof Refusal && set.error.failure.field === 'passphrase' ? set.error : null;
  const strength = strengthOf(first);
  const problemOf = (field: 'first' | 'again') => (problem?.field === field ? problem.text : null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (set.isPending) return;
    if (strength === 'short') setProblem({ field: 'first', text: t('backup.passphrase.short') });
    else if (first !== again) setProblem({ field: 'again', text: t('backup.passphrase.differ') });
    if (strength === 'short' || first !== again) return;
    setProblem(null);
    set.mutate(
      { passphrase: first },
      {
        onSuccess: () => {
          say(t('backup.passphrase.done'));
          onClose();
        },
      },
    );
  }

  return (
    <Dialog title={t('backup.passphrase.dialogTitle')} onClose={onClose} keepsOpen>
      {/* HTML allows no nested forms: the dialog is elsewhere in the page, but its React events bubble. */}
      <form
        className={form.form}
        onSubmit={(event) => {
          event.stopPropagation();
          submit(event);
        }}
        noValidate
      >
        {refusal === null && <RefusalNote error={set.error} />}
        <PasswordField
          label={t('backup.passphrase.first')}
          description={t('backup.passphrase.firstHelp')}
          data-autofocus
          autoComplete="new-password"
          visible={isShown}
          onVisibilityChange={setShown}
          value={first}
          error={problemOf('first') ?? refusal?.message ?? null}
          onChange={(event) => {
            setFirst(event.currentTarget.value);
            setProblem(null);
          }}
        />
        {first !== '' && <Meter of={strength} />}
        <PasswordField
          label={t('backup.passphrase.again')}
          autoComplete="new-password"
          visible={isShown}
          onVisibilityChange={setShown}
          value={again}
          error={problemOf('again')}
          onChange={(event) => {
            setAgain(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <Note tone="care">{t('backup.passphrase.lost')}</Note>
        <div className={form.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('backup.passphrase.cancel')}
          </Button>
          <ActionButton isBusy={set.isPending}>{t('backup.passphrase.choose')}</ActionButton>
        </div>
      </form>
    </Dialog>
  );
}

const BARS = { short: 0, weak: 1, fair: 2, strong: 3 } as const;

function Meter({ of: strength }: { readonly of: keyof typeof BARS }) {
  const look = strength === 'short' ? '' : styles[strength];
  return (
    <p className={styles.strength} role="status">
      <span className={styles.track} aria-hidden>
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={bar <= BARS[strength] ? look : ''} />
        ))}
      </span>
      {t(`backup.passphrase.strength.${strength}`)}
    </p>
  );
}

function LeaveOut({ onClose }: { readonly onClose: () => void }) {
  const set = useControlChange('backup.setPassphrase', STALE);
  return (
    <Confirm
      title={t('backup.passphrase.confirm.title')}
      loss={t('backup.passphrase.confirm.loss')}
      label={t('backup.passphrase.confirm.do')}
      keep={t('backup.passphrase.confirm.keep')}
      change={set}
      onDo={() => set.mutate({ passphrase: null }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
