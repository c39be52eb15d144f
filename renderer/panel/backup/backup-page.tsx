import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

interface BackupPageProps {
  /** The primary action, on the right. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the backup pages. */
export function BackupPage({ action, children }: BackupPageProps) {
  const list = useControl('backup.list', {});
  return (
    <>
      <PageHead title={t('backup.title')} lead={t('backup.lead')} actions={action} />
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
