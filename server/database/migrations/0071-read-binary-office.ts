import type { Migration } from './migration.ts';

const READ = ['doc', 'dot', 'xls', 'ppt', 'pps'].map((extension) => `name LIKE '%.${extension}'`).join(' OR ');

const read = (table: 'text_states' | 'embedded_states') =>
  `UPDATE ${table} SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty', 'failed')
     AND item_id IN (SELECT id FROM items WHERE is_dir = 0 AND (${READ}))`;

/** Files of Word, Excel and PowerPoint before 2007 are read now, in the background. */
export const readBinaryOffice: Migration = {
  name: '0071-read-binary-office',
  statements: [read('text_states'), read('embedded_states')],
};
