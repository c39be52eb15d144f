import type { ReactNode } from 'react';
import { useControl } from '../../control/control.tsx';
import { peopleTexts } from '../../texts/people.ts';
import { PageHead } from '../page-head.tsx';
import { Tabs } from '../tabs.tsx';
import { useCount } from './use-accounts.ts';

interface PeoplePageProps {
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What the pages about people have in common: title and tabs, with how many are behind each. */
export function PeoplePage({ actions, children }: PeoplePageProps) {
  const { tabs } = peopleTexts;
  const groups = useControl('groups.list', {});
  const roles = useControl('roles.list', {});
  return (
    <>
      <PageHead title={peopleTexts.title} lead={peopleTexts.lead} actions={actions} isWide />
      <Tabs
        label={tabs.label}
        tabs={[
          { route: 'users', name: tabs.users, count: useCount({ kind: 'people' }) },
          { route: 'groups', name: tabs.groups, count: groups.data?.groups.length },
          { route: 'roles', name: tabs.roles, count: roles.data?.roles.length },
          { route: 'guests', name: tabs.guests, count: useCount({ kind: 'guests' }) },
          { route: 'administrators', name: tabs.administrators, count: useCount({ state: 'administrators' }) },
        ]}
      />
      {children}
    </>
  );
}
