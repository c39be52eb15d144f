// The list of keyboard shortcuts, in a dialog.

import { t } from 'virtual:messages/files';
import { make } from '../lib/dom.ts';
import { showDialog } from './overlays/dialog.ts';

const ctrl = () => t('files.keys.ctrl');
const shift = () => t('files.keys.shift');

/** What keys do; each line has one or more combinations. */
const keys = (): readonly (readonly [does: string, ...combinations: readonly (readonly string[])[]])[] => [
  [t('files.keys.does.search'), ['/']],
  [t('files.keys.does.searchShown'), [ctrl(), 'F']],
  [t('files.actions.createFolder'), ['N']],
  [t('files.keys.does.help'), ['?']],
  [t('files.keys.does.move'), ['↑'], ['↓']],
  [t('files.actions.open'), [t('files.keys.enter')]],
  [t('files.keys.does.up'), [t('files.keys.alt'), '↑']],
  [t('files.actions.select'), [t('files.keys.space')]],
  [t('files.keys.does.selectAll'), [ctrl(), 'A']],
  [t('files.keys.does.selectRange'), [shift(), '↑'], [shift(), '↓']],
  [t('files.keys.does.clear'), ['Esc']],
  [t('files.actions.rename'), ['F2']],
  [t('files.actions.delete'), [t('files.keys.delete')]],
  [t('files.keys.does.type'), ['A'], ['Z']],
];

export function showKeys(): void {
  const lines = keys().flatMap(([does, ...combinations]) => [
    make('dt', {}, does),
    make('dd', {}, ...combinations.map((keys) => make('span', {}, ...keys.map((key) => make('kbd', {}, key))))),
  ]);
  const close = make('button', { type: 'button', class: 'primary' }, t('files.keys.close'));
  const dialog = showDialog(
    t('files.keys.heading'),
    make('dl', { class: 'keys' }, ...lines),
    make('div', { class: 'actions' }, close),
  );
  close.addEventListener('click', () => dialog.close());
  close.focus();
}
