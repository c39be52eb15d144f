import { useLate } from '../control/use-delay.ts';
import { t } from '../messages/messages.ts';
import { StateScreen } from './state-screen.tsx';

/** Milliseconds after which a start counts as long. */
const LONG = 10_000;

export function Starting({ step }: { readonly step: 'opening' | 'listening' }) {
  const isSeen = useLate(300);
  const isLong = useLate(LONG);
  if (!isSeen) return null;
  return (
    <StateScreen
      heading={t('starting.heading')}
      lead={isLong ? `${t(`starting.steps.${step}`)} ${t('starting.long')}` : t(`starting.steps.${step}`)}
    />
  );
}
