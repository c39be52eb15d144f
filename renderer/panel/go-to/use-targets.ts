import { useDebouncedValue } from '@mantine/hooks';
import { useControl } from '../../control/control.tsx';
import { addressOf, type Route } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import { type NamedPlace, SETTINGS, TABS } from './places.ts';
import type { Goal } from './use-highlight.ts';

/** A page of the sidebar. */
export interface MainPage extends NamedPlace {
  readonly tabs: readonly Route[];
}

/** A target of *Go to*. */
export interface Target {
  readonly key: string;
  readonly name: string;
  /** Its page, or the person's user name. */
  readonly help: string;
  /** Null for the list of shortcuts. */
  readonly address: string | null;
  /** For a setting: its position on the page. */
  readonly goal?: Goal;
}

export interface TargetGroup {
  readonly name: string;
  readonly targets: readonly Target[];
}

/** Most targets of one kind. */
const MOST = 6;

/** The matching targets, by kind; all pages without a query. */
export function useTargets(typed: string, pages: readonly MainPage[]): readonly TargetGroup[] {
  const text = typed.trim();
  const [calm] = useDebouncedValue(text.slice(0, 200), 150);
  const people = useControl('accounts.list', { text: calm, limit: MOST }).data?.accounts ?? [];
  const clients = useControl('clients.list', {}).data?.clients ?? [];
  const areaOf = (route: Route) => pages.find(({ tabs }) => tabs.includes(route))?.name;

  const place = (one: NamedPlace, help: string): Target => ({
    key: `${one.route} ${one.name}`,
    name: plain(one.name),
    help,
    address: addressOf(one.route),
  });
  const inArea = (one: NamedPlace) => {
    const area = areaOf(one.route);
    return area === undefined ? [] : [place(one, area)];
  };
  const tabs = TABS.flatMap(inArea);
  const groups = [
    { name: t('goTo.groups.pages'), targets: [...pages.map((page) => place(page, '')), ...tabs] },
    { name: t('goTo.groups.settings'), targets: SETTINGS.flatMap((one) => settingIn(one, inArea)) },
    {
      name: t('goTo.groups.apps'),
      targets: clients.map(({ clientId, name }) => ({
        ...{ key: `client ${clientId}`, name, help: clientId, address: addressOf('clients') },
      })),
    },
    { name: t('goTo.groups.more'), targets: [{ key: 'keys', name: t('goTo.keys'), help: '', address: null }] },
  ].map(({ name, targets }) => ({ name, targets: fitting(targets, text) }));
  const found: TargetGroup = {
    name: t('goTo.groups.people'),
    targets: people.map(({ id, username, name }) => ({
      ...{ key: `person ${id}`, name, help: username, address: addressOf('user', { id }) },
    })),
  };
  if (text === '') return groups.slice(0, 1);
  const [first, ...others] = groups;
  // Results of the server for the previous text would be misleading.
  const persons = calm === text ? [found] : [];
  return [...(first === undefined ? [] : [first]), ...persons, ...others].filter(({ targets }) => targets.length > 0);
}

/** A label as a name. */
function plain(label: string): string {
  const optional = ` ${t('common.optional')}`;
  return label.endsWith(optional) ? label.slice(0, -optional.length) : label;
}

/** With its page and tab. */
function settingIn(one: NamedPlace, inArea: (one: NamedPlace) => Target[]): Target[] {
  const tab = TABS.find(({ route }) => route === one.route)?.name;
  const goal = { route: one.route, label: one.name };
  return inArea(one).map((target) => ({
    ...target,
    help: tab === undefined || tab === target.help ? target.help : t('goTo.on', { page: tab, area: target.help }),
    goal,
  }));
}

/** All words must match; targets that begin with the text come first. */
function fitting(targets: readonly Target[], text: string): Target[] {
  const requested = folded(text).split(/\s+/);
  return targets
    .filter(({ name, help }) => requested.every((word) => folded(`${name} ${help}`).includes(word)))
    .sort((a, b) => rank(a, text) - rank(b, text))
    .slice(0, text === '' ? targets.length : MOST);
}

function rank({ name }: Target, text: string): number {
  const at = folded(name).indexOf(folded(text));
  return at < 0 ? 2 : Math.min(at, 1);
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
