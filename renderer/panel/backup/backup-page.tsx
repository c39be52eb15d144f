import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { backupTexts } from '../../texts/backup.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';

interface BackupPageProps {
  /** The one primary action, on the right. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** What the pages of backups have in common. */
export function BackupPage({ action, children }: BackupPageProps) {
  const list = useControl('backup.list', {});
  const { tabs } = backupTexts;
  return (
    <>
      <PageHead title={backupTexts.title} lead={backupTexts.lead} actions={action} />
      <Tabs
        label={tabs.label}
        tabs={[
          { route: 'backups', name: tabs.backups, count: list.data?.backups.length },
          { route: 'backupSettings', name: tabs.settings },
        ]}
      />
      {children}
    </>
  );
}
