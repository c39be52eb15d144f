import type { Migration } from './migration.ts';

const endsWith = (...extensions: string[]) => extensions.map((extension) => `name LIKE '%.${extension}'`).join(' OR ');

const OFFICE = endsWith('docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'pptx', 'pptm', 'ppsx', 'csv', 'tsv');
const MEDIA = endsWith('mp4', 'm4v', 'mov', '3gp', '3g2', 'mp3');

const read = (table: 'text_states' | 'embedded_states', which: string) =>
  `UPDATE ${table} SET state = 'waiting', tries = 0 WHERE state IN ('indexed', 'empty', 'failed')
     AND item_id IN (SELECT id FROM items WHERE is_dir = 0 AND (${which}))`;

/**
 * Files of which more is read now are read again, in the background: texts in more encodings, messages, contacts, web pages, parts of
 * Office files, and what is written in photos, films and songs.
 */
export const readMoreKinds: Migration = {
  name: '0078-read-more-kinds',
  statements: [
    read('text_states', `kind IN ('text', 'code') OR ${OFFICE}`),
    read('embedded_states', `(kind IN ('image', 'raw') AND name NOT LIKE '%.bmp') OR ${MEDIA}`),
  ],
};
