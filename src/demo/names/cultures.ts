import { AMHARIC } from './amharic.js';
import { ARABIC } from './arabic.js';
import { BANTU } from './bantu.js';
import { CHINESE } from './chinese.js';
import type { Culture } from './culture.js';
import { CYRILLIC } from './cyrillic.js';
import { DEVANAGARI } from './devanagari.js';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMANIC } from './germanic.js';
import { IBERIAN } from './iberian.js';
import { NORDIC } from './nordic.js';
import { SLAVIC } from './slavic.js';
import { TURKISH } from './turkish.js';
import { VIETNAMESE } from './vietnamese.js';

/** Who lives in a place: the share of each people. */
export type Population = readonly (readonly [share: number, culture: Culture])[];

/** The peoples of the country, as the whole of it is made up. */
export const CULTURES: Population = [
  [30, BANTU],
  [12, ENGLISH],
  [12, IBERIAN],
  [8, ARABIC],
  [7, FRENCH],
  [5, SLAVIC],
  [5, CYRILLIC],
  [4, VIETNAMESE],
  [4, DEVANAGARI],
  [4, AMHARIC],
  [3, CHINESE],
  [2, NORDIC],
  [2, GERMANIC],
  [2, TURKISH],
];
