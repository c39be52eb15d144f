import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { PERMISSION_GROUPS } from '../../../dist/renderer-modules/panel/people/roles/permissions.js';
import { permissionsSchema } from '../../../dist/server/accounts/permissions/permissions.js';

const SERVER = new URL('../../../server/', import.meta.url);
/** Files that declare, validate and store permissions, regardless of their effect. */
const DECLARATIONS = [
  'accounts/permissions.ts',
  'people/account-parameters.ts',
  'database/migrations/',
  'accounts/administration.ts',
];
/** Of the document (§2.8), stored and returned, but not offered, because those areas are the owner's. */
const WITHOUT_EFFECT = ['admin_notifications', 'admin_logs', 'admin_metadata'];

it('the panel offers exactly the switches that have an effect', async () => {
  const names = (await readdir(SERVER, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !DECLARATIONS.some((one) => name.startsWith(one)),
  );
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, SERVER), 'utf8')));
  const hasEffect = (permission: string) =>
    sources.some((source) => new RegExp(`[Pp]ermissions\\.${permission}\\b|'${permission}'`).test(source));
  const offered = Object.values(PERMISSION_GROUPS).flat();
  for (const permission of offered) expect([permission, hasEffect(permission)]).toEqual([permission, true]);
  const switches = Object.entries(permissionsSchema.parse({})).filter(([, value]) => typeof value === 'boolean');
  const missing = switches.map(([name]) => name).filter((name) => !offered.some((one) => one === name));
  expect(missing.sort()).toEqual([...WITHOUT_EFFECT].sort());
});
