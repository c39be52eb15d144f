import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';
import { useCount } from './use-accounts.ts';

interface PeoplePageProps {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the people pages: title and tabs, with counts. */
export function PeoplePage({ actions, children }: PeoplePageProps) {
  const groups = useControl('groups.list', {});
  const roles = useControl('roles.list', {});
  return (
    <>
      <PageHead title={t('people.title')} lead={t('people.lead')} actions={actions} isWide />
      <Tabs
        label={t('people.tabs.label')}
        tabs={[
          { route: 'users', name: t('people.tabs.users'), count: useCount({ kind: 'people' }) },
          { route: 'groups', name: t('people.tabs.groups'), count: groups.data?.groups.length },
          { route: 'roles', name: t('people.tabs.roles'), count: roles.data?.roles.length },
          { route: 'guests', name: t('people.tabs.guests'), count: useCount({ kind: 'guests' }) },
          {
            route: 'administrators',
            name: t('people.tabs.administrators'),
            count: useCount({ state: 'administrators' }),
          },
        ]}
      />
      {children}
    </>
  );
}
