/** What *Go to* and the list of keys say. */
export const keyTexts = {
  goTo: {
    word: 'Go to',
    label: 'Go to a page, a person, an app or a setting',
    groups: { pages: 'Pages', people: 'People', apps: 'Apps', settings: 'Settings', more: 'More' },
    found: (count: number) => (count === 1 ? 'One result' : `${count} results`),
    none: 'Nothing by that name',
    noneHelp: 'Pages, people, apps and settings are found by their names.',
    on: (page: string, area: string) => (page === area ? page : `${area} · ${page}`),
    keys: 'Keys',
    /** A label as a name. */
    plain: (label: string) => label.replace(/ \(optional\)$/, ''),
  },
  list: {
    title: 'Keys',
    switch: 'Single letters',
    switchHelp: 'Off, only keys with Ctrl or ⌘ do something. This browser remembers it.',
    done: 'Done',
    mac: '⌘',
    other: 'Ctrl',
    keys: {
      goTo: 'go to: pages, people, apps, settings',
      list: 'this list',
      search: 'search of the page',
      add: 'add',
      save: 'save changes',
      move: 'move in lists, menus and tabs',
      open: 'open',
      close: 'close, clear',
    },
    fixed: { move: '↑ ↓', open: 'Enter', close: 'Escape' },
  },
} as const;
