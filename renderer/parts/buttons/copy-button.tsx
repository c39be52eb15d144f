import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useDesktop } from '../../control/desktop.tsx';
import { texts } from '../../texts/texts.ts';

/** Milliseconds for which it says that it has copied. */
const SAID = 2_000;

function useCopy(text: string): { readonly isCopied: boolean; readonly copy: () => Promise<void> } {
  const desktop = useDesktop();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID);
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
  /** What it says while nothing was copied. */
  readonly word?: string;
  /** What is copied, for those who do not see where the button stands. */
  readonly what?: string;
  readonly size?: 'xs' | 'md';
}

export function CopyButton({ text, word = texts.copy, what, size = 'md' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(text);
  const named = what === undefined || isCopied ? {} : { 'aria-label': texts.copyOf(what) };
  return (
    <Button
      variant="default"
      size={size}
      leftSection={isCopied ? <IconCheck stroke={1.75} /> : <IconCopy stroke={1.75} />}
      onClick={copy}
      {...named}
    >
      {isCopied ? texts.copied : word}
    </Button>
  );
}

export function CopyIcon({ text, what }: { readonly text: string; readonly what: string }) {
  const { isCopied, copy } = useCopy(text);
  const name = isCopied ? texts.copied : texts.copyOf(what);
  return (
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={name} onClick={copy}>
        {isCopied ? <IconCheck size={18} stroke={1.75} /> : <IconCopy size={18} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  );
}
