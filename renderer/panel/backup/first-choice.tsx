import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconFiles, IconUsers } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { useDesktop } from '../../control/desktop.tsx';
import { OptionCard, OptionCards } from '../../first-run/option-card.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { size } from '../../sizes.ts';
import { Refusal } from '../../transport/transport.ts';
import styles from './first-choice.module.css';

const STALE = ['settings.get', 'backup.state', 'backup.list', 'backup.estimate', 'status', 'activity.list'] as const;

interface FirstChoiceProps {
  readonly state: Pick<Output<'backup.state'>, 'place' | 'sameDisk' | 'contents'>;
  readonly every: Output<'settings.get'>['backupEvery'];
  /** The owner has chosen, and asked for a backup at once. */
  readonly onChosen: () => void;
}

/** What is backed up, and where: asked once. Files are included unless the owner decides otherwise. */
export function FirstChoice({ state, every, onChosen }: FirstChoiceProps) {
  const desktop = useDesktop();
  const [isWhole, setWhole] = useState(true);
  const [history, setHistory] = useState(state.contents.history);
  const [chosenPlace, setChosenPlace] = useState('');
  // Free space is looked up for what was typed when the field is left.
  const [measured, setMeasured] = useState('');
  const estimate = useControl('backup.estimate', {});
  const there = useControl('backup.estimate', { place: measured });
  const update = useControlChange('settings.update', STALE);
  const { data } = estimate;
  if (data === undefined) {
    if (estimate.error === null) return <Skeletons widths={[500, 460, 480]} />;
    return (
      <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => estimate.refetch() }}>
        {t('common.unread')} {reasonOf(estimate.error)}
      </Note>
    );
  }
  const { bytes } = data;
  const freeBytes = there.data === undefined ? null : there.data.freeBytes;
  const needed = bytes.database + (isWhole ? bytes.files + (history ? bytes.history : 0) : 0);
  const isTooLarge = freeBytes !== null && needed > freeBytes;
  const isRefused = update.error instanceof Refusal && update.error.failure.field === 'backupFolder';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (update.isPending) return;
    const changes = {
      ...{ backupChosen: true, backupFiles: isWhole, backupHistory: isWhole && history },
      ...(chosenPlace.trim() === '' ? {} : { backupFolder: chosenPlace.trim() }),
    };
    // The form may be gone by then: it is no longer shown once the choice is known.
    update.mutateAsync(changes).then(onChosen, () => undefined);
  }

  return (
    <Section title={t('backup.choice.title')}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <p>{t('backup.choice.lead', { every })}</p>
        <OptionCards value={isWhole ? 'whole' : 'database'} label={t('backup.choice.title')}>
          <OptionCard
            value="whole"
            icon={IconFiles}
            title={t('backup.choice.whole')}
            help={t('backup.choice.wholeHelp')}
            aside={size(bytes.database + bytes.files)}
            onPick={() => setWhole(true)}
          />
          <OptionCard
            value="database"
            icon={IconUsers}
            title={t('backup.choice.database')}
            help={t('backup.choice.databaseHelp')}
            aside={size(bytes.database)}
            onPick={() => setWhole(false)}
          />
        </OptionCards>
        {isWhole && (
          <Checkbox
            label={t('backup.choice.history', { size: size(bytes.history) })}
            checked={history}
            onChange={(event) => setHistory(event.currentTarget.checked)}
          />
        )}
        <div className={styles.place}>
          <TextInput
            label={t('backup.choice.place')}
            description={t('backup.choice.placeHelp', { disk: state.sameDisk ? 'same' : 'other' })}
            placeholder={state.place}
            autoComplete="off"
            spellCheck={false}
            value={chosenPlace}
            error={isRefused ? update.error?.message : null}
            onChange={(event) => setChosenPlace(event.currentTarget.value)}
            onBlur={() => setMeasured(chosenPlace.trim())}
          />
          {desktop !== null && (
            <Button
              variant="default"
              onClick={() =>
                void desktop.invoke('desktop.chooseFolder', {}).then((look) => {
                  if (look === null) return;
                  setChosenPlace(look.folder);
                  setMeasured(look.folder);
                })
              }
            >
              {t('backup.restoreHere.choose')}
            </Button>
          )}
        </div>
        {!isRefused && <RefusalNote error={update.error} />}
        {/* What appears later is below the button, so that it does not move away from the pointer. */}
        <div className={styles.foot}>
          <p className={styles.space}>
            {freeBytes === null
              ? t('backup.choice.needed', { needed: size(needed) })
              : t('backup.choice.free', { needed: size(needed), free: size(freeBytes) })}
          </p>
          <ActionButton isBusy={update.isPending}>{t('backup.choice.submit')}</ActionButton>
        </div>
        {isTooLarge && <Note tone="care">{t('backup.choice.tooLarge')}</Note>}
      </form>
    </Section>
  );
}
