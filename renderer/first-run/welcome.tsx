import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceUsb, IconFolderOpen } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import type { FolderState } from '../../server/control/contract/window.ts';
import { settled } from '../../server/lib/async/settled.ts';
import { useDesktopChange, useInWindow } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { size } from '../sizes.ts';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import { FolderDescription, fits } from './folder-state.tsx';
import { OptionCard, OptionCards } from './option-card.tsx';
import { parentOf } from './parent-of.ts';
import styles from './step-form.module.css';
import type { FirstRun, FolderOption } from './use-first-run.ts';
import { useBrowserBack } from './use-step.ts';

/** First run: the location of the folder. Nothing is created before *Continue*. */
export function Welcome({ firstRun }: { readonly firstRun: FirstRun }) {
  const { desktop, state } = useInWindow();
  const { folder: choice, chooseFolder } = firstRun;
  const suggestion = useQuery({
    queryKey: ['desktop.suggestFolder'],
    queryFn: () => desktop.invoke('desktop.suggestFolder', {}),
  });
  const choose = useMutation({
    mutationFn: async (of: FolderOption) => ({ of, look: await desktop.invoke('desktop.chooseFolder', {}) }),
    onSuccess: ({ of, look }) => {
      if (look !== null) chooseFolder(({ option, looks }) => ({ option, looks: { ...looks, [of]: look } }));
    },
  });
  const use = useDesktopChange('desktop.useFolder');
  const quit = useDesktopChange('desktop.quit');
  const [isRefused, setRefused] = useState(false);
  const asking = useRef(false);
  useBrowserBack({ show: firstRun.show, isHeld: use.isPending || state.folder === null });

  // The user may come back to choose another one.
  const used: FolderState | null =
    state.folder === null ? null : { folder: state.folder, kind: 'larder', freeBytes: null, problem: null };
  const isElsewhere = used !== null && suggestion.data !== undefined && suggestion.data.folder !== used.folder;
  const option = choice.option ?? (isElsewhere ? 'elsewhere' : 'here');
  const looks: Partial<Record<FolderOption, FolderState>> = {
    ...(suggestion.data === undefined ? {} : { here: suggestion.data }),
    ...(isElsewhere ? { elsewhere: used } : {}),
    ...choice.looks,
  };
  const look = looks[option];
  const isUsed = look !== undefined && look.folder === state.folder;

  async function ask(of: FolderOption): Promise<void> {
    // The system dialog is open already.
    if (asking.current) return;
    asking.current = true;
    await settled(choose.mutateAsync(of));
    asking.current = false;
  }

  function pick(next: FolderOption, byPointer: boolean): void {
    chooseFolder((others) => ({ ...others, option: next }));
    setRefused(false);
    // Arrow keys pass over this option on the way to another, so only the mouse opens the dialog at once.
    if (byPointer && next !== 'here' && looks[next] === undefined) void ask(next);
  }

  function goOn(event: FormEvent): void {
    event.preventDefault();
    if (use.isPending) return;
    if (look === undefined) void ask(option);
    else if (isUsed) firstRun.goTo('you');
    else if (fits(look, option === 'before')) {
      use.mutate({ folder: look.folder }, { onSuccess: () => firstRun.goTo('you') });
    } else setRefused(true);
  }

  const { here } = looks;
  const free = (of: FolderState | undefined) =>
    of === undefined || of.freeBytes === null ? null : t('firstRun.welcome.free', { amount: size(of.freeBytes) });

  return (
    <FirstRunFrame step="folder" heading={t('firstRun.welcome.heading')} lead={t('firstRun.welcome.lead')}>
      <form className={styles.form} onSubmit={goOn}>
        <OptionCards value={option} label={t('firstRun.welcome.question')}>
          <OptionCard
            value="here"
            icon={IconDeviceDesktop}
            title={
              here?.kind === 'larder'
                ? t('firstRun.welcome.options.here.titleWhenLarder')
                : t('firstRun.welcome.options.here.title')
            }
            help={
              here === undefined ? null : t('firstRun.welcome.options.here.help', { parent: parentOf(here.folder) })
            }
            aside={free(here)}
            onPick={pick}
          />
          <OptionCard
            value="elsewhere"
            icon={IconDeviceUsb}
            title={t('firstRun.welcome.options.elsewhere.title')}
            help={t('firstRun.welcome.options.elsewhere.help')}
            aside={free(looks.elsewhere)}
            onPick={pick}
          />
          <OptionCard
            value="before"
            icon={IconFolderOpen}
            title={t('firstRun.welcome.options.before.title')}
            help={t('firstRun.welcome.options.before.help')}
            aside={free(looks.before)}
            onPick={pick}
          />
        </OptionCards>
        {suggestion.isPending ? (
          <Skeletons widths={[320]} />
        ) : (
          <FolderDescription
            look={look ?? null}
            isUsed={isUsed}
            mustBeLarder={option === 'before'}
            isRefused={isRefused}
            onChoose={() => void ask(option)}
          />
        )}
        <RefusalNote error={use.error ?? choose.error ?? suggestion.error} />
        <FirstRunFoot>
          <Button variant="subtle" color="gray" onClick={() => quit.mutate({})}>
            {t('common.quit')}
          </Button>
          <ActionButton size="lg" isBusy={use.isPending}>
            {t('firstRun.next')}
          </ActionButton>
        </FirstRunFoot>
      </form>
    </FirstRunFrame>
  );
}
