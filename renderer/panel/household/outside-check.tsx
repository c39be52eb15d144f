import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange, useTransport } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { Note, RefusalNote } from '../../parts/note.tsx';
import { useSettings } from '../settings/settings-form.tsx';
import styles from './outside-check.module.css';

/** Milliseconds after the last key until an address is checked. */
const AFTER = 600;

/** Calls the address that is typed from this server, and says what it found. */
export function OutsideCheck() {
  const { values } = useSettings();
  const saved = useControl('settings.get', {});
  const typed = values.baseUrl.trim();
  const [address] = useDebouncedValue(typed, AFTER);
  const confirm = useControlChange('settings.update', ['settings.get', 'activity.list']);
  const isSaved = saved.data?.baseUrl === typed;
  const isConfirmed = isSaved && saved.data?.baseUrlConfirmed === true;
  const check = useCheck(address, saved.data?.baseUrl === address);
  if (typed === '') return <p className={styles.help}>{t('household.outside.none')}</p>;
  const isCurrent = typed === address && !check.isFetching;
  const again = { word: t('household.outside.again'), run: () => check.refetch() };
  return (
    <div className={styles.check} role="status">
      {!isCurrent && <p className={styles.help}>{t('household.outside.checking')}</p>}
      {isCurrent && check.data !== undefined && <Found found={check.data} again={again} />}
      {isCurrent && check.data?.verdict !== 'reached' && isConfirmed && (
        <p className={styles.help}>{t('household.outside.confirmed')}</p>
      )}
      {isCurrent && isSaved && !isConfirmed && check.data !== undefined && check.data.verdict !== 'reached' && (
        <div className={styles.confirm}>
          <p className={styles.help}>{t('household.outside.confirmHelp')}</p>
          <Button
            variant="default"
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ baseUrlConfirmed: true })}
          >
            {t('household.outside.confirm')}
          </Button>
        </div>
      )}
      <RefusalNote error={confirm.error} />
    </div>
  );
}

/** @param isSaved whether it is the household's address: a successful check then confirms it */
function useCheck(address: string, isSaved: boolean) {
  const transport = useTransport();
  const queries = useQueryClient();
  const check = useQuery({
    queryKey: ['outside.check', { address, isSaved }],
    queryFn: () => transport.invoke('outside.check', { address }),
    // What is no address yet is said by the field.
    enabled: /^https:\/\/[^/]/.test(address),
    retry: false,
  });
  const isReached = check.data?.verdict === 'reached' && isSaved;
  useEffect(() => {
    if (isReached) void queries.invalidateQueries({ queryKey: ['settings.get'] });
  }, [isReached, queries]);
  return check;
}

interface FoundProps {
  readonly found: Output<'outside.check'>;
  readonly again: { readonly word: string; readonly run: () => unknown };
}

function Found({ found: { verdict, reason }, again }: FoundProps) {
  if (verdict === 'reached') {
    return (
      <p className={styles.good}>
        <IconCheck size={18} stroke={1.75} aria-hidden />
        {t('household.outside.reached')}
      </p>
    );
  }
  return (
    <Note tone="care" action={again}>
      {t(`household.outside.${verdict}`)}
      {reason !== '' && <span className={styles.reason}>{reason}</span>}
    </Note>
  );
}
