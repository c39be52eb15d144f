import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts.ts';

/** The first heading of a page. It takes the focus when its page comes into view, unless something in the page has it. */
export function Heading({ className, title, children }: { className?: string; title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === texts.product ? title : `${title} · ${texts.product}`;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <h1 className={className} ref={heading} tabIndex={-1}>
      {children ?? title}
    </h1>
  );
}
