import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type {
  DesktopState,
  WindowInput,
  WindowMethodName,
  WindowOutput,
} from '../../server/control/contract/window.ts';
import { bestEffort } from '../../server/lib/async/settled.ts';
import type { Desktop } from '../transport/window-transport.ts';
import { keepLettersElsewhere } from './keys.ts';

interface WindowContextValue {
  readonly desktop: Desktop;
  readonly state: DesktopState;
}

const DesktopContext = createContext<WindowContextValue | null>(null);

/** @param children shown as soon as the application has sent its state */
export function DesktopProvider({ desktop, children }: { desktop: Desktop; children: ReactNode }) {
  const [state, setState] = useState<DesktopState | null>(null);
  useEffect(() => desktop.subscribe(setState), [desktop]);
  const letterKeys = state?.letterKeys;
  useEffect(() => {
    if (letterKeys === undefined) return;
    // The window's storage is not persistent. A value that could not be stored holds until the window closes.
    keepLettersElsewhere(letterKeys, (areOn) => {
      void bestEffort(desktop.invoke('desktop.set', { letterKeys: areOn }));
    });
  }, [desktop, letterKeys]);
  return state === null ? null : <DesktopContext value={{ desktop, state }}>{children}</DesktopContext>;
}

/** Null in a browser. */
export function useDesktop(): Desktop | null {
  return useContext(DesktopContext)?.desktop ?? null;
}

/** Null in a browser. */
export function useDesktopState(): DesktopState | null {
  return useContext(DesktopContext)?.state ?? null;
}

/** For parts shown in the window only. */
export function useInWindow(): WindowContextValue {
  const around = useContext(DesktopContext);
  if (around === null) throw new Error('There is no desktop application around this.');
  return around;
}

export function useDesktopChange<Name extends WindowMethodName>(
  method: Name,
): UseMutationResult<WindowOutput<Name>, Error, WindowInput<Name>> {
  const { desktop } = useInWindow();
  return useMutation({ mutationFn: (input: WindowInput<Name>) => desktop.invoke(method, input) });
}
