import { z } from 'zod';
import { operationsFor } from '../http/operation.ts';
import { integer, orNothing, text, textList, virtualPath } from '../http/request/parameters.ts';
import type { Principal } from '../oauth/bearer.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { MetadataContext } from './context.ts';
import { MAX_RATING } from './marks.ts';
import { setLabel } from './set-label.ts';
import { setRating } from './set-rating.ts';
import { addTags, removeTags } from './tags.ts';

const { json } = operationsFor<Principal, Scope>();

const path = () => virtualPath();
const data = z.object({});

/** Tags, ratings and labels. They stay with an item, also in the trash, and are not copied with it. */
export const markOperations = (context: MetadataContext) => [
  json({
    path: 'files/label',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Label a file or folder',
    description: '`text`, or `text|color` with `#rgb` or `#rrggbb`; empty takes the label away.',
    params: z.object({ path: path(), label: text().describe('text, or text|color; empty takes it away.') }),
    data,
    run: async ({ params, principal }) => {
      await setLabel(context, principal, params.path, params.label);
      return {};
    },
  }),

  json({
    path: 'files/rating',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Rate a file or folder',
    description: 'With 0 to 5 stars; empty takes the rating away.',
    params: z.object({
      path: path(),
      rating: orNothing(integer({ min: 0, max: MAX_RATING })).describe('Stars; empty takes them away.'),
    }),
    data,
    run: async ({ params, principal }) => {
      await setRating(context, principal, params.path, params.rating);
      return {};
    },
  }),

  json({
    path: 'files/tags/add',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Put tags on a file or folder',
    description:
      'Each `text`, or `text|color`. At most 100 on one item, of 100 characters each. One that is there already, in whatever case, takes on the color.',
    params: z.object({ path: path(), tags: textList().describe('Each text, or text|color.') }),
    data,
    run: async ({ params, principal }) => {
      await addTags(context, principal, params.path, params.tags);
      return {};
    },
  }),

  json({
    path: 'files/tags/remove',
    methods: ['GET', 'POST'],
    scopes: ['metadata'],
    summary: 'Take tags off a file or folder',
    description: 'In whatever case they are written.',
    params: z.object({ path: path(), tags: textList().describe('Each text, or text|color.') }),
    data,
    run: async ({ params, principal }) => {
      await removeTags(context, principal, params.path, params.tags);
      return {};
    },
  }),
];
