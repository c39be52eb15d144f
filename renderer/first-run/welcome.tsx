import { Button, Radio } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceUsb, IconFolderOpen } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FolderLook } from '../../server/control/contract/window.ts';
import { size } from '../amounts.ts';
import { useDesktopChange, useInWindow } from '../control/desktop.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Skeletons } from '../parts/skeletons.tsx';
import { texts } from '../texts/texts.ts';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import { FolderOption } from './folder-option.tsx';
import { FolderWord, fits } from './folder-word.tsx';
import { parentOf } from './parent-of.ts';
import styles from './welcome.module.css';

type Option = 'here' | 'elsewhere' | 'before';

const words = texts.welcome;

/** First run: where the folder goes. Nothing is done with it until *Continue*. */
export function Welcome() {
  const { desktop } = useInWindow();
  const [option, setOption] = useState<Option>('here');
  const [chosen, setChosen] = useState<Partial<Record<Option, FolderLook>>>({});
  const suggestion = useQuery({
    queryKey: ['desktop.suggestFolder'],
    queryFn: () => desktop.invoke('desktop.suggestFolder', {}),
  });
  const choose = useMutation({
    mutationFn: async (of: Option) => ({ of, look: await desktop.invoke('desktop.chooseFolder', {}) }),
    onSuccess: ({ of, look }) => {
      if (look !== null) setChosen((others) => ({ ...others, [of]: look }));
    },
  });
  const use = useDesktopChange('desktop.useFolder');
  const quit = useDesktopChange('desktop.quit');
  const [isRefused, setRefused] = useState(false);
  const asking = useRef(false);

  const look = chosen[option] ?? (option === 'here' ? suggestion.data : undefined);

  async function ask(of: Option): Promise<void> {
    // The system's dialog is open already.
    if (asking.current) return;
    asking.current = true;
    await choose.mutateAsync(of).catch(() => undefined);
    asking.current = false;
  }

  function pick(next: Option, byPointer: boolean): void {
    setOption(next);
    setRefused(false);
    // With the keys one passes by on the way to another option, and there is a button for it.
    if (byPointer && next !== 'here' && chosen[next] === undefined) void ask(next);
  }

  function goOn(): void {
    if (look === undefined) void ask(option);
    else if (fits(look, option === 'before')) use.mutate({ folder: look.folder });
    else setRefused(true);
  }

  const here = chosen.here ?? suggestion.data;
  const free = (of: FolderLook | undefined) =>
    of === undefined || of.freeBytes === null ? null : words.free(size(of.freeBytes));

  return (
    <FirstRunFrame step="folder" heading={words.heading} lead={words.lead}>
      <Radio.Group value={option} aria-label={words.question}>
        <div className={styles.options}>
          <FolderOption
            value="here"
            icon={IconDeviceDesktop}
            title={here?.kind === 'larder' ? words.options.here.titleWhenLarder : words.options.here.title}
            help={here === undefined ? null : words.options.here.help(parentOf(here.folder))}
            aside={free(here)}
            onPick={pick}
          />
          <FolderOption
            value="elsewhere"
            icon={IconDeviceUsb}
            title={words.options.elsewhere.title}
            help={words.options.elsewhere.help}
            aside={free(chosen.elsewhere)}
            onPick={pick}
          />
          <FolderOption
            value="before"
            icon={IconFolderOpen}
            title={words.options.before.title}
            help={words.options.before.help}
            aside={free(chosen.before)}
            onPick={pick}
          />
        </div>
      </Radio.Group>
      {suggestion.isPending ? (
        <Skeletons widths={[320]} />
      ) : (
        <FolderWord
          look={look ?? null}
          mustBeLarder={option === 'before'}
          isRefused={isRefused}
          onChoose={() => void ask(option)}
        />
      )}
      <RefusalNote error={use.error ?? choose.error ?? suggestion.error} />
      <FirstRunFoot>
        <Button variant="subtle" color="gray" className={styles.quit} onClick={() => quit.mutate({})}>
          {texts.quit}
        </Button>
        <ActionButton size="lg" isBusy={use.isPending} onClick={goOn}>
          {texts.firstRun.next}
        </ActionButton>
      </FirstRunFoot>
    </FirstRunFrame>
  );
}
