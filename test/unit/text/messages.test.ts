import { describe, expect, expectTypeOf, it } from 'vitest';
import type { MessageArguments } from '../../../dist/server/lib/messages/message-arguments.js';
import { createMessages, createRichMessages } from '../../../dist/server/lib/messages/messages.js';

const t = createMessages({
  plain: 'It’s done.',
  sent: '{name} sent {count, plural, =0 {nothing} one {# file} other {{size} in # files}} to {folder}.',
  twice: '{count, plural, one {one of {count}} other {all of {count}}}',
  chosen: '{kind, select, folder {The folder {name}} other {The file {name}}} is shared.',
  day: 'On {at, date, medium} at {price, number}.',
});

describe('messages', () => {
  it('are returned unchanged without arguments', () => {
    expect(t('plain')).toBe('It’s done.');
  });

  it('format plurals, choices and numbers as usual in the language', () => {
    const sent = (count: number) => t('sent', { name: 'Mia', count, size: '2 MB', folder: 'Photos' });
    expect([sent(0), sent(1), sent(1_200)]).toEqual([
      'Mia sent nothing to Photos.',
      'Mia sent 1 file to Photos.',
      'Mia sent 2 MB in 1,200 files to Photos.',
    ]);
    expect(t('chosen', { kind: 'folder', name: 'A' })).toBe('The folder A is shared.');
    expect(t('chosen', { kind: 'else', name: 'A' })).toBe('The file A is shared.');
    expect(t('day', { at: new Date(2026, 10, 3), price: 1_000 })).toBe('On 3 Nov 2026 at 1,000.');
  });

  it('insert values unchanged, even if they look like a message', () => {
    expect(t('sent', { name: "{count} <b>'#", count: 1, size: '', folder: '' })).toContain("{count} <b>'# sent 1 file");
  });

  it('keep parts that are not text, in the order of the message', () => {
    const rich = createRichMessages<{ readonly bold: string }>()({
      plain: 'Done.',
      sent: '{name} sent {count, plural, one {# file} other {# files}} to {folder}.',
    });
    const name = { bold: 'Mia' };
    expect(rich('plain', {})).toEqual(['Done.']);
    expect(rich('sent', { name, count: 2, folder: 'Photos' })).toEqual([name, ' sent 2 files to Photos.']);
    expect(rich('sent', { name: 'Mia', count: 1, folder: name })).toEqual(['Mia sent 1 file to ', name, '.']);
    // @ts-expect-error: a count is a number
    rich('sent', { name, count: name, folder: '' });
  });

  it('have typed arguments', () => {
    type Of<Message extends string> = MessageArguments<Message>;
    expectTypeOf<Of<'a {name} b'>>().toEqualTypeOf<{ readonly name: string | number }>();
    expectTypeOf<Of<'{n, plural, one {# in {folder}} other {#}} {b}'>>().toEqualTypeOf<{
      readonly n: number;
      readonly folder: string | number;
      readonly b: string | number;
    }>();
    expectTypeOf<Of<'{n, plural, one {{k, select, a {x} other {{y}}}} other {many files}}'>>().toEqualTypeOf<{
      readonly n: number;
      readonly k: string;
      readonly y: string | number;
    }>();
    expectTypeOf<Of<'{at, date, medium} {n, number}'>>().toEqualTypeOf<{ readonly at: Date; readonly n: number }>();
    expectTypeOf<Of<'{a} b' | 'b' | '{c, number}'>>().toEqualTypeOf<{
      readonly a: string | number;
      readonly c: number;
    }>();
    expectTypeOf<Of<'{n, plural, one {{n}} other {#}}'>>().toEqualTypeOf<{ readonly n: number }>();
    // @ts-expect-error: its arguments are missing
    expect(() => t('sent')).toThrow();
    // @ts-expect-error: it has none
    t('plain', { name: 'x' });
    // @ts-expect-error: a count is a number
    t('twice', { count: '1' });
    // @ts-expect-error: there is none of this name
    expect(() => t('unknown')).toThrow('there is no message unknown');
  });
});
