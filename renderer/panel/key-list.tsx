import { Button } from '@mantine/core';
import { useKeyList, useLetterKeys } from '../control/keys.ts';
import { t } from '../messages/messages.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import form from '../parts/forms/form.module.css';
import { SwitchRow } from '../parts/forms/switch-row.tsx';
import { KeyCap } from '../parts/key-cap.tsx';
import styles from './key-list.module.css';

/** The shortcuts of this page, and the switch for single letters. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const keys = useKeyList();
  const [areLettersOn, switchLetters] = useLetterKeys();
  const rows = [
    ...keys,
    { key: t('keys.fixed.move'), what: t('keys.actions.move') },
    { key: t('keys.fixed.open'), what: t('keys.actions.open') },
    { key: t('keys.fixed.close'), what: t('keys.actions.close') },
  ];
  return (
    <Dialog title={t('keys.title')} onClose={onClose} width={480}>
      <div className={form.form}>
        <dl className={styles.keys}>
          {rows.map(({ key, what }) => (
            <div key={key}>
              <dt>
                <KeyCap of={key} />
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <SwitchRow
          label={t('keys.letters')}
          help={t('keys.lettersHelp')}
          checked={areLettersOn}
          onChange={switchLetters}
        />
        <div className={form.buttons}>
          <Button data-autofocus onClick={onClose}>
            {t('keys.done')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
