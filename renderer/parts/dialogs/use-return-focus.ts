import { useEffect, useState } from 'react';

/**
 * For what comes over the page and takes the focus: when it is gone, the focus is again where it was, unless it has gone
 * somewhere else. Of a menu, which is gone by then, at the button that has opened it.
 */
export function useReturnFocus(): void {
  const [before] = useState(whereFocusIs);
  useEffect(
    () => () => {
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      if (isNowhere && before?.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}

function whereFocusIs(): HTMLElement | null {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return null;
  const opener = activeElement.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return opener == null ? activeElement : document.getElementById(opener);
}
