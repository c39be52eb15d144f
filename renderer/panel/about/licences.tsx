import { Anchor, Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';
import { useKey } from '../../control/keys.ts';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import form from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import table from '../../parts/table.module.css';
import { aboutTexts } from '../../texts/about.ts';
import { keyTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import styles from './about.module.css';

const words = aboutTexts.licences;

type Package = Output<'about.get'>['packages'][number];

/** Whose work is in Larder, and under which licence. */
export function Licences({ packages }: { readonly packages: readonly Package[] }) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState<Package | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus(), { what: keyTexts.list.keys.search });
  const found = useMemo(() => packages.filter((one) => isFound(one, text)), [packages, text]);
  return (
    <Section title={words.title} aside={<span role="status">{words.count(found.length, packages.length)}</span>}>
      <p className={styles.help}>{words.lead}</p>
      <TextInput
        ref={field}
        type="search"
        className={styles.search ?? ''}
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
        }}
      />
      {found.length === 0 ? <strong>{words.none(text)}</strong> : <List packages={found} onOpen={setShown} />}
      {shown !== null && <Licence of={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

interface ListProps {
  readonly packages: readonly Package[];
  readonly onOpen: (one: Package) => void;
}

function List({ packages, onOpen }: ListProps) {
  const { columns, parts } = words;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too
    <section className={styles.packages} aria-label={words.list} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.version}</th>
            <th scope="col">{columns.licence}</th>
            <th scope="col" className={table.wide}>
              {columns.part}
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
                  aria-label={words.open(one.name)}
                  onClick={() => onOpen(one)}
                >
                  {one.name}
                </Anchor>
              </th>
              <td className={styles.version}>{one.version}</td>
              <td>{one.licence}</td>
              <td className={table.wide}>{parts[one.part]}</td>
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
    <Dialog title={words.dialog(name, version)} onClose={onClose} width={680}>
      <div className={form.form}>
        <p>{words.under(licence)}</p>
        <RefusalNote error={read.error} />
        {text === undefined && read.error === null && <Skeletons widths={[400, 380, 420]} />}
        {text === '' && <p className={styles.help}>{words.noText}</p>}
        {text !== undefined && text !== '' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too
          <section className={styles.text} aria-label={words.open(name)} tabIndex={0}>
            {text}
          </section>
        )}
        <div className={form.buttons}>
          {text !== undefined && text !== '' && <CopyButton text={text.slice(0, 10_000)} />}
          <Button data-autofocus onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function isFound({ name, licence }: Package, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || licence.toLowerCase().includes(wanted);
}
