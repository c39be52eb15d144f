// Where new photos are stored: a folder of the own files, remembered by this browser.

import { t } from 'virtual:messages/photo-backup';
import { make, setText } from '../lib/dom.ts';
import { keep, kept } from './stored-progress.ts';

interface FolderChoice {
  readonly element: HTMLElement;
  /** Its path. */
  path(): string;
  /** For people. */
  name(): string;
}

/** Names between slashes, without those that mean another folder. */
const namesIn = (text: string): string[] =>
  text
    .split('/')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '.' && name !== '..');

/** @param home the path of the own files @param usual the path of the usual folder */
export function folderChoice(home: string, usual: string): FolderChoice {
  const usualNames = namesIn(usual.slice(home.length));
  const chosen = kept().folder;
  let names = chosen === null ? usualNames : namesIn(chosen);
  if (names.length === 0) names = usualNames;

  const shown = make('strong', {});
  const input = make('input', { id: 'backup-folder', autocomplete: 'off', required: true });
  const change = make('button', { type: 'button', class: 'plain', click: () => open() }, t('photoBackup.change'));
  const line = make('div', { class: 'target' }, make('p', {}, `${t('photoBackup.target')} `, shown), change);
  const form = make(
    'form',
    { class: 'target', hidden: true, submit: (event) => save(event) },
    make('div', { class: 'field' }, make('label', { for: 'backup-folder' }, t('photoBackup.changeFolder')), input),
    make('button', { type: 'submit' }, t('photoBackup.save')),
  );
  const name = () => names.join(' / ');
  setText(shown, name());

  function open(): void {
    input.value = names.join('/');
    [line.hidden, form.hidden] = [true, false];
    input.focus();
  }

  function save(event: Event): void {
    event.preventDefault();
    const entered = namesIn(input.value);
    names = entered.length === 0 ? usualNames : entered;
    keep({ folder: names.join('/') === usualNames.join('/') ? null : names.join('/') });
    setText(shown, name());
    [line.hidden, form.hidden] = [false, true];
    change.focus();
  }

  return { element: make('div', {}, line, form), path: () => [home, ...names].join('/'), name };
}
