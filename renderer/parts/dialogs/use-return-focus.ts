import { useEffect, useState } from 'react';

/**
 * For overlays that take the focus: returns it to the previous element when they close, unless it has moved elsewhere. For one
 * opened from a menu, that is the menu's button.
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
