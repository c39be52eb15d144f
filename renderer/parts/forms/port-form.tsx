import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDesktopChange, useInWindow } from '../../control/desktop.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../buttons/action-button.tsx';
import { reasonOf } from '../note.tsx';
import styles from './port-form.module.css';

/** The HTTPS port on this computer. A change takes effect at once. */
export function PortForm() {
  const { state } = useInWindow();
  const [typed, setTyped] = useState(state.port === null ? '' : String(state.port));
  const [problem, setProblem] = useState<string | null>(null);
  const set = useDesktopChange('desktop.set');

  function submit(event: FormEvent): void {
    event.preventDefault();
    const port = typed.trim() === '' ? null : Number(typed);
    if (port !== null && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
      setProblem(t('port.wrong'));
      return;
    }
    set.mutate({ port }, { onError: (error) => setProblem(reasonOf(error)) });
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label={t('port.label')}
        description={t('port.help')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        inputMode="numeric"
        value={typed}
        error={problem}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <ActionButton variant="default" isBusy={set.isPending}>
        {t('port.use')}
      </ActionButton>
    </form>
  );
}
