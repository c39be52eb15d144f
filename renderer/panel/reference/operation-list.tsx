import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useKey } from '../../control/keys.ts';
import { addressOf } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import type { Operation } from './description.ts';
import styles from './reference.module.css';

const AREAS: Readonly<Record<string, 'account' | 'adminUsers' | 'files'>> = {
  ...{ account: 'account', 'admin-users': 'adminUsers', files: 'files' },
};

function nameOf(area: string): string {
  const known = AREAS[area];
  return known === undefined ? area : t(`reference.areas.${known}`);
}

interface OperationListProps {
  readonly operations: readonly Operation[];
  readonly chosen: string | null;
}

/** All operations by area, filtered while typing. */
export function OperationList({ operations, chosen }: OperationListProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus(), { what: t('keys.actions.search') });
  const found = useMemo(() => operations.filter((one) => isFound(one, text)), [operations, text]);
  const areas = [...new Set(found.map(({ area }) => area))];
  return (
    <div className={styles.list}>
      <TextInput
        ref={field}
        type="search"
        aria-label={t('reference.search')}
        placeholder={t('reference.search')}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
        }}
      />
      <p className={styles.count} role="status">
        {found.length === operations.length
          ? t('reference.count', { all: operations.length })
          : t('reference.found', { shown: found.length, all: operations.length })}
      </p>
      {found.length === 0 && (
        <div>
          <strong>{t('reference.none', { text })}</strong>
          <p className={styles.help}>{t('reference.noneHelp')}</p>
        </div>
      )}
      <nav aria-label={t('reference.list')}>
        {areas.map((area) => (
          <div key={area} className={styles.area}>
            <h2>{nameOf(area)}</h2>
            <ul>
              {found
                .filter((one) => one.area === area)
                .map(({ key, path, summary }) => (
                  <li key={key}>
                    <a
                      href={addressOf('reference', { search: { operation: key } })}
                      {...(key === chosen ? { 'aria-current': 'page' as const } : {})}
                    >
                      <code>{path}</code>
                      <span>{summary.replaceAll('`', '')}</span>
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}

function isFound({ path, summary, about, callForms }: Operation, text: string): boolean {
  const parameters = callForms.flatMap((callForm) => callForm.parameters.flatMap((one) => [one.name, one.about]));
  const all = [path, summary, about, ...parameters].join('\n').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
