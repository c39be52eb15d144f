import type { Accounts } from '../accounts/accounts.ts';
import type { Home } from '../catalogue/homes.ts';
import { metadataHandlers } from '../control/handlers/metadata.ts';
import type { Database } from '../database/database.ts';
import { createDefinitions } from '../fields/definitions.ts';
import { createEditDefinitions } from '../fields/edit-definitions.ts';
import type { FilesContext } from '../files/context.ts';
import { withItem } from '../files/with-file.ts';
import type { EmbeddedIndex } from '../media/embedded/embedded-index.ts';
import type { MetadataContext } from '../metadata/context.ts';
import { labelsIn } from '../metadata/labels.ts';
import { markOperations } from '../metadata/mark-operations.ts';
import { metadataOperations } from '../metadata/operations.ts';

interface MetadataParts {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly embedded: Pick<EmbeddedIndex, 'readNow' | 'placeOf'>;
}

/**
 * Composes metadata.
 * @param parts with the database whose writes invalidate everything, since definitions are cached between them
 */
export function composeMetadata(files: FilesContext, { database, accounts, embedded }: MetadataParts) {
  const context: MetadataContext = {
    ...files,
    definitions: createDefinitions(database),
    // Read without a lock, because it may take a while.
    embedded: async (target) => embedded.readNow((await withItem(files, target, async (found) => found)).item),
    placeOf: (itemId) => embedded.placeOf(itemId),
  };
  return {
    context,
    operations: [...metadataOperations(context), ...markOperations(context)],
    handlers: metadataHandlers({ database, accounts, editing: createEditDefinitions(database, files.events) }),
    /** For listings. */
    labels: ({ id }: Home) => labelsIn(database, id),
  };
}
