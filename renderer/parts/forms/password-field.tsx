import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../messages/messages.ts';

/**
 * A password field with a button that shows what is typed. The caret stays where it is, and the password is hidden again when the
 * form is sent.
 */
export function PasswordField({
  visible,
  onVisibilityChange,
  visibilityToggleButtonProps,
  ...props
}: PasswordInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isShownHere, setShownHere] = useState(false);
  const isShown = visible ?? isShownHere;
  const show = (isWanted: boolean) => {
    const { selectionStart = null, selectionEnd = null } = field.current ?? {};
    setShownHere(isWanted);
    onVisibilityChange?.(isWanted);
    // Browsers move the caret when the type of the field changes.
    requestAnimationFrame(() => field.current?.setSelectionRange(selectionStart, selectionEnd));
  };
  const hide = useRef(show);
  hide.current = show;
  useEffect(() => {
    const form = field.current?.form;
    const onSubmit = () => hide.current(false);
    form?.addEventListener('submit', onSubmit);
    return () => form?.removeEventListener('submit', onSubmit);
  }, []);
  return (
    <PasswordInput
      {...props}
      ref={field}
      visible={isShown}
      onVisibilityChange={show}
      visibilityToggleButtonProps={{
        'aria-label': t('common.showTyped'),
        ...visibilityToggleButtonProps,
        'aria-pressed': isShown,
      }}
    />
  );
}
