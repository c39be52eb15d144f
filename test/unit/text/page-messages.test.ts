import { describe, expect, it } from 'vitest';
import { html } from '../../../dist/server/lib/text/html.js';
import { catalogue } from '../../../dist/server/messages/catalogue.js';
import { listOf, t, tHtml } from '../../../dist/server/messages/messages.js';
import { signInProblem } from '../../../dist/server/web/auth/sign-in-problem.js';
import { compileMessages } from '../../../web-client/compile-messages.ts';

describe('messages with markup among their values', () => {
  it('escape everything except the markup', () => {
    const name = html`<strong>${'<Mia>'}</strong>`;
    expect(tHtml('consent.account', { name, household: 'A & B' }).text).toBe(
      t('consent.account', { name: '<strong>&lt;Mia&gt;</strong>', household: 'A &amp; B' }),
    );
  });

  it('put markup around a part of the text', () => {
    const [start, end] = [html`<b>`, html`</b>`];
    const device = tHtml('consent.return', { target: 'device', host: '', start, end }).text;
    const host = tHtml('consent.return', { target: 'host', host: 'a.example', start, end }).text;
    expect(device).toMatch(/<b>[^<]+<\/b>/);
    expect(host).toContain('<b>a.example</b>');
  });
});

it('facts are joined without empty ones', () => {
  const [folders, files] = [t('files.count.folders', { count: 2 }), t('files.count.files', { count: 1_200 })];
  expect(listOf([folders, '', files])).toBe(`${folders}, ${files}`);
  expect(listOf([files])).toBe(files);
  expect(listOf([])).toBe('');
});

it('a pause is shown in seconds, and in minutes if it is long', () => {
  const after = (seconds: number) => signInProblem({ outcome: 'wait', seconds }, 'ann');
  expect(after(89)).toBe(t('signIn.problem.waitSeconds', { seconds: 89 }));
  expect(after(90)).toBe(t('signIn.problem.waitMinutes', { minutes: 2 }));
  expect(after(121)).toBe(t('signIn.problem.waitMinutes', { minutes: 3 }));
});

describe('the messages of scripts', () => {
  const root = new URL('../../../web-client', import.meta.url).pathname;
  const { load } = compileMessages(catalogue, { root, locale: 'en-GB' });
  const compiled = (id: string) => (load as (id: string) => string | undefined)(`\0virtual:messages/${id}`);

  it('are those of one folder, as functions', () => {
    const code = compiled('upload') ?? '';
    expect(code).toContain('"uploads.left.seconds": () =>');
    expect(code).toContain('uploads.verbsFor.retry');
    expect(code).not.toContain('uploads.heading');
    expect(code).not.toMatch(/\{\w+, plural/);
  });

  it('are nothing else', () => {
    expect((load as (id: string) => unknown)('\0virtual:file-types')).toBeUndefined();
  });
});
