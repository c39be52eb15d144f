import { NumberInput, TagsInput, TextInput } from '@mantine/core';
import { createContext, type FormEvent, type ReactNode, useContext, useState } from 'react';
import type { Input, MethodName, Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ChangedDot } from '../../parts/forms/changed-dot.tsx';
import styles from '../../parts/forms/form.module.css';
import { SaveBar } from '../../parts/forms/save-bar.tsx';
import { SwitchRow } from '../../parts/forms/switch-row.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { Refusal } from '../../transport/transport.ts';

type Settings = Output<'settings.get'>;
type Changes = Input<'settings.update'>;
type SettingName = keyof Changes;
type NameOf<Value> = { [Name in keyof Settings]: Settings[Name] extends Value ? Name : never }[keyof Settings] &
  SettingName;

interface FormContextValue {
  readonly values: Settings & Pick<Changes, 'smtpPassword'>;
  readonly set: (changes: Changes) => void;
  readonly isChanged: (name: SettingName) => boolean;
  readonly problemOf: (name: SettingName) => string | null;
}

const FormContext = createContext<FormContextValue | null>(null);

export function useSettings(): FormContextValue {
  const around = useContext(FormContext);
  if (around === null) throw new Error('There is no SettingsForm around this.');
  return around;
}

interface SettingsFormProps {
  /** The settings it shows: the server's errors for them are shown at their fields. */
  readonly names: readonly SettingName[];
  /** Other queries to refetch after saving. */
  readonly stale?: readonly MethodName[];
  readonly children: ReactNode;
}

/** Some of the settings, saved together; after an error the input stays. */
export function SettingsForm({ names, stale = [], children }: SettingsFormProps) {
  const saved = useControl('settings.get', {});
  if (saved.data === undefined) {
    if (saved.error === null) return <Skeletons widths={[500, 460, 480]} />;
    return (
      <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => saved.refetch() }}>
        {t('common.unread')} {reasonOf(saved.error)}
      </Note>
    );
  }
  return (
    <Form saved={saved.data} names={names} stale={stale}>
      {children}
    </Form>
  );
}

function Form({ saved, names, stale = [], children }: SettingsFormProps & { readonly saved: Settings }) {
  const [changes, setChanges] = useState<Changes>({});
  const update = useControlChange('settings.update', ['settings.get', 'status', 'activity.list', ...stale]);
  const failure = update.error instanceof Refusal ? update.error.failure : null;
  // The error for a list includes the index.
  const field = failure?.field?.split('.')[0];
  // Write-only settings count as changed as soon as there is input.
  const isChanged = (name: SettingName) =>
    changes[name] !== undefined &&
    (!(name in saved) || JSON.stringify(changes[name]) !== JSON.stringify(saved[name as keyof Settings]));
  const changed = (Object.keys(changes) as SettingName[]).filter(isChanged);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (update.isPending || changed.length === 0) return;
    const given: Changes = Object.fromEntries(changed.map((name) => [name, changes[name]]));
    // Input during the request is not saved yet.
    const later = ([name, value]: [string, unknown]) => value !== given[name as SettingName];
    const onSuccess = () => setChanges((now) => Object.fromEntries(Object.entries(now).filter(later)));
    update.mutate(given, { onSuccess });
  }

  return (
    <FormContext
      value={{
        values: { ...saved, ...definedOf(changes) },
        set: (more) => setChanges((others) => ({ ...others, ...more })),
        isChanged,
        problemOf: (name) => (field === name && failure !== null ? failure.error : null),
      }}
    >
      <form className={styles.page} onSubmit={submit} noValidate>
        <div className={styles.narrow}>
          {!names.some((name) => name === field) && <RefusalNote error={update.error} />}
          {children}
        </div>
        <SaveBar
          changes={changed.length}
          effect={t('saveBar.atOnce')}
          isBusy={update.isPending}
          onDiscard={() => {
            setChanges({});
            update.reset();
          }}
        />
      </form>
    </FormContext>
  );
}

/** The contract's optional properties may be undefined by type, but are not here. */
function definedOf(changes: Changes): Partial<Settings> & Pick<Changes, 'smtpPassword'> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

interface FieldProps {
  readonly label: string;
  readonly help: string;
}

export function SettingSwitch({ name, label, help }: FieldProps & { readonly name: NameOf<boolean> }) {
  const { values, set, isChanged, problemOf } = useSettings();
  return (
    <SwitchRow
      label={label}
      help={help}
      checked={values[name]}
      isChanged={isChanged(name)}
      error={problemOf(name)}
      onChange={(checked) => set({ [name]: checked })}
    />
  );
}

interface NumberProps extends FieldProps {
  readonly name: NameOf<number>;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}

export function SettingNumber({ name, label, help, unit, min, max }: NumberProps) {
  const { values, set, isChanged, problemOf } = useSettings();
  return (
    <NumberInput
      label={<Label isChanged={isChanged(name)}>{label}</Label>}
      description={help}
      className={styles.short ?? ''}
      min={min}
      max={max}
      allowDecimal={false}
      hideControls
      rightSection={<span className={styles.inside}>{unit}</span>}
      rightSectionWidth={24 + unit.length * 8}
      value={values[name]}
      error={problemOf(name)}
      onChange={(value) => {
        // While typing, the field may be empty or incomplete.
        if (typeof value === 'number') set({ [name]: value });
      }}
    />
  );
}

interface TextProps extends FieldProps {
  readonly name: NameOf<string>;
  readonly inputMode?: 'url' | 'email' | 'text';
}

export function SettingText({ name, label, help, inputMode = 'text' }: TextProps) {
  const { values, set, isChanged, problemOf } = useSettings();
  return (
    <TextInput
      label={<Label isChanged={isChanged(name)}>{label}</Label>}
      description={help}
      inputMode={inputMode}
      autoComplete="off"
      spellCheck={false}
      value={values[name]}
      error={problemOf(name)}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}

/** Several short texts: Enter or a comma ends each. */
export function SettingList({ name, label, help }: FieldProps & { readonly name: NameOf<string[]> }) {
  const { values, set, isChanged, problemOf } = useSettings();
  return (
    <TagsInput
      label={<Label isChanged={isChanged(name)}>{label}</Label>}
      description={help}
      acceptValueOnBlur
      value={[...values[name]]}
      error={problemOf(name)}
      onChange={(list) => set({ [name]: list })}
    />
  );
}

export function Label({ isChanged, children }: { readonly isChanged: boolean; readonly children: ReactNode }) {
  return (
    <>
      {children}
      {isChanged && <ChangedDot />}
    </>
  );
}

/** A group of settings, with a heading. */
export function SettingGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
