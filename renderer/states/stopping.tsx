import { useLate } from '../control/use-late.ts';
import { texts } from '../texts/texts.ts';
import { StateScreen } from './state-screen.tsx';

export function Stopping() {
  const isSeen = useLate(300);
  return isSeen ? <StateScreen heading={texts.stopping.heading} lead={texts.stopping.lead} /> : null;
}
