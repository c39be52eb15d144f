import { useLate } from '../control/use-late.ts';
import { texts } from '../texts/texts.ts';
import { StateScreen } from './state-screen.tsx';

/** Milliseconds after which a start counts as a long one. */
const LONG = 10_000;

export function Starting({ step }: { readonly step: 'opening' | 'listening' }) {
  const isSeen = useLate(300);
  const isLong = useLate(LONG);
  const { heading, steps, long } = texts.starting;
  if (!isSeen) return null;
  return <StateScreen heading={heading} lead={isLong ? `${steps[step]} ${long}` : steps[step]} />;
}
