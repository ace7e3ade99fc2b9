import type { Uuid } from '../src/kernel/domain/uuid.js';
import {
  AMHARIC,
  ARABIC,
  BANTU,
  CHINESE,
  type Culture,
  CULTURES,
  CYRILLIC,
  DEVANAGARI,
  ENGLISH,
  FRENCH,
  GERMANIC,
  IBERIAN,
  listed,
  NORDIC,
  type Population,
  SLAVIC,
  TURKISH,
  VIETNAMESE,
} from './names.js';
import { drawUuid, Prng } from './prng.js';

export interface AreaEntry {
  readonly id: Uuid;
  readonly name: string;
  readonly partOf: Uuid | null;
}

export interface LocationEntry extends AreaEntry {
  readonly partOf: Uuid;
  readonly locationType: 'CRVS_OFFICE' | 'HEALTH_FACILITY';
}

/** Input of `matricula import locations`; parents come before children. */
export interface LocationsFile {
  readonly administrativeAreas: readonly AreaEntry[];
  readonly locations: readonly LocationEntry[];
}

/** Names join one part of each list. */
type PlaceNaming = readonly (readonly string[])[];

/** Southern and central African. */
const SAVANNA: PlaceNaming = [
  listed('Ka, Lu, Mu, Chi, Ma, Nde, Nka, Shi, Ki, Lwa, Mpo, Nso, Wa, Zi, Ndo, Che'),
  listed('ba, lo, ndi, pu, samba, fwe, tete, nga, lu, mbo, so, ko, wi, pili'),
  listed('la, shi, zi, nda, ngwe, ma, to, li, wa, be, sha, ngu'),
];

/** Portuguese and Spanish. */
const COAST: PlaceNaming = [
  ['Vila ', 'Porto ', 'Monte ', 'Punta ', 'Barra ', 'Praia ', 'Ribeira ', 'Ilha ', 'Campo ', 'Serra '],
  listed('Aurélia, Tomé, Clara, Lázaro, Pinhal, Álvaro, Ilhéu, Peña, Cañada, Esperança, Limón, Inês, Jacinto, Açucena'),
  ['', '', ' Nova', ' Velha', ' do Norte', ' do Sul', ' Alta'],
];

/** Nordic. */
const FJORD: PlaceNaming = [
  listed(
    'Åkers, Lind, Sønder, Väster, Gran, Bjørk, Elv, Hals, Kors, Malm, Nord, Ros, Skog, Tors, Ulv, Øster, Hær, Þórs',
  ),
  listed('vik, by, havn, fjäll, dal, ö, torp, stad, sund, berg, nes, lund, mýri, holm'),
  ['', '', '', ' Ytre', ' Indre', ' Övre'],
];

/** Ethiopian. */
const HIGHLAND: PlaceNaming = [
  ['Debre ', 'Addi ', 'Bahir ', 'Mekane ', 'Amba ', 'Wolde ', 'Gish ', 'Tis '],
  listed('Tsige, Berhan, Selam, Kidane, Gebre, Abay, Zema, Werk, Yared, Lalo, Tabor, Haile, Mariam, Arba'),
  ['', '', ' Zuria', ' Ketema', ' Laay', ' Taach'],
];

/** Western Slavic. */
const PLAIN: PlaceNaming = [
  listed('Biało, Krasno, Zielono, Jasno, Dębo, Łyso, Staro, Nowo, Čeró, Wierzbo, Złoto, Šumo, Želez, Krásno'),
  listed('góra, brzeg, pol, wiec, lipie, las, potok, hora, vodice, gród, łąka, młyn, sad'),
  ['', '', '', ' Wielkie', ' Małe', ' nad Wisną'],
];

/** Vietnamese. */
const DELTA: PlaceNaming = [
  ['Phú ', 'Long ', 'Bình ', 'An ', 'Vĩnh ', 'Tân ', 'Hòa ', 'Mỹ ', 'Đại ', 'Thạnh '],
  listed('Lộc, Thọ, Giang, Hải, Đông, Thành, Khánh, Lâm, Trung, Sơn, Phước, Hưng, Thuận, Điền'),
  ['', '', '', ' Tây', ' Nam', ' Bắc'],
];

/** Unique names within the country. */
class PlaceNames {
  private readonly given = new Set<string>();

  draw(prng: Prng, naming: PlaceNaming): string {
    let name = spelled(prng, naming);
    while (this.given.has(name)) name = spelled(prng, naming);
    this.given.add(name);
    return name;
  }
}

const spelled = (prng: Prng, naming: PlaceNaming): string => naming.map((parts) => prng.pick(parts)).join('');

/** A province: naming, peoples and size. */
interface Region {
  readonly naming: PlaceNaming;
  readonly population: Population;
  readonly weight: number;
}

/** The region's own peoples, and a share of the whole country's. */
const home = (...peoples: readonly (readonly [share: number, culture: Culture])[]): Population => [
  ...peoples,
  ...CULTURES,
];

/** The most populous first. */
const REGIONS: readonly Region[] = [
  { naming: SAVANNA, population: home([90, BANTU], [50, ENGLISH]), weight: 24 },
  { naming: COAST, population: home([130, IBERIAN], [20, FRENCH]), weight: 18 },
  { naming: SAVANNA, population: home([90, BANTU], [60, FRENCH]), weight: 15 },
  { naming: HIGHLAND, population: home([70, AMHARIC], [70, ARABIC]), weight: 13 },
  { naming: DELTA, population: home([60, VIETNAMESE], [50, DEVANAGARI], [40, CHINESE]), weight: 11 },
  { naming: PLAIN, population: home([60, SLAVIC], [70, CYRILLIC]), weight: 9 },
  { naming: FJORD, population: home([60, NORDIC], [50, GERMANIC]), weight: 6 },
  { naming: HIGHLAND, population: home([70, ARABIC], [60, TURKISH]), weight: 4 },
];

const DISTRICTS_OF_A_PROVINCE = 5;
const WARDS_OF_A_DISTRICT = 4;
const WARDS_WITH_A_HEALTH_CENTRE = 0.85;

export interface WardPlace {
  readonly area: AreaEntry;
  readonly villages: readonly AreaEntry[];
  readonly office: LocationEntry;
  readonly healthCentre: LocationEntry | undefined;
  /** Its share of the country's events. */
  readonly weight: number;
}

export interface DistrictPlace {
  readonly area: AreaEntry;
  readonly office: LocationEntry;
  readonly hospital: LocationEntry;
  readonly wards: readonly WardPlace[];
}

export interface ProvincePlace {
  readonly area: AreaEntry;
  readonly office: LocationEntry;
  readonly hospital: LocationEntry;
  readonly population: Population;
  readonly districts: readonly DistrictPlace[];
}

export function drawPlaceTree(prng: Prng): readonly ProvincePlace[] {
  const names = new PlaceNames();

  const area = (region: Region, partOf: Uuid | null): AreaEntry => ({
    id: drawUuid(prng),
    name: names.draw(prng, region.naming),
    partOf,
  });

  const province = (region: Region): ProvincePlace => {
    const own = area(region, null);
    return {
      area: own,
      office: place(prng, own, 'Provincial Registry', 'CRVS_OFFICE'),
      hospital: place(prng, own, 'Central Hospital', 'HEALTH_FACILITY'),
      population: region.population,
      districts: Array.from({ length: DISTRICTS_OF_A_PROVINCE }, (_, rank) =>
        district(region, own, region.weight / (rank + 2)),
      ),
    };
  };

  const district = (region: Region, partOf: AreaEntry, weight: number): DistrictPlace => {
    const own = area(region, partOf.id);
    return {
      area: own,
      office: place(prng, own, 'District Registry', 'CRVS_OFFICE'),
      hospital: place(
        prng,
        own,
        prng.pick(['District Hospital', 'General Hospital', 'Mission Hospital']),
        'HEALTH_FACILITY',
      ),
      wards: Array.from({ length: WARDS_OF_A_DISTRICT }, (_, rank) => ward(region, own, weight / (rank + 1.5))),
    };
  };

  const ward = (region: Region, partOf: AreaEntry, weight: number): WardPlace => {
    const own = area(region, partOf.id);
    return {
      area: own,
      villages: Array.from({ length: prng.between(2, 3) }, () => area(region, own.id)),
      office: place(prng, own, 'Registration Post', 'CRVS_OFFICE'),
      healthCentre: prng.chance(WARDS_WITH_A_HEALTH_CENTRE)
        ? place(prng, own, prng.pick(['Health Centre', 'Clinic', 'Maternity Clinic', 'Health Post']), 'HEALTH_FACILITY')
        : undefined,
      weight,
    };
  };

  return REGIONS.map(province);
}

const place = (
  prng: Prng,
  area: AreaEntry,
  what: string,
  locationType: LocationEntry['locationType'],
): LocationEntry => ({ id: drawUuid(prng), name: `${area.name} ${what}`, partOf: area.id, locationType });

/** Input of `matricula import locations`, with all offices and facilities of `demoRecords`. */
export function demoPlaces(seed: number): LocationsFile {
  const administrativeAreas: AreaEntry[] = [];
  const locations: LocationEntry[] = [];
  for (const province of drawPlaceTree(new Prng(seed, 'country'))) {
    administrativeAreas.push(province.area);
    locations.push(province.office, province.hospital);
    for (const district of province.districts) {
      administrativeAreas.push(district.area);
      locations.push(district.office, district.hospital);
      for (const ward of district.wards) {
        administrativeAreas.push(ward.area, ...ward.villages);
        locations.push(ward.office);
        if (ward.healthCentre !== undefined) locations.push(ward.healthCentre);
      }
    }
  }
  return { administrativeAreas, locations };
}
