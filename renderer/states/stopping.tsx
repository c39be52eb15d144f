import { useLate } from '../control/use-delay.ts';
import { t } from '../messages/messages.ts';
import { StateScreen } from './state-screen.tsx';

export function Stopping() {
  const isSeen = useLate(300);
  return isSeen ? <StateScreen heading={t('stopping.heading')} lead={t('stopping.lead')} /> : null;
}
