import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { Note, reasonOf } from './note.tsx';
import { Skeletons } from './skeletons.tsx';
import styles from './table.module.css';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Of the skeletons shown meanwhile, in pixels. */
  readonly widths: readonly number[];
  readonly children: (data: Data) => ReactNode;
}

/** Renders the data of a query once it is loaded. After an error, a message is shown, and earlier data stays. */
export function Loaded<Data>({ query, widths, children }: LoadedProps<Data>) {
  const { data, error } = query;
  return (
    <>
      {error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => query.refetch() }}>
          {t('common.unread')} {reasonOf(error)}
        </Note>
      )}
      {data === undefined ? error === null && <Skeletons widths={widths} /> : children(data)}
    </>
  );
}

/** Replaces an empty list. */
export function Empty({ title, help }: { readonly title: string; readonly help: string }) {
  return (
    <div>
      <strong>{title}</strong>
      <p className={styles.help}>{help}</p>
    </div>
  );
}
