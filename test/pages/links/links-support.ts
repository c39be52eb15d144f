import { writeFile } from 'node:fs/promises';
import { makePdf } from '../../support/content/make-pdf.ts';
import type { Household } from '../../support/households/household.ts';
import { fillHome, picture, sampleHome } from '../files/support.ts';

export const LAKE = '/ROOT/HOME/Photos/Summer at the lake';

/** Ann's home, with something of every kind. */
export async function linkHome(household: Household): Promise<void> {
  await sampleHome(household.home);
  const pages = Array.from({ length: 3 }, (_, page) => [`Page ${page + 1}`, 'Plum jam', 'Makes seven jars.']);
  await fillHome(household.home, {
    'Gran’s recipes.pdf': makePdf(pages),
    'Notes.md': '# Plum jam\n\nHalve the *plums*.\n\n- sugar\n- lemon\n',
    'Lake.jpg': await picture(5),
    'Birthday/Secret plan.txt': 'Nobody may read this',
    'Together/First.txt': 'What is there already',
  });
  await writeFile(
    `${household.home}/Drawing.svg`,
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  );
}

/** @returns the path of the page that a link leads to */
export async function linkTo(
  household: Household,
  path: string,
  form: Record<string, string | number> = {},
): Promise<string> {
  const api = await household.signIn();
  const reply = await api.post('files/weblink', { path, ...form });
  if (reply.status !== 200) throw new Error(`no link: ${reply.text}`);
  const url = new URL(reply.body.data.url);
  return url.pathname + url.search;
}
