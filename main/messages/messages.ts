import { createMessages } from '../../server/lib/messages/messages.ts';
import { application } from './application.ts';
import { folder } from './folder.ts';
import { server } from './server.ts';

/** All texts of the application itself. Those of its window are in `renderer/messages`. */
export const catalogue = { ...application, ...folder, ...server } as const;

export const t = createMessages(catalogue);
