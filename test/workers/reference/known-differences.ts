import type { Difference } from './differences.ts';

/** Values that Larder reads in another way than the program of a family, at most 2 % of them. */
export const DIFFERENCES = {
  archives: [],
  archivesBy7zip: [],
  archivesByBsdtar: [],
  contacts: [],
  covers: [],
  dates: [],
  // The same bytes are as good a text in another encoding.
  encodings: [
    { value: 'text in big5: 謝謝', larder: '좌좌', why: 'also a syllable of Korean, twice' },
    { value: 'text in koi8_r: ДЕНЬГИ', larder: 'הומרחי', why: 'also six frequent letters of Hebrew' },
    { value: 'text in cp1250: Babička', larder: 'Babièka', why: 'one letter, in the place of a French one' },
    { value: 'text in cp1250: Řehoř', larder: 'Øehoø', why: 'both letters are those of Danish' },
  ],
  films: [],
  mail: ['a calendar', 'a calendar, with lines of Unix'].map((value) => ({
    value,
    larder: 'x dinner',
    why: 'an invitation is read as a calendar, without the names of its fields',
  })),
  music: [
    ['album', 'Album Yellow'],
    ['artist', 'Ann'],
    ['genre', 'Rock'],
    ['track', '1'],
    ['year', '1999'],
  ].map(([field, larder]) => ({
    value: `009-id3v1-and-2.mp3: ${field}`,
    larder,
    why: 'the tag at the end has what that at the beginning leaves out; FFmpeg reads only one of them',
  })),
  office: [],
  binaryOffice: [],
  pdf: [
    {
      value: '101-capital-hyphen.pdf',
      larder: 'an came e mail',
      why: 'the hyphen before a capital letter is a part of the word',
    },
    {
      value: '102-superscript.pdf',
      larder: 'area in land m2 of',
      why: 'a unit and its power are searched for together',
    },
  ],
  photos: [],
  rtf: [],
} satisfies Readonly<Record<string, readonly Difference[]>>;
