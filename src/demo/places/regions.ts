import { AMHARIC } from '../names/amharic.js';
import { ARABIC } from '../names/arabic.js';
import { BANTU } from '../names/bantu.js';
import { CHINESE } from '../names/chinese.js';
import type { Culture } from '../names/culture.js';
import { CULTURES, type Population } from '../names/cultures.js';
import { CYRILLIC } from '../names/cyrillic.js';
import { DEVANAGARI } from '../names/devanagari.js';
import { ENGLISH } from '../names/english.js';
import { FRENCH } from '../names/french.js';
import { GERMANIC } from '../names/germanic.js';
import { IBERIAN } from '../names/iberian.js';
import { NORDIC } from '../names/nordic.js';
import { SLAVIC } from '../names/slavic.js';
import { TURKISH } from '../names/turkish.js';
import { VIETNAMESE } from '../names/vietnamese.js';
import { COAST, DELTA, FJORD, HIGHLAND, PLAIN, type PlaceNaming, SAVANNA } from './place-names.js';

/** What a province is like: how its places are called, who lives there, how many. */
export interface Region {
  readonly naming: PlaceNaming;
  readonly population: Population;
  readonly weight: number;
}

/** Most people of a region belong to its own peoples; the rest is as the country is. */
const home = (...peoples: readonly (readonly [share: number, culture: Culture])[]): Population => [
  ...peoples,
  ...CULTURES,
];

/** The provinces of the country, the most populous first. */
export const REGIONS: readonly Region[] = [
  { naming: SAVANNA, population: home([90, BANTU], [50, ENGLISH]), weight: 24 },
  { naming: COAST, population: home([130, IBERIAN], [20, FRENCH]), weight: 18 },
  { naming: SAVANNA, population: home([90, BANTU], [60, FRENCH]), weight: 15 },
  { naming: HIGHLAND, population: home([70, AMHARIC], [70, ARABIC]), weight: 13 },
  { naming: DELTA, population: home([60, VIETNAMESE], [50, DEVANAGARI], [40, CHINESE]), weight: 11 },
  { naming: PLAIN, population: home([60, SLAVIC], [70, CYRILLIC]), weight: 9 },
  { naming: FJORD, population: home([60, NORDIC], [50, GERMANIC]), weight: 6 },
  { naming: HIGHLAND, population: home([70, ARABIC], [60, TURKISH]), weight: 4 },
];
