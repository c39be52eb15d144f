import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';

interface HeadingProps {
  readonly title: string;
  /** Replaces the title, with something beside it. */
  readonly children?: ReactNode;
  readonly className?: string;
  /** For screens that replace the whole window: screen readers start at the heading. */
  readonly takesFocus?: boolean;
}

/** The main heading of a page. */
export function Heading({ title, children, className, takesFocus = false }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === t('common.product') ? title : t('common.documentTitle', { page: title });
    if (takesFocus && document.activeElement === document.body) heading.current?.focus();
  }, [title, takesFocus]);
  return (
    <h1 className={className} ref={heading} {...(takesFocus ? { tabIndex: -1 } : {})}>
      {children ?? title}
    </h1>
  );
}
