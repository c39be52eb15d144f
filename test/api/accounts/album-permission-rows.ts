import type { ApiClient } from '../../support/requests/api-client.ts';
import { path, post, type Row } from './permission-members.ts';

/** Everyone may have albums. */
export const ALBUM_ROWS: readonly Row[] = [
  { of: 'albums/list', what: 'all', call: post('albums/list', {}), refused: {} },
  { of: 'albums/items', what: 'of favourites', call: post('albums/items', { album: 'favourites' }), refused: {} },
  { of: 'albums/add', what: 'a list', call: post('albums/add', { title: 'Summer' }), refused: {} },
  { of: 'albums/folder', what: 'a folder', call: post('albums/folder', { path: path('folder') }), refused: {} },
  ...(
    [
      ['albums/edit', { title: 'Winter' }],
      ['albums/items/add', { items: JSON.stringify([{ path: path('drawing.svg') }]) }],
      ['albums/items/remove', { items: JSON.stringify([{ uuid: '00000000-0000-4000-8000-000000000000' }]) }],
      ['albums/delete', {}],
    ] as const
  ).map(([of, form]) => ({
    of,
    what: 'a list',
    call: async (api: ApiClient) => {
      const { body } = await api.post('albums/add', { title: 'Summer' });
      return api.post(of, { album: body.data.album, ...form });
    },
    refused: {},
  })),
  ...(['albums/shares', 'albums/share', 'albums/unshare', 'albums/items/add'] as const).map((of) => ({
    of,
    what: 'a shared list',
    call: async (api: ApiClient) => {
      const { album } = (await api.post('albums/add', { title: 'Summer' })).body.data;
      const shared = await api.post('albums/share', { album, uid: 1, role: 'view' });
      if (of === 'albums/share' || (of === 'albums/unshare' && shared.status !== 200)) return shared;
      const items = JSON.stringify([{ path: path('drawing.svg') }]);
      return api.post(of, {
        album,
        ...(of === 'albums/unshare' ? { uid: 1 } : of === 'albums/items/add' ? { items } : {}),
      });
    },
    refused: of === 'albums/share' || of === 'albums/unshare' ? { noshare: '403 share' } : {},
  })),
  ...(['albums/link', 'albums/links', 'albums/unlink'] as const).map((of) => ({
    of,
    what: 'a list',
    call: async (api: ApiClient) => {
      const { album } = (await api.post('albums/add', { title: 'Summer' })).body.data;
      await api.post('albums/items/add', { album, items: JSON.stringify([{ path: path('drawing.svg') }]) });
      const linked = await api.post('albums/link', { album });
      return of === 'albums/link' || linked.status !== 200 ? linked : api.post(of, { album });
    },
    refused: { nolink: '403 weblink', nodownload: '403 download' } as const,
  })),
];
