import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { useControl } from '../../control/control.tsx';
import { addressOf, usePlace } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import { CopyIcon } from '../../parts/buttons/copy-button.tsx';
import { Note, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { ApiPage } from '../api/api-page.tsx';
import { type Description, readDescription } from './description.ts';
import { OperationList } from './operation-list.tsx';
import { OperationView } from './operation-view.tsx';
import styles from './reference.module.css';
import { useApiAddress } from './use-api-address.ts';

/** The API reference: parameters and results of every operation, and a console to run it. */
export function Reference() {
  const described = useControl('api.description', {});
  return (
    <ApiPage>
      {described.error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => described.refetch() }}>
          {t('reference.reading')} {reasonOf(described.error)}
        </Note>
      )}
      {described.data === undefined ? (
        described.error === null && <Skeletons widths={[400, 440, 420]} />
      ) : (
        <Read document={described.data.document} />
      )}
    </ApiPage>
  );
}

function Read({ document }: { readonly document: unknown }) {
  const description = useMemo(() => readDescription(document), [document]);
  const chosen = usePlace().search.get('operation');
  const operation = description.operations.find(({ key }) => key === chosen);
  const beginning = useRef<HTMLDivElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    // An operation chosen far down in the list is shown from its beginning.
    if (chosen !== null) beginning.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div className={`${styles.reference} ${chosen === null ? '' : styles.isChosen}`}>
      <OperationList operations={description.operations} chosen={chosen} />
      <div className={styles.detail} ref={beginning}>
        {chosen !== null && (
          <Button
            component="a"
            href={addressOf('reference')}
            variant="default"
            size="xs"
            className={styles.back ?? ''}
            leftSection={<IconArrowLeft stroke={1.75} />}
          >
            {t('reference.back')}
          </Button>
        )}
        {operation !== undefined ? (
          <OperationView key={operation.key} operation={operation} description={description} />
        ) : (
          <Welcome description={description} isUnknown={chosen !== null} />
        )}
      </div>
    </div>
  );
}

interface WelcomeProps {
  readonly description: Description;
  readonly isUnknown: boolean;
}

function Welcome({ description: { apiPath }, isUnknown }: WelcomeProps) {
  const address = useApiAddress(apiPath);
  return (
    <div className={styles.welcome}>
      <div>
        <h2>{isUnknown ? t('reference.unknown') : t('reference.welcome')}</h2>
        <p className={styles.help}>{t('reference.welcomeHelp')}</p>
      </div>
      {address !== null && (
        <>
          <div>
            <h3>{t('reference.address')}</h3>
            <p className={styles.copied}>
              <code>{address}/</code>
              <CopyIcon text={`${address}/`} name={t('reference.copyAddress')} />
            </p>
            <p className={styles.help}>{t('reference.addressHelp')}</p>
          </div>
          <div>
            <h3>{t('reference.machine')}</h3>
            <p className={styles.copied}>
              <code>{address}/openapi.json</code>
              <CopyIcon text={`${address}/openapi.json`} name={t('reference.copyDescription')} />
            </p>
          </div>
        </>
      )}
    </div>
  );
}
