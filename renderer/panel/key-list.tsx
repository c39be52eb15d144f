import { Button } from '@mantine/core';
import { useKeyList, useLetterKeys } from '../control/keys.ts';
import { Dialog } from '../parts/dialogs/dialog.tsx';
import form from '../parts/forms/form.module.css';
import { SwitchRow } from '../parts/forms/switch-row.tsx';
import { KeyCap } from '../parts/key-cap.tsx';
import { keyTexts } from '../texts/keys.ts';
import styles from './key-list.module.css';

const words = keyTexts.list;

/** What keys do on this page, and the switch for those that are letters. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const keys = useKeyList();
  const [areLettersOn, switchLetters] = useLetterKeys();
  const { move, open, close } = words.fixed;
  const rows = [
    ...keys,
    { key: move, what: words.keys.move },
    { key: open, what: words.keys.open },
    { key: close, what: words.keys.close },
  ];
  return (
    <Dialog title={words.title} onClose={onClose} width={480}>
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
        <SwitchRow label={words.switch} help={words.switchHelp} checked={areLettersOn} onChange={switchLetters} />
        <div className={form.buttons}>
          <Button data-autofocus onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
