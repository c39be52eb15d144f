import { MEMBERS, path, post, type Row } from './permission-members.ts';

const NO_IMPORT = { import: '00000000-0000-4000-8000-000000000000' };
const MAY_NOT_BRING = { readonly: '403 readonly', noupload: '403 upload' } as const;
const allGet = (refusal: string) => Object.fromEntries(Object.keys(MEMBERS).map((member) => [member, refusal]));

/** Who may bring files may import them; everyone may look at what was imported. */
export const IMPORT_ROWS: readonly Row[] = [
  {
    of: 'imports/add',
    what: 'an archive',
    call: (api) => api.post('imports/add', { 'paths[]': [path('packed.zip')], target: path('other') }),
    refused: MAY_NOT_BRING,
  },
  { of: 'imports/list', what: 'all', call: post('imports/list', {}), refused: {} },
  { of: 'imports/item', what: 'none', call: post('imports/item', NO_IMPORT), refused: allGet('404 not_found') },
  { of: 'imports/cancel', what: 'none', call: post('imports/cancel', NO_IMPORT), refused: allGet('404 not_found') },
  {
    of: 'imports/resume',
    what: 'none',
    call: post('imports/resume', NO_IMPORT),
    refused: { ...allGet('404 not_found'), ...MAY_NOT_BRING },
  },
];
