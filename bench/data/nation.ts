import type { AreaEntry, LocationEntry, LocationsFile } from '../../demo/places.js';
import { drawUuid, Prng } from '../../demo/prng.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { drawNameBook, type NameBook } from './name-book.js';

/** Provinces, districts, wards, villages, offices. */
const LEVELS = [8, 64, 512, 3_072] as const;
const OFFICES = 3_000;
const OFFICIALS_OF_AN_OFFICE = 2;

export interface Official {
  readonly id: Uuid;
  readonly role: string;
  readonly office: Uuid;
}

export interface Office {
  readonly id: Uuid;
  readonly officials: readonly Official[];
}

/**
 * What the records of a seed have in common: 6,656 places in five levels, 6,000 officials and the names of the people.
 */
export interface Nation {
  readonly seed: number;
  readonly names: NameBook;
  /** Areas by level, from provinces to villages. */
  readonly provinces: readonly Uuid[];
  readonly districts: readonly Uuid[];
  readonly wards: readonly Uuid[];
  readonly villages: readonly Uuid[];
  readonly offices: readonly Office[];
  readonly file: LocationsFile;
}

/** How many of those who register have which role. */
const REGISTRAR_ROLES = [
  ...repeated('LOCAL_REGISTRAR', 7),
  ...repeated('PROVINCIAL_REGISTRAR', 2),
  'NATIONAL_REGISTRAR',
];
const AGENT_ROLES = ['REGISTRATION_AGENT', 'REGISTRATION_AGENT', 'FIELD_AGENT'];

export function drawNation(seed: number): Nation {
  const prng = new Prng(seed, 'country');
  const levels: (readonly AreaEntry[])[] = [];
  for (const count of LEVELS) levels.push(drawLevel(prng, count, levels.at(-1) ?? []));
  const villages = levels.at(-1) ?? [];
  const offices = Array.from({ length: OFFICES }, (_, number): Office => drawOffice(prng, number));
  const locations = offices.map(({ id }, number): LocationEntry => ({
    id,
    name: `Office ${number + 1}`,
    partOf: (villages[number % villages.length] ?? prng.pick(villages)).id,
    locationType: 'CRVS_OFFICE',
  }));
  const idsOf = (level: number): readonly Uuid[] => (levels[level] ?? []).map(({ id }) => id);
  return {
    seed,
    names: drawNameBook(seed),
    provinces: idsOf(0),
    districts: idsOf(1),
    wards: idsOf(2),
    villages: idsOf(3),
    offices,
    file: { administrativeAreas: levels.flat(), locations },
  };
}

function drawLevel(prng: Prng, count: number, above: readonly AreaEntry[]): AreaEntry[] {
  return Array.from({ length: count }, (_, number) => ({
    id: drawUuid(prng),
    name: `Area ${count}/${number + 1}`,
    partOf: above[Math.floor((number * above.length) / count)]?.id ?? null,
  }));
}

function drawOffice(prng: Prng, number: number): Office {
  const id = drawUuid(prng);
  const officials = Array.from({ length: OFFICIALS_OF_AN_OFFICE }, (_, place): Official => {
    const roles = place === 0 ? REGISTRAR_ROLES : AGENT_ROLES;
    return { id: drawUuid(prng), role: roles[number % roles.length] ?? '', office: id };
  });
  return { id, officials };
}

function repeated(item: string, times: number): string[] {
  return Array.from({ length: times }, () => item);
}
