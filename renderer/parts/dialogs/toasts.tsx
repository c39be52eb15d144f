import { CloseButton } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { t } from '../../messages/messages.ts';
import styles from './toasts.module.css';

/** Milliseconds for which it is shown. */
const SHOWN = 5_000;

interface Toast {
  readonly id: number;
  readonly text: string;
}

const ToastContext = createContext<(text: string) => void>(() => undefined);

/** Shows the result of an action in a corner for a moment. */
export const useToast = () => useContext(ToastContext);

let next = 1;

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const say = useCallback((text: string) => {
    const id = next++;
    setToasts((before) => [...before.slice(-2), { id, text }]);
  }, []);
  const close = useCallback((id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)), []);
  return (
    <ToastContext value={say}>
      {children}
      <div className={styles.toasts} role="status">
        {toasts.map((toast) => (
          <One key={toast.id} toast={toast} onClose={close} />
        ))}
      </div>
    </ToastContext>
  );
}

function One({ toast: { id, text }, onClose }: { readonly toast: Toast; readonly onClose: (id: number) => void }) {
  useEffect(() => {
    const timer = setTimeout(() => onClose(id), SHOWN);
    return () => clearTimeout(timer);
  }, [id, onClose]);
  return (
    <div className={styles.toast}>
      <span>{text}</span>
      <CloseButton size={28} iconSize={16} aria-label={t('common.close')} onClick={() => onClose(id)} />
    </div>
  );
}
