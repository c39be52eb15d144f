import { NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Input, Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { ChangedDot } from '../../parts/changed-dot.tsx';
import styles from '../../parts/form.module.css';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { SwitchRow } from '../../parts/switch-row.tsx';
import { backupTexts } from '../../texts/backup.ts';
import { texts } from '../../texts/texts.ts';
import { Refusal } from '../../transport/transport.ts';
import type { BackupState } from './backup.ts';
import { BackupPage } from './backup-page.tsx';
import own from './backup-settings.module.css';
import { Keys } from './keys.tsx';

const words = backupTexts.settings;

const FIELDS = ['backupPlace', 'backupEvery', 'backupHour', 'backupFiles', 'backupHistory', 'backupKeep'] as const;

/** As it is typed: the number kept is a text until it is saved. */
type Choice = Omit<Pick<Output<'settings.get'>, (typeof FIELDS)[number]>, 'backupKeep'> & {
  readonly backupKeep: string;
};

/** Where backups go, what is in them, and when they are made. */
export function BackupSettings() {
  const settings = useControl('settings.get', {});
  const state = useControl('backup.state', {});
  const error = settings.error ?? state.error;
  const again = () => Promise.all([settings.refetch(), state.refetch()]);
  return (
    <BackupPage>
      {error !== null && (
        <Note tone="danger" action={{ word: texts.tryAgain, run: again }}>
          {backupTexts.failed} {reasonOf(error)}
        </Note>
      )}
      {settings.data === undefined || state.data === undefined ? (
        error === null && <Skeletons widths={[500, 460, 480, 440]} />
      ) : (
        <Form saved={{ ...settings.data, backupKeep: String(settings.data.backupKeep) }} state={state.data} />
      )}
    </BackupPage>
  );
}

function Form({ saved, state }: { readonly saved: Choice; readonly state: BackupState }) {
  const [typed, setTyped] = useState<Partial<Choice>>({});
  const [isKeepWrong, setKeepWrong] = useState(false);
  const update = useControlChange('settings.update', ['settings.get', 'backup.state', 'backup.list', 'status']);
  const shown: Choice = { ...saved, ...typed };
  const changed = FIELDS.filter((field) => shown[field] !== saved[field]);
  const isChanged = (field: (typeof FIELDS)[number]) => changed.includes(field);
  const set = (change: Partial<Choice>) => setTyped({ ...typed, ...change });
  const refusal = update.error instanceof Refusal ? update.error.failure : null;
  const problemOf = (field: string) => (refusal?.field === field ? refusal.error : null);
  const isOfField = ['backupPlace', 'backupKeep'].includes(refusal?.field ?? '');

  function submit(event: FormEvent): void {
    event.preventDefault();
    const keep = Number(shown.backupKeep);
    const isWrong = shown.backupKeep.trim() === '' || !Number.isInteger(keep) || keep < 1 || keep > 1_000;
    setKeepWrong(isWrong);
    if (isWrong || update.isPending || changed.length === 0) return;
    // Only what is changed: to say a place once more means that what is there now is the place, whatever was there before.
    const changes: Input<'settings.update'> = Object.fromEntries(changed.map((field) => [field, shown[field]]));
    update.mutate(isChanged('backupKeep') ? { ...changes, backupKeep: keep } : changes, {
      onSuccess: () => setTyped({}),
    });
  }

  return (
    <form className={styles.page} onSubmit={submit} noValidate>
      <div className={styles.rows}>
        <div className={own.fields}>
          <TextInput
            label={<Label text={words.place} isChanged={isChanged('backupPlace')} />}
            description={saved.backupPlace === '' ? words.placeNow(state.place) : words.placeHelp}
            spellCheck={false}
            autoComplete="off"
            value={shown.backupPlace}
            error={problemOf('backupPlace')}
            onChange={(event) => set({ backupPlace: event.currentTarget.value })}
          />
          {!state.placeThere && saved.backupPlace !== '' && !isChanged('backupPlace') && (
            <Note
              tone="care"
              action={{ word: words.useAnew, run: () => update.mutate({ backupPlace: saved.backupPlace }) }}
            >
              {words.away(saved.backupPlace)}
            </Note>
          )}
        </div>
        <SwitchRow
          label={words.files}
          help={words.filesHelp}
          checked={shown.backupFiles}
          isChanged={isChanged('backupFiles')}
          onChange={(backupFiles) => set({ backupFiles })}
        />
        <SwitchRow
          label={words.history}
          help={shown.backupFiles ? words.historyHelp : words.historyNever}
          checked={shown.backupHistory && shown.backupFiles}
          disabled={!shown.backupFiles}
          isChanged={isChanged('backupHistory')}
          onChange={(backupHistory) => set({ backupHistory })}
        />
        <div className={own.fields}>
          <div className={own.pair}>
            <NativeSelect
              label={<Label text={words.every} isChanged={isChanged('backupEvery')} />}
              value={shown.backupEvery}
              data={EVERY.map((value) => ({ value, label: words.everyOptions[value] }))}
              onChange={(event) => set({ backupEvery: event.currentTarget.value as Choice['backupEvery'] })}
            />
            {shown.backupEvery !== 'never' && (
              <NativeSelect
                label={<Label text={words.hour} isChanged={isChanged('backupHour')} />}
                value={String(shown.backupHour)}
                data={HOURS}
                onChange={(event) => set({ backupHour: Number(event.currentTarget.value) })}
              />
            )}
          </div>
          {shown.backupEvery !== 'never' && <p className={own.help}>{words.hourHelp}</p>}
        </div>
        <TextInput
          label={<Label text={words.keep} isChanged={isChanged('backupKeep')} />}
          description={words.keepHelp}
          inputMode="numeric"
          value={shown.backupKeep}
          error={isKeepWrong ? words.keepWrong : problemOf('backupKeep')}
          onChange={(event) => {
            setKeepWrong(false);
            set({ backupKeep: event.currentTarget.value });
          }}
        />
        <Keys isSet={state.passphraseSet} />
      </div>
      {!isOfField && <RefusalNote error={update.error} />}
      <SaveBar
        changes={changed.length}
        effect={words.effect}
        isBusy={update.isPending}
        onDiscard={() => {
          setTyped({});
          setKeepWrong(false);
          update.reset();
        }}
      />
    </form>
  );
}

const EVERY = ['day', 'week', 'never'] as const;

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function Label({ text, isChanged }: { readonly text: string; readonly isChanged: boolean }): ReactNode {
  return (
    <>
      {text}
      {isChanged && <ChangedDot />}
    </>
  );
}
