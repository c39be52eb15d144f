import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { t } from '../messages/messages.ts';
import { OptionCard, OptionCards } from './option-card.tsx';
import { StepForm } from './step-form.tsx';
import type { FirstRun } from './use-first-run.ts';

/** First run: whether the API is enabled. The last step: it submits everything. */
export function Apps({ firstRun }: { readonly firstRun: FirstRun }) {
  const { answers, answer } = firstRun;
  const pick = (value: 'on' | 'off') => answer({ enableApi: value === 'on' });
  return (
    <StepForm step="apps" firstRun={firstRun} heading={t('firstRun.apps.heading')} lead={t('firstRun.apps.lead')}>
      <OptionCards value={answers.enableApi ? 'on' : 'off'} label={t('firstRun.apps.question')}>
        <OptionCard
          value="on"
          icon={IconPlugConnected}
          title={t('firstRun.apps.on.title')}
          help={t('firstRun.apps.on.help')}
          onPick={pick}
        />
        <OptionCard
          value="off"
          icon={IconPlugConnectedX}
          title={t('firstRun.apps.off.title')}
          help={t('firstRun.apps.off.help')}
          onPick={pick}
        />
      </OptionCards>
    </StepForm>
  );
}
