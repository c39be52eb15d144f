import { createMessages } from '../../server/lib/messages/messages.ts';
import { application } from './application.ts';
import { folder } from './folder.ts';
import { server } from './server.ts';

/** Every text that the application itself shows. What its window shows is in `renderer/messages`. */
export const catalogue = { ...application, ...folder, ...server } as const;

export const t = createMessages(catalogue);
