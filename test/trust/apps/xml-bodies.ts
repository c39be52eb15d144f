import { escaped } from '../access/app-inputs.ts';
import { HOSTILE_PATHS, HOSTILE_TEXTS } from '../values/hostile-values.ts';
import type { Maker } from './made-request.ts';

const NAMESPACES = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
const PROPERTIES = [
  ...['d:displayname', 'd:getetag', 'd:resourcetype', 'd:getcontentlength', 'd:quota-used-bytes', 'd:lockdiscovery'],
  ...[
    'oc:fileid',
    'oc:id',
    'oc:permissions',
    'oc:size',
    'oc:favorite',
    'oc:share-types',
    'oc:checksums',
    'nc:has-preview',
  ],
  ...[
    'nc:trashbin-filename',
    'nc:trashbin-original-location',
    'd:creationdate',
    'd:getcontenttype',
    'd:getlastmodified',
  ],
  ...['nc:metadata-photos-original_date_time', 'nc:rich-workspace', 'd:acl'],
];

/** What a document may be that attacks its reader: entities, depth, size and what is not well-formed. */
export const HOSTILE_XML: readonly string[] = [
  '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><x>&b;</x>',
  '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&f;</x>',
  '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd"><x/>',
  '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><x/>',
  `<d:propfind xmlns:d="DAV:"><d:prop>${'<x>'.repeat(5_000)}${'</x>'.repeat(5_000)}</d:prop></d:propfind>`,
  `<d:propfind xmlns:d="DAV:"><d:prop>${'<x/>'.repeat(20_000)}</d:prop></d:propfind>`,
  `<x ${Array.from({ length: 12_000 }, (_, n) => `a${n}=""`).join(' ')}/>`,
  `<x>${'a'.repeat(600_000)}</x>`,
  `<x xmlns="${'n'.repeat(200_000)}"/>`,
  `<!--${'-'.repeat(1_000)}`,
  '<?xml version="1.1"?><x/>',
  '<?xml version="1.0" encoding="UTF-16"?><x/>',
  '<x>&#0;&#xffff;&#xd800;</x>',
  '<x>&#x110000;</x>',
  '<x/><x/>',
  '',
  ' ',
];

/** A body for a method, sensible or not. */
export function davBody(maker: Maker, method: string): string | null {
  const { random } = maker;
  if (!maker.isSensible && random.chance(0.15)) return random.pick(HOSTILE_XML);
  if (method === 'PROPFIND') return random.chance(0.2) ? '' : maker.mutated(propfind(maker));
  if (method === 'PROPPATCH') return maker.mutated(propertyUpdate(maker));
  if (method === 'LOCK') return random.chance(0.1) ? '' : maker.mutated(lockInfo(maker));
  if (method === 'SEARCH') return maker.mutated(search(maker));
  if (method === 'REPORT') return maker.mutated(filterFiles(maker));
  return maker.isSensible ? '' : random.pick(['', 'x', random.pick(HOSTILE_TEXTS).slice(0, 500)]);
}

const propertiesOf = ({ random }: Maker) =>
  Array.from({ length: random.below(8) }, () => `<${random.pick(PROPERTIES)}/>`).join('');

function propfind(maker: Maker): string {
  const form = maker.random.pick([
    '<d:allprop/>',
    '<d:propname/>',
    `<d:prop>${propertiesOf(maker)}</d:prop>`,
    `<d:allprop/><d:include>${propertiesOf(maker)}</d:include>`,
  ]);
  return `<?xml version="1.0"?><d:propfind ${NAMESPACES}>${form}</d:propfind>`;
}

function propertyUpdate(maker: Maker): string {
  const { random } = maker;
  const value = escaped(maker.value(['1', 'Sun, 09 Sep 2001 01:46:40 GMT', '<x/>']).slice(0, 2_000));
  const name = random.pick(['oc:favorite', 'd:getlastmodified', 'd:displayname', 'nc:x', 'd:getetag', 'oc:tags']);
  const set = `<d:set><d:prop><${name}>${value}</${name}></d:prop></d:set>`;
  const remove = `<d:remove><d:prop><${random.pick(['nc:x', 'd:displayname', 'oc:favorite'])}/></d:prop></d:remove>`;
  return `<?xml version="1.0"?><d:propertyupdate ${NAMESPACES}>${random.pick([set, remove, set + remove, ''])}</d:propertyupdate>`;
}

function lockInfo(maker: Maker): string {
  const scope = maker.random.pick(['exclusive', 'exclusive', 'shared']);
  const owner = `<d:owner>${escaped(maker.value(['a program', '']).slice(0, 2_000))}</d:owner>`;
  return `<?xml version="1.0"?><d:lockinfo ${NAMESPACES}><d:lockscope><d:${scope}/></d:lockscope><d:locktype><d:write/></d:locktype>${owner}</d:lockinfo>`;
}

function filterFiles(maker: Maker): string {
  const rule = maker.value(
    ['<oc:favorite>1</oc:favorite>'],
    ['<oc:favorite>0</oc:favorite>', '<oc:systemtag>1</oc:systemtag>', ''],
  );
  return `<?xml version="1.0"?><oc:filter-files ${NAMESPACES}><d:prop>${propertiesOf(maker)}</d:prop><oc:filter-rules>${rule}</oc:filter-rules></oc:filter-files>`;
}

const OPERATORS = ['eq', 'lt', 'lte', 'gt', 'gte', 'like'];
const SEARCHED = [
  ...['d:displayname', 'd:getcontenttype', 'd:getlastmodified', 'oc:fileid', 'oc:favorite', 'oc:size'],
  'nc:metadata-photos-original_date_time',
];

function search(maker: Maker): string {
  const { random, username } = maker;
  const scope = escaped(
    maker
      .value(
        [`/files/${username}`, `/files/${username}/My files`, `/remote.php/dav/files/${username}/`],
        [
          ...HOSTILE_PATHS,
          '/files/mia',
          '/files',
          `/files/${username}/../mia`,
          `/files/${username}/%2e%2e/mia`,
          'https://x/files/a',
        ],
      )
      .slice(0, 2_000),
  );
  const order = `<d:orderby><d:order><d:prop><${random.pick(SEARCHED)}/></d:prop><d:descending/></d:order></d:orderby>`;
  const limit = `<d:limit><d:nresults>${maker.number(['10', '0'])}</d:nresults><nc:firstresult>${maker.number(['0', '5'])}</nc:firstresult></d:limit>`;
  return `<?xml version="1.0"?><d:searchrequest ${NAMESPACES}><d:basicsearch><d:select><d:prop>${propertiesOf(maker)}</d:prop></d:select>
<d:from><d:scope><d:href>${scope}</d:href><d:depth>${maker.value(['infinity'], ['0', '1', ''])}</d:depth></d:scope></d:from>
<d:where>${condition(maker, 0)}</d:where>${random.chance(0.3) ? order : ''}${random.chance(0.4) ? limit : ''}</d:basicsearch></d:searchrequest>`;
}

function condition(maker: Maker, level: number): string {
  const { random } = maker;
  const kind =
    level < 4 ? random.pick(['and', 'or', 'not', 'compare', 'compare', 'compare', 'is-collection']) : 'compare';
  if (kind === 'and' || kind === 'or') {
    const count = maker.isSensible ? 2 : random.pick([0, 1, 2, 3]);
    return `<d:${kind}>${Array.from({ length: count }, () => condition(maker, level + 1)).join('')}</d:${kind}>`;
  }
  if (kind === 'not') return `<d:not>${condition(maker, level + 1)}</d:not>`;
  if (kind === 'is-collection') return '<d:is-collection/>';
  const literal = escaped(
    maker.value(['%file%', 'image/%', '2001-09-09T01:46:40Z', '1600000000', '1', '00000001']).slice(0, 1_500),
  );
  const operator = random.pick(OPERATORS);
  return `<d:${operator}><d:prop><${random.pick(SEARCHED)}/></d:prop><d:literal>${literal}</d:literal></d:${operator}>`;
}
