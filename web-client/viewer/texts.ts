// What the page says to the scripts of its frame.

import type { viewerScriptTexts } from '../../server/web/viewer/texts.ts';

export type ViewerTexts = typeof viewerScriptTexts;
