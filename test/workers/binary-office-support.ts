import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type BinaryOfficeFiles = ReadonlyMap<string, Buffer>;

const PACKED = fileURLToPath(new URL('../fixtures/documents/binary-office.tar.gz', import.meta.url));

/** The documents that LibreOffice has saved as Word, Excel and PowerPoint did before 2007, by their names. */
export function openBinaryOffice(): BinaryOfficeFiles {
  const folder = mkdtempSync(join(tmpdir(), 'larder-binary-office-'));
  try {
    execFileSync('tar', ['-xzf', PACKED, '-C', folder]);
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
