import type { Statement } from '../table.ts';
import { needs, operation, typed } from './references.ts';

const BROWSE = 'test/api/listing/browse.test.ts';
const NAMES = 'test/api/listing/search-names.test.ts';
const META = 'test/api/listing/search-meta.test.ts';
const CONTENTS = 'test/api/listing/search-contents.test.ts';
const UPLOAD = 'test/api/uploads/upload.test.ts';
const DELETE = 'test/api/files/delete.test.ts';
const MOVE = 'test/api/files/move.test.ts';
const EXTRACT = 'test/api/files/extract.test.ts';
const FINDS = `${META}: finds by %s`;
const FOLDERS = `${UPLOAD}: requires the folder for path and creates it for filePath; with both, path decides`;
const BY_FORM = `${UPLOAD}: creates the folders of a filePath, and none for a path`;
const KEYS = `test/spec/parameters.test.ts: files/browse: details[] takes any number of keys, and recursive is off unless it is asked for`;
const TARGETS = `test/spec/parameters.test.ts: files/move and files/extract take a folder, not the path of what will be there`;
const SORTED = `${BROWSE}: sorts naturally, folders first, and by the other keys`;
const STARS =
  'test/api/listing/lists.test.ts: are put on files and folders, and listed: folders first, in natural order';

const reading: readonly Statement[] = [
  { id: '4.2.1', says: 'account/info: no parameters.', proof: operation('Account info').slice(0, 1) },
  {
    id: '4.2.2',
    says: 'account/info: the reply is the object of section 2.4.',
    proof: [
      'test/api/requests.test.ts: answers account/info at the top level and in data, all strings, with the e-mail only by its scope',
    ],
  },
  {
    id: '4.2.3',
    says: 'files/browse path: string, required. A virtual path (2.1).',
    proof: [
      needs('files/browse'),
      `${BROWSE}: refuses %s › not a path`,
      `${BROWSE}: lists the top-level entries at %s`,
    ],
  },
  // Apps in the field leave it out: then it is `any`.
  {
    id: '4.2.4',
    says: 'files/browse itemType: string; any, files or folders.',
    proof: [
      SORTED,
      typed('itemType'),
      `${BROWSE}: treats a missing itemType as any, and finds names in either Unicode form`,
    ],
  },
  {
    id: '4.2.5',
    says: 'files/browse recursive: boolean, default false. Include items from all subfolders.',
    proof: [
      KEYS,
      typed('recursive'),
      'test/api/listing/recursive.test.ts: returns a flat list in depth-first order, each with its path, without following links',
    ],
  },
  {
    id: '4.2.6',
    says: 'files/browse details: array, not required. Entries are detail keys from 2.5, sent as details[]=<key>.',
    proof: [
      KEYS,
      typed('details[]'),
      'test/spec/details.test.ts: all of them come together, for a file and for a folder',
    ],
  },
  {
    id: '4.2.7',
    says: 'files/browse: the reply is the listing of 2.5.',
    proof: [`${BROWSE}: lists the top-level entries at %s`],
  },
  {
    id: '4.2.8',
    says: 'files/metadata path: string, required; a file path.',
    proof: [needs('files/metadata'), 'test/api/metadata/metadata.test.ts: returns the metadata of a file'],
  },
];

const searching: readonly Statement[] = [
  {
    id: '4.2.9',
    says: 'files/search path: string, required. A folder to search in.',
    proof: [
      needs('files/search'),
      `${NAMES}: requires search terms, and a folder`,
      `${NAMES}: searches below the requested folder only`,
    ],
  },
  {
    id: '4.2.10',
    says: 'files/search path: such as the home folder or a share path.',
    proof: [
      `${NAMES}: finds files of other programs from before the start, within seconds and without a listing`,
      'test/api/sharing/sharing.test.ts: is searched, starred and listed among photos and music for recipients',
    ],
  },
  {
    id: '4.2.11',
    says: 'files/search filename: string, not required.',
    proof: [
      `${NAMES}: files/search by filename > %j › oliday pla`,
      `${NAMES}: treats %j as a pattern for the whole name`,
      `${FINDS} › a whole tag`,
    ],
  },
  {
    id: '4.2.12',
    says: 'files/search metatype: integer, ID of a metadata file type, defined in the control panel.',
    proof: [
      `${META}: finds the files of a type, alone and with other criteria`,
      `${META}: refuses an unknown type, and values that are not numbers`,
      'test/panel/metadata.test.ts: is added with its extensions and field sets',
    ],
  },
  {
    id: '4.2.13',
    says: 'files/search meta: array; keys are metadata field IDs.',
    proof: [`${FINDS} › a text`, `${FINDS} › a number`, `${META}: files/search refuses > %s › an id that is no field`],
  },
  { id: '4.2.14', says: 'meta key tag.', proof: [`${FINDS} › a whole tag`] },
  { id: '4.2.15', says: 'meta key rating.', proof: [`${FINDS} › a rating`, `${FINDS} › one of two ratings`] },
  { id: '4.2.16', says: 'meta key label.', proof: [`${FINDS} › a label`] },
  { id: '4.2.17', says: 'meta key comment.', proof: [`${FINDS} › a comment`] },
  {
    id: '4.2.18',
    says: 'meta key - for any field.',
    proof: [`${FINDS} › anything anywhere`, `${FINDS} › a tag anywhere`, `${FINDS} › a year anywhere`],
  },
  {
    id: '4.2.19',
    says: 'Each value of meta is an array of keywords.',
    proof: [`${FINDS} › one of several words`, `${META}: accepts one keyword without a list, JSON, and numbered keys`],
  },
  {
    id: '4.2.20',
    says: 'files/search contents: string, keyword searched in file contents.',
    proof: [`${CONTENTS}: finds uploads and files of other programs, by whole words and their beginnings`],
  },
  {
    id: '4.2.21',
    says: 'contents cannot be combined with any other search criterion.',
    proof: [
      `${NAMES}: requires search terms, and a folder`,
      `${META}: files/search refuses > %s › contents with a tag`,
      `${META}: files/search refuses > %s › contents with a type`,
    ],
  },
  {
    id: '4.2.22',
    says: 'files/search details: array, same as in browse.',
    proof: [
      'test/spec/details.test.ts: is the same in a search',
      `${NAMES}: returns the requested details of every hit`,
    ],
  },
];

const writing: readonly Statement[] = [
  {
    id: '4.2.23',
    says: 'files/createfolder path (string): the parent folder’s path.',
    proof: [
      needs('files/createfolder'),
      `${DELETE}: creates one folder and returns its path`,
      `${DELETE}: files/createfolder > refuses %s › a parent that is not there`,
    ],
  },
  {
    id: '4.2.24',
    says: 'files/createfolder name (string): the new folder’s name.',
    proof: [needs('files/createfolder'), `${DELETE}: creates one folder and returns its path`],
  },
  {
    id: '4.2.25',
    says: 'files/upload path (string) is the target file’s path.',
    proof: [needs('files/upload'), `${UPLOAD}: accepts the name %s and returns it`],
  },
  {
    id: '4.2.26',
    says: 'The folder must exist and is not created automatically.',
    proof: [FOLDERS, BY_FORM],
  },
  {
    id: '4.2.27',
    says: 'filePath (string) is used instead of path and makes the service create the folder structure automatically.',
    proof: [FOLDERS, BY_FORM],
  },
  {
    id: '4.2.28',
    says: 'PUT: the request body is the raw file content.',
    proof: [
      `${UPLOAD}: stores the body unchanged, whatever its Content-Type, and answers 201`,
      `${UPLOAD}: accepts content of every length around its buffers, byte for byte`,
    ],
  },
  {
    id: '4.2.29',
    says: 'POST: Content-Type is multipart/form-data and the file is in a part named file.',
    proof: [
      `${UPLOAD}: accepts the path from a field %s the file, never from the part`,
      `${UPLOAD}: refuses a form with %s › a part of another name`,
      `${UPLOAD}: refuses a form with %s › no file`,
    ],
  },
  {
    id: '4.2.30',
    says: 'The stored file name comes from path or filePath, not from the part’s filename.',
    proof: [`${UPLOAD}: accepts the path from a field %s the file, never from the part`, BY_FORM],
  },
  {
    id: '4.2.31',
    says: 'files/download and files/thumbnail path (string): the file’s path.',
    proof: [needs('files/download'), needs('files/thumbnail')],
  },
  {
    id: '4.2.32',
    says: 'files/download: the reply is the file content as an HTTP download, not JSON.',
    proof: [
      'test/api/files/download.test.ts: sends the content with the headers apps need, by GET and POST',
      ...operation('Download').slice(0, 1),
    ],
  },
  {
    id: '4.2.33',
    says: 'files/thumbnail: the reply is the thumbnail content, not JSON.',
    proof: [
      'test/api/listing/thumbnails.test.ts: sends a small JPEG, inline, with a validator',
      ...operation('Thumbnail').slice(0, 1),
    ],
  },
  {
    id: '4.2.34',
    says: 'files/rename path (string): the item. newName (string): the new name.',
    proof: [
      needs('files/rename'),
      `${MOVE}: rename and move a folder with its contents, and keep every uuid`,
      `${MOVE}: refuse %s › to a path`,
    ],
  },
  {
    id: '4.2.35',
    says: 'files/move path (string): the item. moveTo (string): the destination folder’s path.',
    proof: [needs('files/move'), TARGETS, `${MOVE}: rename and move a folder with its contents, and keep every uuid`],
  },
  {
    id: '4.2.36',
    says: 'files/extract path (string): the archive file. extractTo (string): the destination folder.',
    proof: [
      needs('files/extract'),
      `${EXTRACT}: creates a folder named after the archive, with times and identities`,
      `${EXTRACT}: refuses missing items, and a wrong type of item`,
    ],
  },
  {
    id: '4.2.37',
    says: 'files/delete path (string).',
    proof: [needs('files/delete'), `${DELETE}: moves an item with its contents to the trash`],
  },
  {
    id: '4.2.38',
    says: 'files/delete permanent (boolean, sent as 1 or 0): 1 removes permanently, otherwise the item goes to the trash.',
    proof: [
      typed('permanent'),
      `${DELETE}: treats permanent=0 like the default, and deletes permanently with 1`,
      `${DELETE}: moves an item with its contents to the trash`,
    ],
  },
  {
    id: '4.2.39',
    says: 'files/star and files/unstar path (string): file or folder.',
    proof: [
      needs('files/star'),
      needs('files/unstar'),
      STARS,
      'test/api/listing/lists.test.ts: report whether one exists already',
    ],
  },
];

export const fileParameters: readonly Statement[] = [...reading, ...searching, ...writing];
