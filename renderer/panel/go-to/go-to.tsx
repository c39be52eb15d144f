import { Modal, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../messages/messages.ts';
import { useReturnFocus } from '../../parts/dialogs/use-return-focus.ts';
import styles from './go-to.module.css';
import type { Goal } from './use-highlight.ts';
import { type MainPage, type Target, type TargetGroup, useTargets } from './use-targets.ts';

interface GoToProps {
  readonly pages: readonly MainPage[];
  readonly onClose: () => void;
  readonly onKeys: () => void;
  /** Called with the chosen setting, or null for a target that is a page. */
  readonly onGoal: (goal: Goal | null) => void;
}

/** Finds pages, people, apps and settings by name: a combobox whose list is always open (ARIA APG, combobox). */
export function GoTo({ pages, onClose, onKeys, onGoal }: GoToProps) {
  useReturnFocus();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = useTargets(text, pages);
  const all = groups.flatMap(({ targets }) => targets);
  const current = all.find(({ key }) => key === chosen) ?? all[0];
  const id = useId();
  const idOf = (target: Target) => `${id}-${all.indexOf(target)}`;

  function open(target: Target): void {
    onClose();
    onGoal(target.goal ?? null);
    if (target.address === null) onKeys();
    else location.hash = target.address;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || current === undefined) return;
    const at = all.indexOf(current);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    // In text, these keys move the cursor.
    const isInText = (event.key === 'Home' || event.key === 'End') && text !== '';
    if (next !== undefined && !isInText) {
      event.preventDefault();
      setChosen(all.at(next % all.length)?.key ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(current);
    }
  }

  return (
    <Modal.Root opened onClose={onClose} size={560} centered={false} yOffset="12dvh">
      <Modal.Overlay />
      <Modal.Content aria-label={t('goTo.open')}>
        <Modal.Body className={styles.body ?? ''}>
          <TextInput
            // Focused at once instead of by the dialog, so that text typed right after Ctrl K arrives here.
            ref={focus}
            data-autofocus
            role="combobox"
            aria-label={t('goTo.label')}
            aria-expanded={all.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            {...(current === undefined ? {} : { 'aria-activedescendant': idOf(current) })}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('goTo.label')}
            leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setChosen(null);
            }}
            onKeyDown={onKeyDown}
          />
          <p role="status" className={styles.unseen}>
            {text === '' ? '' : t('goTo.found', { count: all.length })}
          </p>
          <div role="listbox" id={`${id}-list`} aria-label={t('goTo.open')} className={styles.list} tabIndex={-1}>
            {groups.map((group) => (
              <Group key={group.name} group={group} current={current} idOf={idOf} onOpen={open} />
            ))}
          </div>
          {all.length === 0 && (
            <div className={styles.none}>
              <strong>{t('goTo.none')}</strong>
              <p>{t('goTo.noneHelp')}</p>
            </div>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function focus(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
}

interface GroupProps {
  readonly group: TargetGroup;
  readonly current: Target | undefined;
  readonly idOf: (target: Target) => string;
  readonly onOpen: (target: Target) => void;
}

function Group({ group: { name, targets }, current, idOf, onOpen }: GroupProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.group}>
        {name}
      </div>
      {targets.map((target) => (
        <Option
          key={target.key}
          id={idOf(target)}
          target={target}
          isCurrent={target === current}
          onOpen={() => onOpen(target)}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly target: Target;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
}

function Option({ id, target: { name, help }, isCurrent, onOpen }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) void option.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    // The focus stays in the field, which handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={styles.option}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className={styles.name}>{name}</span>
      {help !== '' && help !== name && <span className={styles.help}>{help}</span>}
    </div>
  );
}
