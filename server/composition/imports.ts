import type { Accounts } from '../accounts/accounts.ts';
import type { ImportChangesContext } from '../imports/change-imports.ts';
import type { ImportContext } from '../imports/context.ts';
import { createImporter, type Importer } from '../imports/importer.ts';
import { createImports } from '../imports/imports.ts';

export interface ImportParts {
  readonly context: ImportChangesContext;
  readonly importer: Importer;
}

/** Composes imports from other services. */
export function composeImports(files: Omit<ImportContext, 'imports' | 'accounts'>, accounts: Accounts): ImportParts {
  const context: ImportContext = { ...files, accounts, imports: createImports(files.database, files.clock) };
  const importer = createImporter(context);
  return { context: { ...context, importer }, importer };
}
