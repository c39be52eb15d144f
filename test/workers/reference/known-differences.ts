import type { Difference } from './differences.ts';

/** Values that Larder reads in another way than the program of a family, at most 2 % of them. */
export const DIFFERENCES = {
  archives: [],
  // The same bytes are as good a text in another encoding.
  encodings: [
    { value: 'text in big5: 謝謝', larder: '좌좌', why: 'also a syllable of Korean, twice' },
    { value: 'text in koi8_r: ДЕНЬГИ', larder: 'הומרחי', why: 'also six frequent letters of Hebrew' },
    { value: 'text in cp1250: Babička', larder: 'Babièka', why: 'one letter, in the place of a French one' },
    { value: 'text in cp1250: Řehoř', larder: 'Øehoø', why: 'both letters are those of Danish' },
  ],
  mail: [],
  photos: [],
} satisfies Readonly<Record<string, readonly Difference[]>>;
