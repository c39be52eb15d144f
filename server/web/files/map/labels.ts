import type { MapArea } from '../../../catalogue/photo-places.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { shownAt } from './view.ts';

/** A name on the map. */
interface MapLabel {
  readonly name: string;
  /** Its middle, in degrees; the longitude is within the area, which may go beyond 180° east or west. */
  readonly latitude: number;
  readonly longitude: number;
}

/** A region of ISO 3166-1 or UN M49, which `Intl` has the names of, with its latitude and longitude. */
type Region = readonly [code: string, latitude: number, longitude: number];

/** From this zoom on, countries are named, and continents before. */
const COUNTRIES_FROM = 1.3;
/** The part of the width and the height of a view that a name takes: two names are not nearer to each other. */
const ROOM = { width: 0.16, height: 0.1 };
/** The part of a view along its edges where no name begins. */
const EDGE = { width: 0.06, height: 0.04 };
/** The part that the picture of a place takes: a name behind it could not be read. */
const PICTURE = { width: 0.13, height: 0.15 };
const MAX_LABELS = 24;

const CONTINENTS: readonly Region[] = [
  ['142', 46, 95],
  ['002', 6, 20],
  ['003', 46, -101],
  ['005', -14, -58],
  ['150', 53, 20],
  ['009', -25, 134],
];

/** The largest first: where there is no room for all of them, they are named. In whole degrees, where their name is read best. */
const COUNTRIES: readonly Region[] = [
  ...rows('RU 62 96 CA 58 -108 US 39 -98 CN 35 103 BR -10 -53 AU -25 134 IN 22 79 AR -35 -65 KZ 48 67 DZ 28 3'),
  ...rows('CD -3 23 GL 73 -41 SA 24 45 MX 24 -103 ID -1 114 SD 15 30 LY 27 18 IR 33 54 MN 47 104 PE -10 -75'),
  ...rows('TD 15 19 NE 17 9 AO -12 18 ML 18 -2 ZA -30 24 CO 4 -73 ET 8 40 BO -17 -65 MR 20 -11 EG 27 30'),
  ...rows('TZ -6 35 NG 9 8 VE 7 -66 PK 30 69 NA -22 17 MZ -17 36 TR 39 35 CL -32 -71 ZM -14 27 MM 21 96'),
  ...rows('AF 34 66 FR 47 2 SO 4 46 CF 7 21 UA 49 31 MG -20 47 KE 0 38 BW -22 24 YE 16 48 TH 16 101'),
  ...rows('ES 40 -4 TM 39 59 CM 6 12 PG -6 144 SE 62 15 UZ 42 63 MA 32 -6 IQ 33 44 PY -23 -58 ZW -19 30'),
  ...rows('NO 61 9 JP 37 138 DE 51 10 CG -1 15 FI 64 26 VN 16 108 MY 4 102 PL 52 19 OM 21 57 IT 43 12'),
  ...rows('PH 13 122 EC -1 -78 BF 12 -2 NZ -42 172 GA -1 12 GN 11 -11 GB 53 -1 UG 1 32 GH 8 -1 RO 46 25'),
  ...rows('LA 19 103 GY 5 -59 BY 53 28 KG 41 75 SN 14 -14 SY 35 38 KH 13 105 UY -33 -56 TN 34 9 SR 4 -56'),
  ...rows('BD 24 90 NP 28 84 TJ 39 71 GR 39 22 NI 13 -85 KP 40 127 MW -13 34 ER 15 39 BJ 10 2 HN 15 -87'),
  ...rows('LR 6 -9 BG 43 25 CU 22 -79 GT 15 -90 IS 65 -19 KR 36 128 HU 47 19 PT 40 -8 JO 31 36 RS 44 21'),
  ...rows('AZ 40 48 AT 47 14 AE 24 54 CZ 50 15 PA 9 -80 SL 8 -12 IE 53 -8 GE 42 44 LK 7 81 LT 55 24'),
  ...rows('LV 57 25 HR 45 16 CR 10 -84 SK 49 19 DO 19 -70 EE 59 26 DK 56 9 NL 52 5 CH 47 8 BE 51 4'),
  ...rows('AL 41 20 IL 31 35 SB -9 160 SI 46 15 FJ -18 178 NC -21 165 VU -16 167 CY 35 33 JM 18 -77 WS -14 -172'),
];

/** Regions that are written one after the other, to be read as a table. */
function rows(text: string): Region[] {
  const words = text.split(' ');
  return Array.from({ length: words.length / 3 }, (_, index) => {
    const [code = '', latitude, longitude] = words.slice(index * 3, index * 3 + 3);
    return [code, Number(latitude), Number(longitude)];
  });
}

type Point = Pick<MapLabel, 'latitude' | 'longitude'>;

/**
 * The names of continents or countries in a part of the map, as far as there is room for them.
 * @param pictures where places have their pictures
 */
export function labelsIn(area: MapArea, zoom: number, pictures: readonly Point[]): MapLabel[] {
  const names = new Intl.DisplayNames(LOCALE, { type: 'region' });
  const [width, height] = [area.east - area.west, area.north - area.south];
  const labels: MapLabel[] = [];
  for (const [code, latitude, middle] of zoom < COUNTRIES_FROM ? CONTINENTS : COUNTRIES) {
    const longitude = shownAt(middle, area);
    const fromWest = Math.min(longitude - area.west, area.east - longitude) / width;
    const fromNorth = Math.min(area.north - latitude, latitude - area.south) / height;
    if (fromWest < EDGE.width || fromNorth < EDGE.height) continue;
    const isNear = (other: Point, room: typeof ROOM) =>
      Math.abs(other.longitude - longitude) < width * room.width &&
      Math.abs(other.latitude - latitude) < height * room.height;
    const isTaken = labels.some((other) => isNear(other, ROOM)) || pictures.some((picture) => isNear(picture, PICTURE));
    if (isTaken) continue;
    labels.push({ name: names.of(code) ?? code, latitude, longitude });
    if (labels.length === MAX_LABELS) break;
  }
  return labels;
}
