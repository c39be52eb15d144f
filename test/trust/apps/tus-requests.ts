import { randomBytes } from 'node:crypto';
import { metadataOf } from '../../support/requests/tus.ts';
import { HOSTILE_PATHS, HOSTILE_TEXTS } from '../values/hostile-values.ts';
import type { MadeRequest, Maker } from './made-request.ts';

const METHODS = ['POST', 'POST', 'POST', 'PATCH', 'PATCH', 'PATCH', 'HEAD', 'HEAD', 'DELETE', 'OPTIONS', 'GET', 'PUT'];
const LENGTHS = ['0', '1', '5', '10', '2000'];
const CHECKSUMS = [
  'sha1 x',
  'md5 AAAA',
  'sha256 ',
  'crc32 AAAAAA==',
  'none',
  'sha1',
  'sha1 Lve95gjOVATpfV8EL5X4nxwjKHE=',
];

/** Requests of tus 1.0.0, with random and mutated headers. */
export function tusRequest(maker: Maker): MadeRequest {
  const { random } = maker;
  const method = random.pick(METHODS);
  const isOfUpload = method === 'POST' || method === 'OPTIONS' ? random.chance(0.1) : random.chance(0.95);
  const path = isOfUpload
    ? maker.learnedOr('upload', ['/tus/none', `/tus/${'0'.repeat(32)}`])
    : random.pick(['/tus/', '/tus', '/tus/']);
  const body = bodyOf(maker, method);
  const headers = {
    authorization: `Bearer ${maker.bearer}`,
    'tus-resumable': maker.value(['1.0.0'], ['1.0.1', '', 'x', '1.0.0, 1.0.0']),
    ...(method === 'POST' ? creationHeaders(maker) : {}),
    ...(method === 'PATCH' ? { 'upload-offset': maker.number(['0', '0', '1', '5']) } : {}),
    ...(body === null ? {} : { 'content-type': maker.value(['application/offset+octet-stream'], ['text/plain', '']) }),
    ...maker.headers({ 'upload-checksum': () => maker.value(CHECKSUMS) }, 0.15),
    ...(maker.isSensible ? {} : maker.headers(rarely(maker), 0.12)),
  };
  return { method, path: addressOf(maker, path), headers, body };
}

/** An address that an earlier reply contained is a whole one, or only a path. */
function addressOf(maker: Maker, path: string): string {
  if (path.startsWith('/tus')) return path;
  return `/tus/${maker.encodedPath(['none'])}`;
}

function creationHeaders(maker: Maker): Record<string, string> {
  const { random } = maker;
  const filename = maker.value([`sent ${random.below(30)}.txt`, 'file 1.txt'], [...HOSTILE_PATHS, ...HOSTILE_TEXTS]);
  const folder = maker.value(['/ROOT/HOME', '/ROOT/HOME/Work', '/ROOT/HOME/Photos'], HOSTILE_PATHS);
  const whole = metadataOf({
    filename: filename.toWellFormed(),
    ...(random.chance(0.7) ? { path: folder.toWellFormed() } : {}),
    ...(random.chance(0.2) ? { lastModified: maker.number(['1000000000', '0']) } : {}),
    ...(random.chance(0.2) ? { filetype: 'text/plain' } : {}),
  });
  const metadata = random.pick([
    '',
    'filename',
    'filename !',
    `filename ${'A'.repeat(3_000)}`,
    'filename YQ==,filename YQ==',
    'filename 77+9gA==',
    ' , ,',
  ]);
  return {
    'upload-length': maker.number(LENGTHS),
    'upload-metadata': maker.isSensible || random.chance(0.7) ? whole : metadata,
  };
}

function rarely(maker: Maker): Record<string, () => string> {
  const { random } = maker;
  return {
    'upload-concat': () => random.pick(['partial', 'final;/tus/a /tus/b', 'final', 'final;https://x/tus/a']),
    'upload-defer-length': () => random.pick(['1', '0', 'x']),
    'upload-length': () => maker.number(LENGTHS),
    'upload-offset': () => maker.number(LENGTHS),
    'upload-metadata': () => random.pick(HOSTILE_TEXTS),
    'x-http-method-override': () =>
      random.pick(['PATCH', 'delete', 'HEAD', 'constructor', '__proto__', 'GET', 'OPTIONS']),
    origin: () => random.pick(['https://elsewhere.example', 'null']),
  };
}

function bodyOf({ random }: Maker, method: string): Buffer | null {
  if (method === 'PATCH') return randomBytes(random.pick([0, 1, 5, 10, 2_000]));
  if (method === 'POST' || method === 'PUT') return random.chance(0.4) ? randomBytes(random.pick([0, 1, 5, 10])) : null;
  return null;
}
