import type { DownloadContext } from './download/context.ts';
import type { UploadContext } from './upload/context.ts';

/** What takes and gives contents works with: the API, WebDAV and the pages do both. */
export interface ContentContext extends UploadContext, DownloadContext {}
