import type { UserType } from '../src/kernel/domain/event-record.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import { type Culture, REGIONS } from './data.js';
import { drawUuid, Prng, Weighted } from './prng.js';

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

/** A user with a role, or a system client without one. */
export interface Official {
  readonly id: Uuid;
  readonly userType: UserType;
  readonly role?: string;
  readonly location: Uuid;
}

/** The place of an event, and its officials. */
export interface Ward {
  readonly population: Weighted<Culture>;
  readonly villages: readonly Uuid[];
  readonly office: Uuid;
  readonly facility: Uuid;
  readonly hospital: Uuid;
  readonly agents: readonly Official[];
  readonly registrars: readonly Official[];
  /** Community leaders and health officers. */
  readonly fieldNotifiers: readonly Official[];
  /** The hospital information system. */
  readonly facilitySystem: Official;
  /** Validates registrations for the office of the district. */
  readonly validationSystem: Official;
  readonly nationalRegistrars: readonly Official[];
}

/** With some four hundred users and a few system clients. */
interface Country {
  readonly places: LocationsFile;
  /** Weighted by population. */
  readonly wards: Weighted<Ward>;
}

const DISTRICTS_OF_A_PROVINCE = 5;
const WARDS_OF_A_DISTRICT = 4;

export function drawCountry(seed: number): Country {
  const prng = new Prng(seed, 'country');
  const administrativeAreas: AreaEntry[] = [];
  const locations: LocationEntry[] = [];
  const wards: (readonly [weight: number, ward: Ward])[] = [];
  const names = new Set<string>();

  const area = (naming: readonly (readonly string[])[], partOf: Uuid | null): AreaEntry => {
    const spelled = (): string => naming.map((parts) => prng.pick(parts)).join('');
    let name = spelled();
    while (names.has(name)) name = spelled();
    names.add(name);
    const drawn = { id: drawUuid(prng), name, partOf };
    administrativeAreas.push(drawn);
    return drawn;
  };
  const location = ({ id, name }: AreaEntry, what: string, locationType: LocationEntry['locationType']): Uuid => {
    const drawn = { id: drawUuid(prng), name: `${name} ${what}`, partOf: id, locationType };
    locations.push(drawn);
    return drawn.id;
  };
  const user = (role: string, at: Uuid): Official => ({ id: drawUuid(prng), userType: 'user', role, location: at });
  /** A system client may act for many places. */
  const system = (id: Uuid, at: Uuid): Official => ({ id, userType: 'system', location: at });

  const validationClient = drawUuid(prng);
  const nationalRegistrars: Official[] = [];
  for (const { naming, population, weight } of REGIONS) {
    const province = area(naming, null);
    const provincialOffice = location(province, 'Provincial Registry', 'CRVS_OFFICE');
    location(province, 'Central Hospital', 'HEALTH_FACILITY');
    if (nationalRegistrars.length === 0) nationalRegistrars.push(user('NATIONAL_REGISTRAR', provincialOffice));
    const provincial = user('PROVINCIAL_REGISTRAR', provincialOffice);
    const healthClient = drawUuid(prng);
    const peoples = new Weighted(population);
    for (let inProvince = 2; inProvince < 2 + DISTRICTS_OF_A_PROVINCE; inProvince += 1) {
      const district = area(naming, province.id);
      const districtOffice = location(district, 'District Registry', 'CRVS_OFFICE');
      const hospital = location(district, 'District Hospital', 'HEALTH_FACILITY');
      const [first, second] = [user('LOCAL_REGISTRAR', districtOffice), user('LOCAL_REGISTRAR', districtOffice)];
      const healthOfficer = user('HEALTH_OFFICER', hospital);
      for (let inDistrict = 1.5; inDistrict < 1.5 + WARDS_OF_A_DISTRICT; inDistrict += 1) {
        const ward = area(naming, district.id);
        const office = location(ward, 'Registration Post', 'CRVS_OFFICE');
        const facility = prng.chance(0.85) ? location(ward, 'Health Centre', 'HEALTH_FACILITY') : hospital;
        wards.push([
          weight / inProvince / inDistrict,
          {
            population: peoples,
            villages: Array.from({ length: prng.between(2, 3) }, () => area(naming, ward.id).id),
            office,
            facility,
            hospital,
            agents: [user('REGISTRATION_AGENT', office), user('REGISTRATION_AGENT', office)],
            // The registrar of the province stands in occasionally.
            registrars: [first, first, first, second, second, second, provincial],
            fieldNotifiers: [user('COMMUNITY_LEADER', office), healthOfficer],
            facilitySystem: system(healthClient, facility),
            validationSystem: system(validationClient, districtOffice),
            nationalRegistrars,
          },
        ]);
      }
    }
  }
  return { places: { administrativeAreas, locations }, wards: new Weighted(wards) };
}

/** The places of the country with this seed: all offices and facilities of `demoRecords`. */
export const demoPlaces = (seed: number): LocationsFile => drawCountry(seed).places;
