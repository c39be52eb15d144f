import { z } from 'zod';
import { operationsFor } from '../http/operation.ts';
import { integer, itemName, orNothing, text, textList } from '../http/request/parameters.ts';
import { CONDITION_HEADERS, CONDITIONS, preconditionsOf } from '../http/request/preconditions.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { MetadataContext } from './context.ts';
import { MAX_RATING } from './marks.ts';
import { setLabel } from './set-label.ts';
import { setRating } from './set-rating.ts';
import { addTags, removeTags } from './tags.ts';

const { json } = operationsFor<Principal, Scope>();

const data = z.object({});

/** Tags, ratings and labels. They stay with an item, also in the trash, and are not copied with it. */
export const markOperations = (context: MetadataContext) => [
  json({
    path: 'files/label',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Label a file or folder',
    description: `\`text\`, or \`text|color\` with \`#rgb\` or \`#rrggbb\`; an empty value removes the label. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({ ...itemName(), label: text().describe('text, or text|color; empty removes the label.') }),
    data,
    run: async ({ params, principal, request }) => {
      await setLabel(context, principal, params, params.label, preconditionsOf(request.headers));
      return {};
    },
  }),

  json({
    path: 'files/rating',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Rate a file or folder',
    description: `0 to 5 stars; an empty value removes the rating. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({
      ...itemName(),
      rating: orNothing(integer({ min: 0, max: MAX_RATING })).describe('Number of stars; empty removes the rating.'),
    }),
    data,
    run: async ({ params, principal, request }) => {
      await setRating(context, principal, params, params.rating, preconditionsOf(request.headers));
      return {};
    },
  }),

  json({
    path: 'files/tags/add',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Add tags to a file or folder',
    description: `Each tag is \`text\` or \`text|color\`. An item has at most 100 tags of at most 100 characters each. An existing tag, compared without case, gets the new color. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({ ...itemName(), tags: textList().describe('Tags, each text or text|color.') }),
    data,
    run: async ({ params, principal, request }) => {
      await addTags(context, principal, params, params.tags, preconditionsOf(request.headers));
      return {};
    },
  }),

  json({
    path: 'files/tags/remove',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Remove tags from a file or folder',
    description: `Tags are compared without case. ${CONDITIONS}`,
    honours: CONDITION_HEADERS,
    params: z.object({ ...itemName(), tags: textList().describe('Tags, each text or text|color.') }),
    data,
    run: async ({ params, principal, request }) => {
      await removeTags(context, principal, params, params.tags, preconditionsOf(request.headers));
      return {};
    },
  }),
];
