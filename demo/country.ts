import type { UserType } from '../src/kernel/domain/event-record.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';
import type { Culture } from './names.js';
import { type DistrictPlace, drawPlaceTree, type LocationEntry, type ProvincePlace, type WardPlace } from './places.js';
import { drawUuid, Prng, Weighted } from './prng.js';

type Role =
  | 'REGISTRATION_AGENT'
  | 'LOCAL_REGISTRAR'
  | 'PROVINCIAL_REGISTRAR'
  | 'NATIONAL_REGISTRAR'
  | 'HEALTH_OFFICER'
  | 'COMMUNITY_LEADER';

/** A user with a role, or a system client without one. */
export interface Official {
  readonly id: Uuid;
  readonly userType: UserType;
  readonly role?: Role;
  readonly location: Uuid;
}

const drawUser = (prng: Prng, role: Role, at: LocationEntry): Official => ({
  id: drawUuid(prng),
  userType: 'user',
  role,
  location: at.id,
});

/** A system client may act for many places. */
const systemAt = (client: Uuid, at: LocationEntry): Official => ({
  id: client,
  userType: 'system',
  location: at.id,
});

const NATIONAL_REGISTRARS = 3;
const WARDS_WITH_A_COMMUNITY_LEADER = 0.6;

/** The place of an event, and its officials. */
export interface Ward {
  readonly weight: number;
  readonly population: Weighted<Culture>;
  readonly villages: readonly Uuid[];
  readonly wardOffice: Uuid;
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

export interface Country {
  /** Weighted by population. */
  readonly wards: Weighted<Ward>;
}

/** The staffed places of `demoPlaces(seed)`: some four hundred users and a few system clients. */
export function demoCountry(seed: number): Country {
  const prng = new Prng(seed, 'country');
  const provinces = drawPlaceTree(prng);
  const capital = prng.pick(provinces.slice(0, 1)).office;
  const national = Array.from({ length: NATIONAL_REGISTRARS }, () => drawUser(prng, 'NATIONAL_REGISTRAR', capital));
  const validationClient = drawUuid(prng);
  const wards = provinces.flatMap((province) => staffedProvince(prng, province, national, validationClient));
  return { wards: new Weighted(wards.map((ward) => [ward.weight, ward] as const)) };
}

function staffedProvince(
  prng: Prng,
  province: ProvincePlace,
  nationalRegistrars: readonly Official[],
  validationClient: Uuid,
): Ward[] {
  const provincialRegistrar = drawUser(prng, 'PROVINCIAL_REGISTRAR', province.office);
  const healthClient = drawUuid(prng);
  const population = new Weighted(province.population);
  const staffedDistrict = (district: DistrictPlace): Ward[] => {
    const first = drawUser(prng, 'LOCAL_REGISTRAR', district.office);
    const second = drawUser(prng, 'LOCAL_REGISTRAR', district.office);
    // The registrar of the province stands in occasionally.
    const registrars = [first, first, first, second, second, second, provincialRegistrar];
    const agent = drawUser(prng, 'REGISTRATION_AGENT', district.office);
    const healthOfficer = drawUser(prng, 'HEALTH_OFFICER', district.hospital);
    const staffedWard = (ward: WardPlace): Ward => {
      const facility = ward.healthCentre ?? district.hospital;
      return {
        weight: ward.weight,
        population,
        villages: ward.villages.map((village) => village.id),
        wardOffice: ward.office.id,
        facility: facility.id,
        hospital: district.hospital.id,
        agents: [drawUser(prng, 'REGISTRATION_AGENT', ward.office), agent],
        registrars,
        fieldNotifiers: prng.chance(WARDS_WITH_A_COMMUNITY_LEADER)
          ? [drawUser(prng, 'COMMUNITY_LEADER', ward.office), healthOfficer]
          : [healthOfficer],
        facilitySystem: systemAt(healthClient, facility),
        validationSystem: systemAt(validationClient, district.office),
        nationalRegistrars,
      };
    };
    return district.wards.map(staffedWard);
  };
  return province.districts.flatMap(staffedDistrict);
}
