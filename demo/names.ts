import { createRequire } from 'node:module';

/** The names of one people, the most frequent first. */
export interface Culture {
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly surnames: readonly string[];
  /** Joins double given names or surnames. */
  readonly joint: string;
  /** The share of people with two surnames. */
  readonly doubleSurnames: number;
  /** A woman's form of the surname. */
  readonly feminine?: (surname: string) => string;
  /** Whether the father's given name replaces the surname. */
  readonly patronymic?: boolean;
}

export const listed = (text: string): string[] => text.split(',').map((name) => name.trim());

export function combined(stems: readonly string[], endings: readonly string[], joint = ''): string[] {
  const names: string[] = [];
  for (let distance = 0; distance < stems.length + endings.length; distance++) {
    for (const [at, ending] of endings.entries()) {
      const stem = stems[distance - at];
      if (stem !== undefined) names.push(stem + joint + ending);
    }
  }
  return names;
}

/** Names between commas, or a list of them where spaces matter. */
type Names = string | readonly string[];
type Part = Names | { readonly stems: Names; readonly endings: Names; readonly joint?: string };
type Written = Pick<Culture, 'joint' | 'doubleSurnames' | 'patronymic'> &
  Readonly<Record<'male' | 'female' | 'surnames', readonly Part[]>>;

const WRITTEN = createRequire(import.meta.url)('./names.json') as Readonly<Record<string, Written>>;

const namesOf = (names: Names): readonly string[] => (typeof names === 'string' ? listed(names) : names);

const read = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) =>
    typeof part === 'object' && 'stems' in part
      ? combined(namesOf(part.stems), namesOf(part.endings), part.joint)
      : namesOf(part),
  );

function culture(people: string, feminine?: Culture['feminine']): Culture {
  const written = WRITTEN[people];
  if (written === undefined) throw new Error(`names.json has no ${people}`);
  const { male, female, surnames, ...others } = written;
  return {
    ...others,
    male: read(male),
    female: read(female),
    surnames: read(surnames),
    ...(feminine && { feminine }),
  };
}

export const AMHARIC = culture('AMHARIC');
export const ARABIC = culture('ARABIC');
/** Eastern and southern African. */
export const BANTU = culture('BANTU');
export const CHINESE = culture('CHINESE');
export const CYRILLIC = culture('CYRILLIC', (surname) =>
  surname.replace(/(?<=[оеё]в|ин)$/u, 'а').replace(/ский$/u, 'ская'),
);
export const DEVANAGARI = culture('DEVANAGARI');
export const ENGLISH = culture('ENGLISH');
export const FRENCH = culture('FRENCH');
export const GERMANIC = culture('GERMANIC');
export const IBERIAN = culture('IBERIAN');
export const NORDIC = culture('NORDIC');
/** Western and southern Slavic, in Latin letters. */
export const SLAVIC = culture('SLAVIC', (surname) => surname.replace(/(?<=sk)i$/u, 'a').replace(/ý$/u, 'á'));
export const TURKISH = culture('TURKISH');
export const VIETNAMESE = culture('VIETNAMESE');

export type Population = readonly (readonly [share: number, culture: Culture])[];

/** Shares in the whole country. */
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
