import { createRequire } from 'node:module';

/** The names of one people, the most frequent first. */
export interface Culture {
  /** In percent of the country. */
  readonly share: number;
  readonly male: readonly string[];
  readonly female: readonly string[];
  readonly surnames: readonly string[];
  /** Joins double surnames. */
  readonly joint: string;
  /** The share of people with two surnames. */
  readonly doubleSurnames: number;
  /** A woman's form of the surname. */
  readonly feminine: (surname: string) => string;
}

/** A province, the most populous first. */
interface Region {
  /** Place names join one part of each list; the lists are between commas. */
  readonly naming: readonly string[];
  readonly peoples: Readonly<Record<string, number>>;
  readonly weight: number;
}

type Written = Pick<Culture, 'share' | 'joint' | 'doubleSurnames'> &
  Readonly<Record<'male' | 'female' | 'surnames', string>> & {
    /** Pattern to replacement. */
    readonly feminine: Readonly<Record<string, string>>;
  };

const DATA = createRequire(import.meta.url)('./data.json') as {
  readonly cultures: Readonly<Record<string, Written>>;
  readonly regions: readonly Region[];
  readonly lists: Readonly<Record<string, string>>;
  readonly labelled: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

function culture({ male, female, surnames, feminine, ...others }: Written): Culture {
  const forms = Object.entries(feminine).map(([ending, form]) => [new RegExp(ending, 'u'), form] as const);
  return {
    ...others,
    male: male.split(', '),
    female: female.split(', '),
    surnames: surnames.split(', '),
    feminine: (surname) => forms.reduce((made, [ending, form]) => made.replace(ending, form), surname),
  };
}

export const CULTURES: ReadonlyMap<string, Culture> = new Map(
  Object.entries(DATA.cultures).map(([people, written]) => [people, culture(written)]),
);

/** The peoples of a region, and a share of the whole country's. */
const populationOf = ({ peoples }: Region): (readonly [share: number, culture: Culture])[] =>
  [...CULTURES].flatMap(([people, one]) => [
    [one.share, one] as const,
    ...(people in peoples ? [[peoples[people] ?? 0, one] as const] : []),
  ]);

export const REGIONS = DATA.regions.map((region) => ({
  weight: region.weight,
  naming: region.naming.map((parts) => parts.split(',')),
  population: populationOf(region),
}));

/** A list of the country's words, the most frequent first. */
export function listOf(name: string): readonly string[] {
  const text = DATA.lists[name];
  if (text === undefined) throw new Error(`data.json has no list ${name}`);
  return text.split(', ');
}

/** The same with codes. */
export const labelledOf = (name: string): readonly { readonly label: string; readonly value: string }[] =>
  Object.entries(DATA.labelled[name] ?? {}).map(([value, label]) => ({ label, value }));
