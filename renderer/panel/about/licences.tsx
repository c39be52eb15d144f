import { Anchor, Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';
import { useKey } from '../../control/keys.ts';
import { t } from '../../messages/messages.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import form from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import table from '../../parts/table.module.css';
import styles from './about.module.css';

type Package = Output<'about.get'>['packages'][number];

/** The packages in Larder, and their licences. */
export function Licences({ packages }: { readonly packages: readonly Package[] }) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Package | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus(), { what: t('keys.actions.search') });
  const found = useMemo(() => packages.filter((one) => isFound(one, text)), [packages, text]);
  return (
    <Section
      title={t('about.licences.title')}
      aside={
        <span role="status">
          {found.length === packages.length
            ? t('about.licences.count', { all: packages.length })
            : t('about.licences.found', { shown: found.length, all: packages.length })}
        </span>
      }
    >
      <p className={styles.help}>{t('about.licences.lead')}</p>
      <TextInput
        ref={field}
        type="search"
        className={styles.search ?? ''}
        aria-label={t('about.licences.search')}
        placeholder={t('about.licences.search')}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
        }}
      />
      {found.length === 0 ? (
        <strong>{t('about.licences.none', { text })}</strong>
      ) : (
        <List packages={found} onOpen={setShown} />
      )}
      {shown !== null && <Licence of={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

interface ListProps {
  readonly packages: readonly Package[];
  readonly onOpen: (one: Package) => void;
}

function List({ packages, onOpen }: ListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard
    <section className={styles.packages} aria-label={t('about.licences.list')} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('about.licences.columns.name')}</th>
            <th scope="col">{t('about.licences.columns.version')}</th>
            <th scope="col">{t('about.licences.columns.licence')}</th>
            <th scope="col" className={table.wide}>
              {t('about.licences.columns.part')}
            </th>
          </tr>
        </thead>
        <tbody>
          {packages.map((one) => (
            <tr key={`${one.part} ${one.name} ${one.version}`}>
              <th scope="row">
                <Anchor
                  component="button"
                  type="button"
                  className={styles.package ?? ''}
                  aria-label={t('about.licences.open', { name: one.name })}
                  onClick={() => onOpen(one)}
                >
                  {one.name}
                </Anchor>
              </th>
              <td className={styles.version}>{one.version}</td>
              <td>{one.licence}</td>
              <td className={table.wide}>{t(`about.licences.parts.${one.part}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Licence({ of, onClose }: { readonly of: Package; readonly onClose: () => void }) {
  const { name, version, licence, part } = of;
  const read = useControl('about.licence', { name, version, part });
  const text = read.data?.text;
  return (
    <Dialog title={t('about.licences.dialog', { name, version })} onClose={onClose} width={680}>
      <div className={form.form}>
        <p>{t('about.licences.under', { licence })}</p>
        <RefusalNote error={read.error} />
        {text === undefined && read.error === null && <Skeletons widths={[400, 380, 420]} />}
        {text === '' && <p className={styles.help}>{t('about.licences.noText')}</p>}
        {text !== undefined && text !== '' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard
          <section className={styles.text} aria-label={t('about.licences.open', { name })} tabIndex={0}>
            {text}
          </section>
        )}
        <div className={form.buttons}>
          {text !== undefined && text !== '' && <CopyButton text={text.slice(0, 10_000)} />}
          <Button data-autofocus onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function isFound({ name, licence }: Package, text: string): boolean {
  const requested = text.trim().toLowerCase();
  return name.toLowerCase().includes(requested) || licence.toLowerCase().includes(requested);
}
