import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { firstRunTexts } from '../texts/first-run.ts';
import { OptionCard, OptionCards } from './option-card.tsx';
import { StepForm } from './step-form.tsx';
import type { FirstRun } from './use-first-run.ts';

const words = firstRunTexts.apps;

/** First run: whether the API is on. It is the last question: what was answered is written now. */
export function Apps({ firstRun }: { readonly firstRun: FirstRun }) {
  const { answers, answer } = firstRun;
  const pick = (value: 'on' | 'off') => answer({ enableApi: value === 'on' });
  return (
    <StepForm step="apps" firstRun={firstRun} heading={words.heading} lead={words.lead}>
      <OptionCards value={answers.enableApi ? 'on' : 'off'} label={words.question}>
        <OptionCard value="on" icon={IconPlugConnected} {...words.on} onPick={pick} />
        <OptionCard value="off" icon={IconPlugConnectedX} {...words.off} onPick={pick} />
      </OptionCards>
    </StepForm>
  );
}
