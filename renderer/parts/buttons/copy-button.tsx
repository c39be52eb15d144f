import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useDesktop } from '../../control/desktop.tsx';
import { t } from '../../messages/messages.ts';

/** Milliseconds of the confirmation. */
const SHOWN_MS = 2_000;

function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => Promise<void> } {
  const desktop = useDesktop();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (desktop === null) await navigator.clipboard.writeText(text);
    else await desktop.invoke('desktop.copy', { text });
    setCopied(true);
  };
  return { isCopied, copy };
}

interface CopyButtonProps {
  readonly text: string;
  /** The text before copying. */
  readonly word?: string;
  /** The accessible name, if the text does not name what is copied. */
  readonly name?: string;
  readonly size?: 'xs' | 'md';
}

export function CopyButton({ text, word = t('common.copy'), name, size = 'md' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text);
  const named = name === undefined || isCopied ? {} : { 'aria-label': name };
  return (
    <Button
      variant="default"
      size={size}
      leftSection={isCopied ? <IconCheck stroke={1.75} /> : <IconCopy stroke={1.75} />}
      onClick={copy}
      {...named}
    >
      {isCopied ? t('common.copied') : word}
    </Button>
  );
}

export function CopyIcon({ text, name }: { readonly text: string; readonly name: string }) {
  const { isCopied, copy } = useCopy(text);
  const label = isCopied ? t('common.copied') : name;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} onClick={copy}>
        {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  );
}
