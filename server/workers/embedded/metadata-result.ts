import type { OpenInherited } from '../inherited-file.ts';
import type { EmbeddedDate } from './dates.ts';
import {
  type Embedded,
  type EmbeddedKey,
  MAX_EMBEDDED_DESCRIPTION,
  MAX_EMBEDDED_VALUE,
  MAX_EMBEDDED_VALUES,
  MAX_GROUP_ID,
} from './jobs.ts';

/** Adds the embedded metadata of a file to `findings`. @throws JobError */
export type ReadEmbedded = (file: OpenInherited, result: MetadataResult) => Promise<void>;

const LONG = new Set<EmbeddedKey>(['image.description', 'document.description']);

/** Collects embedded metadata, cleaned. */
export class MetadataResult {
  readonly #values = new Map<EmbeddedKey, Set<string>>();
  #takenAt: number | null = null;
  #place: Embedded['place'] = null;
  #group: Embedded['group'] = { pairId: null, burstId: null, milliseconds: null };
  #film: Embedded['film'] = null;

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** Adds values; empty and duplicate ones are left out. */
  add(key: EmbeddedKey, ...values: readonly unknown[]): void {
    for (const value of values) {
      const text = cleaned(value, LONG.has(key));
      if (text === '') continue;
      const there = this.#values.get(key) ?? new Set();
      if (there.size < MAX_EMBEDDED_VALUES) this.#values.set(key, there.add(text));
    }
  }

  /** Adds the first non-empty value, unless the field has one. */
  first(key: EmbeddedKey, ...values: readonly unknown[]): void {
    if (this.#values.has(key)) return;
    const value = values.find((one) => cleaned(one, LONG.has(key)) !== '');
    this.add(key, value);
  }

  moment(key: EmbeddedKey, moment: EmbeddedDate | null): void {
    if (moment !== null) this.first(key, moment.text);
  }

  taken(key: 'image.taken' | 'video.taken', moment: EmbeddedDate | null): void {
    if (moment === null || this.#values.has(key)) return;
    this.moment(key, moment);
    this.#takenAt = moment.at;
  }

  /** Degrees. Cameras without a location write zeros. */
  place(key: 'image.place' | 'video.place', latitude: unknown, longitude: unknown): void {
    if (this.#place !== null || !isWithin(latitude, 90) || !isWithin(longitude, 180)) return;
    if (latitude === 0 && longitude === 0) return;
    this.#place = { latitude: rounded(latitude, 7), longitude: rounded(longitude, 7) };
    this.first(key, `${rounded(latitude, 5)}, ${rounded(longitude, 5)}`);
  }

  /** Pixels, as displayed. */
  dimensions(key: 'image.dimensions' | 'video.dimensions', width: unknown, height: unknown): void {
    if (isCount(width) && isCount(height)) this.first(key, `${width} × ${height}`);
  }

  /** Seconds. */
  duration(key: 'video.duration' | 'audio.duration', seconds: unknown): void {
    // Not by what it may not be: a damaged file may have a length that is no number.
    const isKnown = typeof seconds === 'number' && seconds > 0 && seconds < MAX_SECONDS;
    if (!isKnown || this.#values.has(key)) return;
    this.first(key, clock(seconds));
    if (key === 'video.duration') this.#group = { ...this.#group, milliseconds: Math.round(seconds * 1_000) };
  }

  /** What cameras write into photos and films that belong together. Other texts than identifiers are left out. */
  belongsTo(key: 'pairId' | 'burstId', id: string | undefined): void {
    const text = cleaned(id, false);
    if (text !== '' && text.length <= MAX_GROUP_ID) this.#group = { ...this.#group, [key]: text };
  }

  /** Where the film in a photo is. */
  contains(film: Embedded['film'] | undefined): void {
    this.#film ??= film ?? null;
  }

  /** The first rating that there is, from 1 to 5 stars: no stars are no rating. */
  stars(key: 'image.rating' | 'video.rating', ...ratings: readonly (number | undefined)[]): void {
    const stars = ratings.find((rating) => rating !== undefined) ?? 0;
    if (stars > 0) this.first(key, stars);
  }

  all(): Embedded {
    const fields = [...this.#values].map(([key, values]) => ({ key, values: [...values] }));
    return { fields, takenAt: this.#takenAt, place: this.#place, group: this.#group, film: this.#film };
  }
}

/** A thousand hours: longer values are wrong. */
const MAX_SECONDS = 3_600_000;
const MAX_SIDE = 1_000_000;

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= MAX_SIDE;
}

/** To so many decimals, without trailing zeros. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

/** `1:02:03`, or `2:03`. */
function clock(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** One line, or several for descriptions, of well-formed text without control characters; empty if it is not text. */
function cleaned(value: unknown, isLong: boolean): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const limit = isLong ? MAX_EMBEDDED_DESCRIPTION : MAX_EMBEDDED_VALUE;
  // Truncated before cleaning, because a value may be megabytes long.
  const lines = String(value)
    .slice(0, limit * 4)
    .replace(/\r\n?/g, '\n');
  const text = lines.replace(isLong ? /[^\P{Cc}\n]+/gu : /\p{Cc}+/gu, ' ').trim();
  // Truncation may have split a surrogate pair.
  return text
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed()
    .trim();
}
