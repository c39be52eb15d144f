import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';
import { missingFrom } from './backup-fact.tsx';

interface BackupPageProps {
  /** The primary action, on the right. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the backup pages. */
export function BackupPage({ action, children }: BackupPageProps) {
  const list = useControl('backup.list', {});
  const state = useControl('backup.state', {});
  // What is not backed up comes before everything else.
  const lead =
    state.data === undefined ? '' : state.data.chosen ? missingFrom(state.data.contents) : t('backup.missing.unchosen');
  return (
    <>
      <PageHead title={t('backup.title')} lead={lead} actions={action} />
      <Tabs
        label={t('backup.tabs.label')}
        tabs={[
          { route: 'backups', name: t('backup.tabs.backups'), count: list.data?.backups.length },
          { route: 'backupSettings', name: t('backup.tabs.settings') },
        ]}
      />
      {children}
    </>
  );
}
