import type { AccountRecord } from '../../../accounts/accounts.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { sprite } from '../../shell/icons.ts';
import type { Abilities } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import type { NamedPath, Row } from '../context.ts';
import { emptyState } from '../frame.ts';
import { itemMenu, listFacts, selectionBar } from '../listing/list-parts.ts';
import { defaultLook } from '../listing/look.ts';
import { itemRows } from '../listing/rows.ts';
import { attributionText } from './attribution.ts';
import { labelsIn } from './labels.ts';
import type { MapTiles } from './tiles.ts';
import { areaOf, aroundWorld, type MapView, maxZoomOf, viewOf } from './view.ts';

interface ShownCluster {
  readonly count: number;
  readonly latitude: number;
  readonly longitude: number;
  /** The photo that stands for all. */
  readonly row: Row;
}

interface MapPage {
  readonly links: FilesLinks;
  /** The list of photos, by its name. */
  readonly photos: NamedPath;
  readonly view: MapView;
  readonly clusters: readonly ShownCluster[];
  readonly tiles: MapTiles | null;
  /** The newest photos of the view. */
  readonly rows: readonly Row[];
  readonly abilities: Abilities;
  readonly account: Pick<AccountRecord, 'permissions'>;
  readonly canOpen: boolean;
  readonly now: number;
  readonly icons: string;
  readonly assets: PageAssets;
}

/** Photos where they were taken. The script puts the places onto the map; without it, they are a list. */
export function mapMain(page: MapPage): Html {
  const { links, photos, view, clusters, assets } = page;
  const count = clusters.reduce((sum, one) => sum + one.count, 0);
  const area = areaOf(view);
  const { west, north, east, south } = area;
  const box = [(west + 180) * 10, (90 - north) * 10, (east - west) * 10, (north - south) * 10].map(tenth).join(' ');
  const isWorld = view.zoom === 0;
  const way = html`<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol><li><a href="${links.folder(photos.path)}">${photos.name}</a>${sprite('right')}</li></ol></nav>`;
  const head = html`<div class="head"><div class="heading"><h1>${t('map.heading')}</h1><p class="meta">${t('map.count', { count, where: isWorld ? 'world' : 'here' })}</p></div></div>`;
  if (count === 0 && isWorld) {
    return html`${assets.load('map')}${way}${head}${emptyState({ heading: t('map.empty.heading'), help: t('map.empty.help') })}`;
  }
  const at = ({ longitude, latitude }: Pick<ShownCluster, 'longitude' | 'latitude'>) =>
    html`data-x="${share(longitude, west, east)}" data-y="${share(-latitude, -north, -south)}"`;
  const places = clusters.map((cluster) => html`<li ${at(cluster)}>${place(page, cluster)}</li>`);
  // Tiles have names of their own.
  const labels = page.tiles === null ? labelsIn(area, view.zoom, clusters) : [];
  // Views go on beyond 180° east and west.
  const land = [0, -3_600, 3_600].map((x) => html`<use href="${assets.base}/world.svg#land" x="${x}"/>`);
  return html`${assets.load('map')}${way}${head}
<section class="photo-map" aria-label="${t('map.heading')}" data-address="${links.map}" data-max="${maxZoomOf(page.tiles)}"${tileFacts(page.tiles)}><div class="map-view"><svg class="world" viewBox="${box}" preserveAspectRatio="none" aria-hidden="true">${land}</svg><ul class="map-labels" aria-hidden="true">${labels.map((label) => html`<li ${at(label)}>${label.name}</li>`)}</ul><ul class="map-places" aria-label="${t('map.places')}">${places}</ul></div><p class="unseen" id="map-keys">${t('map.keys')}</p>
<div class="map-foot"><div class="map-zoom">${zoomLink(page, 1)}${zoomLink(page, -1)}</div>${source(page.tiles)}</div></section>
${photoList(page)}`;
}

/** For the script, which loads them. */
function tileFacts(tiles: MapTiles | null): Html {
  return tiles === null ? html`` : html` data-tiles="${tiles.url}" data-tile-zoom="${tiles.zoom}"`;
}

/** Whose map is shown, and that browsers load it from there. */
function source(tiles: MapTiles | null): Html {
  if (tiles === null) return html``;
  const host = tiles.origin.replace('https://', '');
  return html`<p class="map-source">${tHtml('map.source', { attribution: attributionText(tiles.attribution), host })}</p>`;
}

/** A place leads nearer to it. */
function place({ links, view, canOpen, tiles }: MapPage, { count, latitude, longitude, row }: ShownCluster): Html {
  const picture = canOpen && row.canOpen ? links.picture(row) : null;
  const image =
    picture === null ? sprite('photo') : html`<img src="${picture(200)}" loading="lazy" decoding="async" alt="">`;
  const nearer = viewOf(latitude, longitude, view.zoom + 2, maxZoomOf(tiles));
  return html`<a href="${mapLink(links, nearer)}"><span class="map-picture">${image}</span><strong>${t('map.photos', { count })}</strong><span class="map-number" aria-hidden="true">${count.toLocaleString(LOCALE)}</span><span class="map-where">${coordinates(latitude, aroundWorld(longitude))}</span></a>`;
}

function zoomLink({ links, view, tiles }: MapPage, by: 1 | -1): Html {
  const next = viewOf(view.latitude, view.longitude, Math.round(view.zoom + by), maxZoomOf(tiles));
  const label = by === 1 ? t('map.nearer') : t('map.farther');
  const icon = by === 1 ? '+' : '−';
  if (next.zoom === view.zoom) return html`<span class="button" aria-hidden="true">${icon}</span>`;
  return html`<a class="button" href="${mapLink(links, next)}" aria-label="${label}" title="${label}" data-zoom="${by}">${icon}</a>`;
}

/** What was taken in the view, the newest first. */
function photoList(page: MapPage): Html {
  const { links, rows, abilities, account, canOpen, now, icons } = page;
  if (rows.length === 0) return html``;
  const facts = listFacts({ path: '', name: t('map.heading'), total: rows.length, abilities });
  const look = { ...defaultLook(''), view: 'gallery' as const };
  const shown = itemRows({ rows, links, path: null, now, icons, abilities, account, look, canOpen, isScattered: true });
  return html`<section class="listing" ${facts}><h2>${t('map.newest')}</h2>${selectionBar(abilities)}<div class="table gallery"><ul class="items fitted-rows" aria-label="${t('files.list')}">
${shown}</ul></div>${itemMenu(abilities)}</section>`;
}

/** To a centimetre: with tiles, a view may be of a few metres. */
const degrees = (value: number): string => String(Number(value.toFixed(7)));

/** The address of a view. */
function mapLink({ map }: FilesLinks, { latitude, longitude, zoom }: MapView): string {
  // Without a zoom, the page chooses one.
  if (zoom === 0) return `${map}?zoom=0`;
  return `${map}?lat=${degrees(latitude)}&lon=${degrees(longitude)}&zoom=${Number(zoom.toFixed(2))}`;
}

/** Such as `48.1° N, 11.6° E`. */
function coordinates(latitude: number, longitude: number): string {
  const text = (value: number) =>
    Math.abs(value).toLocaleString(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return t('map.coordinates', {
    latitude: text(latitude),
    north: latitude < 0 ? 'no' : 'yes',
    longitude: text(longitude),
    east: longitude < 0 ? 'no' : 'yes',
  });
}

/** Where a value is between two others, from 0 to 1. */
const share = (value: number, from: number, to: number): string => ((value - from) / (to - from)).toFixed(4);
const tenth = (value: number): string => String(Number(value.toFixed(8)));
