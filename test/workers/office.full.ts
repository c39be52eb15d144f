import { afterAll, beforeAll } from 'vitest';
import { compareFamily } from './reference/harness.ts';
import { DIFFERENCES } from './reference/known-differences.ts';
import { libreOffice, readByLarder } from './reference/office/by-libreoffice.ts';
import { officeFiles } from './reference/office/files.ts';
import { openTextReader, type TextReading } from './text-support.ts';

const files = officeFiles();
const names = [...files.keys()];

let reading: TextReading;
beforeAll(async () => {
  reading = await openTextReader();
});
afterAll(() => reading.close());

compareFamily({
  name: 'office',
  files,
  program: libreOffice(names),
  larder: (folder) => readByLarder(reading, folder, names),
  differences: DIFFERENCES.office,
});
