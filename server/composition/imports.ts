import type { Accounts } from '../accounts/accounts.ts';
import type { Homes } from '../catalogue/homes.ts';
import type { ImportChangesContext } from '../imports/change-imports.ts';
import type { ImportContext } from '../imports/context.ts';
import { type ImportFolderRules, ownPlace } from '../imports/import-folder-path.ts';
import { createImporter, type Importer } from '../imports/importer.ts';
import { createImports } from '../imports/imports.ts';

export interface ImportParts {
  /** What is the household's own on the disk. */
  readonly folderRules: () => Promise<ImportFolderRules>;
  readonly context: ImportChangesContext;
  readonly importer: Importer;
}

/** Composes imports from other services. */
export function composeImports(
  files: Omit<ImportContext, 'imports' | 'accounts' | 'ownPlace'>,
  accounts: Accounts,
  { larder, homes }: { readonly larder: string; readonly homes: Pick<Homes, 'records'> },
): ImportParts {
  const folderRules = async () => ({ larder, homes: (await homes.records()).map(({ homeRoot }) => homeRoot.root) });
  const context: ImportContext = {
    ...files,
    accounts,
    imports: createImports(files.database, files.clock),
    ownPlace: async (folder) => ownPlace(folder, await folderRules()),
  };
  const importer = createImporter(context);
  return { context: { ...context, importer }, importer, folderRules };
}
