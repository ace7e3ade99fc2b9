import { Prng } from '../../demo/prng.js';
import { fold } from '../../src/events/index/values/fold.js';

/** The names of a nation, the most common first; no two are the same word for a search. */
export interface NameBook {
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly surnames: readonly string[];
}

const GIVEN_NAMES = 14_000;
const SURNAMES = 60_000;

const ONSETS = listed('b ch d f g h j k l m n ny p r s sh t v w z br dr gr kw mb nd ng pr st tr bl kl fl gw ts');
const VOWELS = listed('a e i o u a e i o u ia ei oa au ie ua');
const CODAS = listed('n m l r s nd rt lk x th sk nt ld rn b g f p');
/** How many syllables end in a consonant. */
const CLOSED = 0.35;
const ACCENTED: Readonly<Record<string, readonly string[]>> = {
  a: ['á', 'à', 'ã', 'ä'],
  e: ['é', 'è', 'ê'],
  i: ['í', 'ï'],
  o: ['ó', 'ö', 'ô', 'ø'],
  u: ['ú', 'ü'],
  n: ['ñ'],
  s: ['š'],
  l: ['ł'],
};
const WITH_A_DIACRITIC = 0.12;

function listed(text: string): readonly string[] {
  return text.split(' ');
}

/** The same names for the same seed: 88,000 words, one in eight of them with a diacritic. */
export function drawNameBook(seed: number): NameBook {
  const prng = new Prng(seed, 'country', 1);
  const taken = new Set<string>();
  const draw = (count: number): string[] => {
    const names: string[] = [];
    while (names.length < count) {
      // What is common is short.
      const name = drawName(prng, names.length < count / 50 ? 2 : prng.between(3, 4));
      const word = fold(name);
      if (taken.has(word)) continue;
      taken.add(word);
      names.push(name);
    }
    return names;
  };
  return { male: draw(GIVEN_NAMES), female: draw(GIVEN_NAMES), surnames: draw(SURNAMES) };
}

function drawName(prng: Prng, syllables: number): string {
  let name = '';
  for (let syllable = 0; syllable < syllables; syllable++) {
    name += prng.pick(ONSETS) + prng.pick(VOWELS) + (prng.chance(CLOSED) ? prng.pick(CODAS) : '');
  }
  if (prng.chance(WITH_A_DIACRITIC)) name = withDiacritic(prng, name);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function withDiacritic(prng: Prng, name: string): string {
  const places = Array.from(name).flatMap((letter, at) => (letter in ACCENTED ? [at] : []));
  const at = prng.pick(places);
  return name.slice(0, at) + prng.pick(ACCENTED[name.charAt(at)] ?? []) + name.slice(at + 1);
}
