import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t as text } from '../../dist/server/messages/messages.js';
import { inspectPanel } from '../support/browser/panel-page.ts';
import { like, t } from '../support/browser/panel-texts.ts';
import { type PanelVisit, visitPanel } from '../support/browser/panel-visit.ts';
import { isFullForm, itInFull } from '../support/forms.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

interface Field {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly options: readonly string[];
}
interface Definitions {
  readonly types: readonly { id: number; name: string; system: boolean; extensions: string[]; setIds: number[] }[];
  readonly sets: readonly { id: number; name: string; system: boolean; fields: readonly Field[] }[];
}

let panel: PanelVisit;
let app: ApiClient;

beforeAll(async () => {
  panel = await visitPanel();
  const { home } = panel.household;
  for (const name of ['bill.pdf', 'note.txt', 'garden.gcode']) await writeFile(join(home, name), 'a file');
  app = await panel.household.signIn();
});
beforeEach(() => panel.fresh());
afterAll(() => panel?.close());

const complained = () => panel.complaints.filter((line) => !/status of (?:400|409)/.test(line));
const defined = async () => (await panel.household.control('metadata.list')) as unknown as Definitions;
const type = async (name: string) => (await defined()).types.find((one) => one.name === name);
const set = async (name: string) => (await defined()).sets.find((one) => one.name === name);
const field = async (name: string) => (await set('Warranty'))?.fields.find((one) => one.name === name);

/** What an app is told that a file has, by the names of its sets and fields. */
async function has(name: string): Promise<Record<string, Record<string, string[]>>> {
  const { status, body, text } = await app.post('files/metadata', { path: `/ROOT/HOME/${name}` });
  expect(status, text).toBe(200);
  return Object.fromEntries(
    body.data.fieldsets.map((one: { name: string; fields: { name: string; values: string[] }[] }) => [
      one.name,
      Object.fromEntries(one.fields.map(({ name, values }) => [name, values])),
    ]),
  );
}

async function note(name: string, fieldName: string, value: string): Promise<void> {
  const id = (await field(fieldName))?.id;
  const path = `/ROOT/HOME/${name}`;
  const { status, text } = await app.post('files/metadata/set', { path, [`fields[${id}]`]: value });
  expect(status, text).toBe(200);
}

const typed = (label: string) => panel.dialog().getByRole('textbox', { name: label, exact: true });
const list = (label: string) => panel.dialog().getByLabel(label, { exact: true }).first();
/** The button of the dialog that does what the dialog is about. */
const go = (word: string) => panel.dialog().getByRole('button', { name: word, exact: true }).click();
const gone = () => panel.dialog().waitFor({ state: 'detached' });
/** Whether that is what the server, or the form, has something against. */
const isFaulty = async (label: string) => (await list(label).getAttribute('aria-invalid')) === 'true';
const section = (name: string) => panel.page.getByRole('region', { name });

async function choose(label: string, option: string): Promise<void> {
  const box = panel.dialog().getByRole('combobox', { name: label, exact: true });
  await box.click();
  await panel.page.getByRole('option', { name: option, exact: true }).click();
  if ((await box.getAttribute('aria-expanded')) === 'true') await panel.page.keyboard.press('Escape');
  await panel.page.getByRole('listbox').waitFor({ state: 'hidden' });
}

async function enter(label: string, ...entries: string[]): Promise<void> {
  for (const entry of entries) {
    await list(label).fill(entry);
    await list(label).press('Enter');
  }
}

type Kind = 'text' | 'longtext' | 'number' | 'date' | 'choices' | 'stars';

async function addField(name: string, kind: Kind, options: string[] = []): Promise<void> {
  await panel.button(t('metadata.fields.addTo', { set: 'Warranty' })).click();
  await typed(t('metadata.name')).fill(name);
  if (kind !== 'text') await choose(t('metadata.fields.kind'), t(`metadata.fields.kinds.${kind}`));
  await enter(t('metadata.fields.options'), ...options);
  await go(t('metadata.fields.add'));
  await gone();
}

describe('a predefined set or type', () => {
  it('is listed, and can be neither renamed nor removed', async () => {
    const { page, open, row, button } = panel;
    await open(t('nav.metadata'));
    for (const name of ['Everything', 'Image', 'Video', 'Audio', 'Document']) await row(name).waitFor();
    const tabs = page.getByRole('navigation', { name: t('metadata.title') });
    await expect
      .poll(() => tabs.getByRole('link').allInnerTexts())
      .toEqual([`${t('metadata.tabs.types')}\n5`, `${t('metadata.tabs.sets')}\n4`]);
    await inspectPanel(page, 'metadata-types-first');
    await button(t('metadata.actionsOf', { name: 'Image' })).click();
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual([t('metadata.types.sets')]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });

    await open(t('nav.metadata'), t('metadata.tabs.sets'));
    await page.getByText(t('metadata.sets.empty')).waitFor();
    await expect.poll(() => section(t('metadata.sets.embedded')).innerText()).toContain('Camera');
    await expect.poll(() => page.getByRole('button', { name: like('metadata.actionsOf') }).count()).toBe(0);
    await inspectPanel(page, 'metadata-sets-first');
    expect(complained()).toEqual([]);
  });
});

describe('a field set', () => {
  it('is added with its file types, and the input is kept if it is refused', async () => {
    const { page, dialog, open } = panel;
    await open(t('nav.metadata'), t('metadata.tabs.sets'));
    await page.getByText(t('metadata.sets.empty')).waitFor();
    await page.keyboard.press('n');
    await go(t('metadata.sets.add'));
    await dialog().getByText(t('metadata.needed')).waitFor();
    await typed(t('metadata.name')).fill('image');
    await choose(t('metadata.sets.types'), 'Everything');
    await go(t('metadata.sets.add'));
    await dialog()
      .getByText(text('api.fields.nameInUse', { what: 'set' }))
      .waitFor();
    expect([await isFaulty(t('metadata.name')), await isFaulty(t('metadata.sets.types'))]).toEqual([true, false]);
    await expect.poll(() => typed(t('metadata.name')).inputValue()).toBe('image');
    await inspectPanel(page, 'metadata-set-refused');
    await typed(t('metadata.name')).fill('Waranty');
    await go(t('metadata.sets.add'));
    await section('Waranty')
      .getByText(t('metadata.sets.of', { types: 'Everything' }))
      .waitFor();
    await section('Waranty').getByText(t('metadata.fields.none')).waitFor();
    await gone();
    expect(await set('Waranty')).toMatchObject({ system: false, fields: [] });
    expect((await type('Everything'))?.setIds).toEqual([(await set('Waranty'))?.id]);

    await panel.pick('Waranty', t('metadata.rename'));
    await typed(t('metadata.name')).fill('Warranty');
    await go(t('saveBar.save'));
    await section('Warranty').waitFor();
    await gone();
    expect(await set('Warranty')).toBeDefined();
    expect(await set('Waranty')).toBeUndefined();
    expect(complained()).toEqual([]);
  });

  it('gets fields of every kind', async () => {
    const { page, dialog, button, open } = panel;
    await open(t('nav.metadata'), t('metadata.tabs.sets'));
    await addField('Shop', 'text');
    const setId = (await set('Warranty'))?.id;
    const others = { Terms: 'longtext', Price: 'number', Until: 'date' } as const;
    for (const [name, kind] of Object.entries(others)) {
      if (isFullForm) await addField(name, kind);
      else await panel.household.control('metadata.fields.add', { setId, name, kind });
    }
    await addField('Rooms', 'choices', ['Kitchen', 'Attic']);
    await addField('Worth it', 'stars');
    await button(t('metadata.fields.addTo', { set: 'Warranty' })).click();
    await typed(t('metadata.name')).fill('shop');
    await choose(t('metadata.fields.kind'), t('metadata.fields.kinds.choice'));
    await go(t('metadata.fields.add'));
    await dialog().getByText(t('metadata.fields.optionsNeeded')).waitFor();
    await enter(t('metadata.fields.options'), 'Drawer', 'Box', 'Safe');
    await go(t('metadata.fields.add'));
    await dialog()
      .getByText(text('api.fields.nameInUse', { what: 'field' }))
      .waitFor();
    await expect.poll(() => dialog().getByText('Drawer', { exact: true }).isVisible()).toBe(true);
    await inspectPanel(page, 'metadata-field-refused');
    await typed(t('metadata.name')).fill('Place');
    await go(t('metadata.fields.add'));
    await gone();
    await inspectPanel(page, 'metadata-sets');
    expect((await set('Warranty'))?.fields.map(({ name, kind, options }) => [name, kind, ...options])).toEqual([
      ['Shop', 'text'],
      ['Terms', 'longtext'],
      ['Price', 'number'],
      ['Until', 'date'],
      ['Rooms', 'choices', 'Kitchen', 'Attic'],
      ['Worth it', 'stars'],
      ['Place', 'choice', 'Drawer', 'Box', 'Safe'],
    ]);
    expect(Object.keys((await has('note.txt')).Warranty ?? {})).toEqual(
      (await set('Warranty'))?.fields.map(({ name }) => name),
    );
    expect(complained()).toEqual([]);
  });

  it('allows changes of its fields only if existing values remain valid', async () => {
    const { page, dialog, open, pick, row } = panel;
    await note('note.txt', 'Shop', 'Corner shop');
    await note('note.txt', 'Place', 'Box');
    await open(t('nav.metadata'), t('metadata.tabs.sets'));
    await pick(t('metadata.fields.of', { name: 'Shop', set: 'Warranty' }), t('metadata.edit'));
    await choose(t('metadata.fields.kind'), t('metadata.fields.kinds.number'));
    await go(t('saveBar.save'));
    await dialog()
      .getByText(text('api.fields.valueMisfit', { value: 'Corner shop' }))
      .waitFor();
    expect([await isFaulty(t('metadata.name')), await isFaulty(t('metadata.fields.kind'))]).toEqual([false, true]);
    await typed(t('metadata.name')).fill('Bought at');
    await choose(t('metadata.fields.kind'), t('metadata.fields.kinds.longtext'));
    await go(t('saveBar.save'));
    await row('Bought at').getByText(t('metadata.fields.kinds.longtext')).waitFor();
    await gone();
    expect(await field('Bought at')).toMatchObject({ kind: 'longtext', options: [] });

    await pick(t('metadata.fields.of', { name: 'Place', set: 'Warranty' }), t('metadata.edit'));
    // Takes the last two, Safe and Box, away again.
    for (const _ of [1, 2]) await list(t('metadata.fields.options')).press('Backspace');
    await go(t('saveBar.save'));
    await dialog()
      .getByText(text('api.fields.valueMisfit', { value: 'Box' }))
      .waitFor();
    expect([await isFaulty(t('metadata.fields.kind')), await isFaulty(t('metadata.fields.options'))]).toEqual([
      false,
      true,
    ]);
    await enter(t('metadata.fields.options'), 'Box', 'Shelf');
    await inspectPanel(page, 'metadata-field-options');
    await go(t('saveBar.save'));
    await row('Place').getByText('Drawer, Box, Shelf').waitFor();
    await gone();
    expect(await field('Place')).toMatchObject({ kind: 'choice', options: ['Drawer', 'Box', 'Shelf'] });
    expect(await has('note.txt')).toMatchObject({ Warranty: { 'Bought at': ['Corner shop'], Place: ['Box'] } });
    await note('note.txt', 'Place', 'Shelf');

    // A choice that becomes a text keeps what was chosen, and has no options any more.
    await pick(t('metadata.fields.of', { name: 'Place', set: 'Warranty' }), t('metadata.edit'));
    await choose(t('metadata.fields.kind'), t('metadata.fields.kinds.text'));
    await dialog().getByText(t('metadata.fields.options'), { exact: true }).waitFor({ state: 'detached' });
    await go(t('saveBar.save'));
    await gone();
    expect(await field('Place')).toMatchObject({ kind: 'text', options: [] });
    expect(await has('note.txt')).toMatchObject({ Warranty: { Place: ['Shelf'] } });
    expect(complained()).toEqual([]);
  });
});

describe('a file type', () => {
  it('is added with its extensions and field sets', async () => {
    const { page, dialog, open, row, pick } = panel;
    const { types, sets } = await defined();
    const every = types.find(({ name }) => name === 'Everything')?.id;
    await panel.household.control('metadata.types.update', { id: every, setIds: [] });
    expect((await has('bill.pdf')).Warranty).toBeUndefined();
    await open(t('nav.metadata'));
    await page.getByRole('row').nth(5).waitFor();
    await page.keyboard.press('n');
    await go(t('metadata.types.add'));
    await dialog().getByText(t('metadata.needed')).waitFor();
    await dialog().getByText(t('metadata.types.extensionsNeeded')).waitFor();
    await typed(t('metadata.name')).fill('Bill');
    await enter(t('metadata.types.extensions'), '.PDF', 'a/b');
    await choose(t('metadata.types.sets'), 'Warranty');
    await go(t('metadata.types.add'));
    await dialog()
      .getByText(text('api.fields.extension', { text: 'a/b' }))
      .waitFor();
    expect([await isFaulty(t('metadata.name')), await isFaulty(t('metadata.types.extensions'))]).toEqual([false, true]);
    await expect.poll(() => typed(t('metadata.name')).inputValue()).toBe('Bill');
    await inspectPanel(page, 'metadata-type-refused');
    await list(t('metadata.types.extensions')).press('Backspace');
    await go(t('metadata.types.add'));
    await row('Bill').getByText('Warranty').waitFor();
    await gone();
    const warranty = sets.find(({ name }) => name === 'Warranty')?.id;
    expect(await type('Bill')).toMatchObject({ system: false, extensions: ['pdf'], setIds: [warranty] });
    await note('bill.pdf', 'Price', '12.5');
    expect(await has('bill.pdf')).toMatchObject({ Warranty: { Price: ['12.5'] } });
    expect((await has('garden.gcode')).Warranty).toBeUndefined();

    await pick('Bill', t('metadata.edit'));
    await typed(t('metadata.name')).fill('Paper');
    await enter(t('metadata.types.extensions'), 'gcode');
    await go(t('saveBar.save'));
    await row('Paper').getByText('pdf, gcode').waitFor();
    await gone();
    await inspectPanel(page, 'metadata-types');
    expect(await type('Paper')).toMatchObject({ extensions: ['pdf', 'gcode'], setIds: [warranty] });
    expect(Object.keys(await has('garden.gcode'))).toContain('Warranty');
    expect(complained()).toEqual([]);
  });

  itInFull('that is predefined accepts field sets, and keeps its own', async () => {
    const { page, dialog, open, row, pick } = panel;
    const own = (await set('Image'))?.id;
    await open(t('nav.metadata'));
    await pick('Image', t('metadata.types.sets'));
    await dialog()
      .getByText(t('metadata.types.setsStay', { names: 'Image' }))
      .waitFor();
    await expect.poll(() => typed(t('metadata.name')).count()).toBe(0);
    await choose(t('metadata.types.sets'), 'Warranty');
    await inspectPanel(page, 'metadata-type-sets');
    await go(t('saveBar.save'));
    await row('Image').getByText('Image, Warranty').waitFor();
    await gone();
    expect((await type('Image'))?.setIds).toEqual([own, (await set('Warranty'))?.id]);
    await pick('Image', t('metadata.types.sets'));
    await list(t('metadata.types.sets')).press('Backspace');
    await go(t('saveBar.save'));
    await gone();
    expect((await type('Image'))?.setIds).toEqual([own]);
    expect(complained()).toEqual([]);
  });

  it('is removed, and values of files are kept', async () => {
    const { page, dialog, open, row, pick } = panel;
    await open(t('nav.metadata'));
    await pick('Paper', t('metadata.remove'));
    await dialog()
      .getByText(t('metadata.types.loss', { sets: 1 }))
      .waitFor();
    await inspectPanel(page, 'metadata-type-remove');
    await go(t('metadata.keep', { name: 'Paper' }));
    await gone();
    expect(await type('Paper')).toBeDefined();
    await pick('Paper', t('metadata.remove'));
    await go(t('metadata.remove'));
    await row('Paper').waitFor({ state: 'detached' });
    expect(await type('Paper')).toBeUndefined();
    expect(await has('bill.pdf')).toEqual({ Warranty: { Price: ['12.5'] } });
    await expect(note('bill.pdf', 'Bought at', 'Market')).rejects.toThrow();
    const every = await type('Everything');
    await panel.household.control('metadata.types.update', { id: every?.id, setIds: [(await set('Warranty'))?.id] });
    await note('bill.pdf', 'Bought at', 'Market');
    expect(complained()).toEqual([]);
  });
});

itInFull('the page shows many and very long names', async () => {
  const { page, dialog, open, pick, household } = panel;
  const name = 'W'.repeat(100);
  const { types } = await defined();
  const typeIds = types.map(({ id }) => id);
  const { id } = (await household.control('metadata.sets.add', { name, typeIds })) as { id: number };
  const options = Array.from({ length: 200 }, (_, index) => `${'o'.repeat(90)}${index}`);
  await household.control('metadata.fields.add', { setId: id, name, kind: 'choice', options });
  const extensions = Array.from({ length: 100 }, (_, index) => `extension${index}`);
  const added = await household.control('metadata.types.add', { name, extensions, setIds: [id] });
  await open(t('nav.metadata'));
  await pick(name, t('metadata.edit'));
  await dialog().getByText('extension99').waitFor();
  await inspectPanel(page, 'metadata-long-type', ['usual', 'phone']);
  await page.keyboard.press('Escape');
  await gone();
  await inspectPanel(page, 'metadata-long-types', ['usual', 'phone']);
  await open(t('nav.metadata'), t('metadata.tabs.sets'));
  await section(name).waitFor();
  await inspectPanel(page, 'metadata-long-sets', ['usual', 'phone']);
  await pick(name, t('metadata.remove'));
  await dialog()
    .getByText(t('metadata.sets.loss', { fields: 1 }))
    .waitFor();
  await inspectPanel(page, 'metadata-long-remove', ['usual', 'phone']);
  await page.keyboard.press('Escape');
  await gone();
  await household.control('metadata.sets.remove', { id });
  await household.control('metadata.types.remove', { id: added.id });
  expect(complained()).toEqual([]);
});

describe('removing', () => {
  it('reports what is lost with a field, and with a set', async () => {
    const { page, dialog, open, row, pick } = panel;
    await open(t('nav.metadata'), t('metadata.tabs.sets'));
    await pick(t('metadata.fields.of', { name: 'Bought at', set: 'Warranty' }), t('metadata.remove'));
    await dialog().getByText(t('metadata.fields.loss')).waitFor();
    await inspectPanel(page, 'metadata-field-remove', ['usual', 'phone']);
    await go(t('metadata.remove'));
    await page.getByText(t('metadata.fields.removed', { name: 'Bought at', values: 2 })).waitFor();
    await row('Bought at').waitFor({ state: 'detached' });
    expect(await field('Bought at')).toBeUndefined();
    expect(Object.keys((await has('bill.pdf')).Warranty ?? {})).not.toContain('Bought at');

    await pick('Warranty', t('metadata.remove'));
    await dialog()
      .getByText(t('metadata.sets.loss', { fields: 6 }))
      .waitFor();
    await inspectPanel(page, 'metadata-set-remove', ['usual', 'phone']);
    await go(t('metadata.keep', { name: 'Warranty' }));
    await gone();
    await pick('Warranty', t('metadata.remove'));
    await go(t('metadata.remove'));
    await page.getByText(t('metadata.sets.removed', { name: 'Warranty', fields: 6, values: 2 })).waitFor();
    await page.getByText(t('metadata.sets.empty')).waitFor();
    expect(await set('Warranty')).toBeUndefined();
    expect((await has('bill.pdf')).Warranty).toBeUndefined();
    expect(complained()).toEqual([]);
  });

  itInFull('reports that another person has removed the item meanwhile', async () => {
    const { page, dialog, button, open } = panel;
    const { control } = panel.household;
    const { id } = (await control('metadata.sets.add', { name: 'Recipes' })) as { id: number };
    await open(t('nav.metadata'), t('metadata.tabs.sets'));
    await button(t('metadata.fields.addTo', { set: 'Recipes' })).click();
    await control('metadata.sets.remove', { id });
    await typed(t('metadata.name')).fill('Serves');
    await go(t('metadata.fields.add'));
    await dialog().getByText(text('api.fields.unknownSet', { id })).waitFor();
    await expect.poll(() => typed(t('metadata.name')).inputValue()).toBe('Serves');
    await page.keyboard.press('Escape');
    await gone();
    expect(complained()).toEqual([]);
  });
});

itInFull('the page is found by Go to', async () => {
  const { page, dialog } = panel;
  await page.keyboard.press('Control+k');
  await dialog().waitFor();
  await page.keyboard.type(t('metadata.tabs.sets'));
  await page.keyboard.press('Enter');
  await page.getByText(t('metadata.sets.empty')).waitFor();
  expect(page.url()).toContain('#/metadata/sets');
  expect(complained()).toEqual([]);
});
