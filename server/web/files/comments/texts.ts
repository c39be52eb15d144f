import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';

/** Every English sentence of what people say about files and folders. */
export const commentTexts = {
  heading: 'Comments',
  /** Of somebody who may not be named, or whose account is gone. */
  somebody: 'Somebody',
  visitor: 'by a link',
  latest: (count: number) => `The latest ${count.toLocaleString('en-GB')} comments.`,
  unread: 'You can write here. What others write is not shown to you.',
  write: 'Write a comment',
  submit: 'Comment',
  remove: {
    label: (name: string) => `Delete the comment by ${bidiIsolate(name)}`,
    lead: 'Delete this comment? It cannot be brought back.',
    submit: 'Delete',
  },
} as const;
