import { albumLinkOperations } from '../../albums/link-operations.ts';
import { albumOperations } from '../../albums/operations.ts';
import { commentOperations } from '../../comments/operations.ts';
import { filesOperations } from '../../files/operations.ts';
import { importOperations } from '../../imports/operations.ts';
import { ListingBodies } from '../../listing/listing-bodies.ts';
import { listingOperations } from '../../listing/operations.ts';
import { sharingOperations } from '../../sharing/operations.ts';
import { starOperations } from '../../stars/operations.ts';
import { weblinkOperations } from '../../weblinks/operations.ts';
import type { Files } from '../files.ts';
import type { Sharing } from '../sharing.ts';

export type AppOperation = ReturnType<typeof composeOperations>[number];

/** The operations of the API, in the order in which its description lists them. */
export function composeOperations(
  { context, uploads, archives, stars, albums, imports, comments, metadata, thumbnailParts }: Files,
  { people, listing, context: sharing, albumShares, weblinks }: Sharing,
  basePath: string,
) {
  return [
    ...people.operations,
    ...listingOperations({ ...listing, bodies: new ListingBodies() }, basePath),
    ...starOperations(context, stars),
    ...albumOperations({ ...context, ...listing, albums, sharing, albumShares }, basePath),
    ...albumLinkOperations({ ...context, albums }, weblinks.context, basePath),
    ...importOperations(imports.context),
    ...commentOperations({ ...context, comments }),
    ...metadata.operations,
    ...filesOperations({ ...uploads, archives }),
    ...thumbnailParts.operations,
    ...sharingOperations(sharing, basePath),
    ...weblinkOperations(weblinks.context, basePath),
  ];
}
