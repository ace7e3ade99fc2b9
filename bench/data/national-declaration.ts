import { calendarDateOf, YEAR_MS } from '../../demo/day.js';
import { withTypingError } from '../../demo/person.js';
import type { Prng } from '../../demo/prng.js';
import { DAY_MS } from '../../src/kernel/domain/calendar.js';
import type { Declaration, DeclarationValue } from '../../src/kernel/domain/event-record.js';
import type { Nation } from './nation.js';

const TYPING_ERRORS = 0.008;
const OCCUPATIONS = ['Farmer', 'Teacher', 'Trader', 'Driver', 'Nurse', 'Tailor', 'Miner', 'Clerk', 'Fisher', 'Mason'];
const EDUCATION = ['NO_SCHOOLING', 'PRIMARY', 'LOWER_SECONDARY', 'UPPER_SECONDARY', 'TERTIARY'];
const MARITAL = ['SINGLE', 'MARRIED', 'WIDOWED', 'DIVORCED', 'SEPARATED'];
const ATTENDANTS = ['PHYSICIAN', 'NURSE', 'MIDWIFE', 'OTHER_PARAMEDICAL', 'LAYPERSON', 'NONE'];
const CAUSES = ['Malaria', 'Pneumonia', 'Stroke', 'Road accident', 'Heart failure', 'Tuberculosis', 'Old age'];
const PLACES = ['HEALTH_FACILITY', 'PRIVATE_HOME', 'OTHER'];
const RELATIONS = ['MOTHER', 'FATHER', 'GRANDMOTHER', 'GRANDFATHER', 'BROTHER', 'SISTER', 'OTHER'];

/** Who of a record has a national id, by its place in the record. */
const PEOPLE_OF_A_RECORD = 4;

interface Event {
  readonly type: 'birth' | 'death' | 'marriage';
  readonly index: number;
  readonly happenedMs: number;
  readonly isRegistered: boolean;
}

/** Ten digits; no two people of up to 20 million records have the same. */
export const nationalIdOf = (record: number, person: number): string =>
  String(1_000_000_000 + (((record * PEOPLE_OF_A_RECORD + person) * 100_000_007) % 9_000_000_000));

/** The fields of a name that a record of any type can have: what a search for a person's name goes through. */
export const NAME_FIELDS = [
  'child.name',
  'mother.name',
  'father.name',
  'informant.name',
  'deceased.name',
  'spouse.name',
  'bride.name',
  'groom.name',
  'witness.name',
] as const;

export function declarationOf(prng: Prng, nation: Nation, event: Event): Declaration {
  const draw = new Drawing(prng, nation, event.index);
  switch (event.type) {
    case 'birth':
      return birth(draw, event);
    case 'death':
      return death(draw, event);
    case 'marriage':
      return marriage(draw, event);
  }
}

function birth(draw: Drawing, { happenedMs, isRegistered }: Event): Declaration {
  const { prng } = draw;
  const isMale = prng.chance(0.51);
  const family = draw.surname();
  const mother = draw.surname();
  return {
    'child.name': draw.name(isMale, family),
    'child.gender': isMale ? 'male' : 'female',
    'child.dob': calendarDateOf(happenedMs),
    ...(isRegistered && { 'child.nid': nationalIdOf(draw.index, 0) }),
    'child.placeOfBirth': prng.pick(PLACES),
    'child.birthLocation': prng.pick(draw.nation.offices).id,
    'child.attendantAtBirth': prng.pick(ATTENDANTS),
    'child.birthType': prng.chance(0.97) ? 'SINGLE' : 'TWIN',
    'child.weightAtBirth': prng.between(180, 480) / 100,
    'mother.name': draw.name(false, mother),
    'mother.dob': draw.birthday(happenedMs, 16, 45),
    'mother.nid': nationalIdOf(draw.index, 1),
    'mother.nationality': 'FAR',
    'mother.maritalStatus': prng.pick(MARITAL),
    'mother.educationalAttainment': prng.pick(EDUCATION),
    'mother.occupation': prng.pick(OCCUPATIONS),
    'mother.previousBirths': prng.between(0, 7),
    'mother.address': draw.address(),
    'father.name': draw.name(true, family),
    'father.dob': draw.birthday(happenedMs, 18, 60),
    'father.nid': nationalIdOf(draw.index, 2),
    'father.nationality': 'FAR',
    'father.occupation': prng.pick(OCCUPATIONS),
    'father.addressSameAs': 'YES',
    ...draw.informant('MOTHER'),
  };
}

function death(draw: Drawing, { happenedMs }: Event): Declaration {
  const { prng } = draw;
  const isMale = prng.chance(0.52);
  const family = draw.surname();
  return {
    'deceased.name': draw.name(isMale, family),
    'deceased.gender': isMale ? 'male' : 'female',
    'deceased.dob': draw.birthday(happenedMs, 0, 95),
    'deceased.nid': nationalIdOf(draw.index, 0),
    'deceased.nationality': 'FAR',
    'deceased.maritalStatus': prng.pick(MARITAL),
    'deceased.numberOfDependants': prng.between(0, 6),
    'deceased.address': draw.address(),
    'eventDetails.date': calendarDateOf(happenedMs),
    'eventDetails.mannerOfDeath': prng.pick(['NATURAL_CAUSES', 'ACCIDENT', 'SUICIDE', 'HOMICIDE', 'UNDETERMINED']),
    'eventDetails.causeOfDeathEstablished': prng.chance(0.6),
    'eventDetails.sourceCauseDeath': prng.pick(['PHYSICIAN', 'LAY_REPORTED', 'VERBAL_AUTOPSY']),
    'eventDetails.description': `${prng.pick(CAUSES)} after ${prng.between(1, 60)} days of illness`,
    'eventDetails.placeOfDeath': prng.pick(PLACES),
    'eventDetails.deathLocation': prng.pick(draw.nation.offices).id,
    'spouse.name': draw.name(!isMale, family),
    'spouse.dob': draw.birthday(happenedMs, 18, 90),
    'spouse.nid': nationalIdOf(draw.index, 1),
    'spouse.nationality': 'FAR',
    'spouse.address': draw.address(),
    ...draw.informant('SON'),
    'informant.name': draw.name(prng.chance(0.5), family),
  };
}

function marriage(draw: Drawing, { happenedMs }: Event): Declaration {
  const { prng } = draw;
  return {
    'marriage.date': calendarDateOf(happenedMs),
    'marriage.type': prng.pick(['MONOGAMY', 'POLYGAMY', 'CUSTOMARY']),
    'marriage.location': prng.pick(draw.nation.offices).id,
    ...partner(draw, 'bride', false, happenedMs, 0),
    ...partner(draw, 'groom', true, happenedMs, 1),
    'witness.name': draw.name(prng.chance(0.5), draw.surname()),
    'witness.nid': nationalIdOf(draw.index, 2),
    ...draw.informant('BRIDE'),
  };
}

function partner(draw: Drawing, who: string, isMale: boolean, happenedMs: number, person: number): Declaration {
  const { prng } = draw;
  return {
    [`${who}.name`]: draw.name(isMale, draw.surname()),
    [`${who}.dob`]: draw.birthday(happenedMs, 18, 60),
    [`${who}.nid`]: nationalIdOf(draw.index, person),
    [`${who}.nationality`]: 'FAR',
    [`${who}.maritalStatus`]: prng.pick(MARITAL),
    [`${who}.occupation`]: prng.pick(OCCUPATIONS),
    [`${who}.educationalAttainment`]: prng.pick(EDUCATION),
    [`${who}.address`]: draw.address(),
  };
}

class Drawing {
  constructor(
    readonly prng: Prng,
    readonly nation: Nation,
    readonly index: number,
  ) {}

  surname(): string {
    return this.prng.pickByRank(this.nation.names.surnames);
  }

  name(isMale: boolean, surname: string): DeclarationValue {
    const { prng, nation } = this;
    const given = isMale ? nation.names.male : nation.names.female;
    return {
      firstname: this.typed(prng.pickByRank(given)),
      surname: this.typed(surname),
      ...(prng.chance(0.3) && { middlename: this.typed(prng.pickByRank(given)) }),
    };
  }

  birthday(happenedMs: number, youngest: number, oldest: number): string {
    const years = youngest + this.prng.unit() * (oldest - youngest);
    return calendarDateOf(happenedMs - Math.floor(years * YEAR_MS) - DAY_MS);
  }

  address(): DeclarationValue {
    const { prng, nation } = this;
    return {
      country: 'FAR',
      addressType: 'DOMESTIC',
      administrativeArea: prng.pick(nation.villages),
      streetLevelDetails: {
        town: prng.pickByRank(nation.names.surnames),
        street: `${prng.pickByRank(nation.names.surnames)} Road`,
        number: String(prng.between(1, 400)),
        zipCode: String(prng.between(10_000, 99_999)),
      },
    };
  }

  informant(most: string): Declaration {
    const { prng } = this;
    return {
      'informant.relation': prng.chance(0.6) ? most : prng.pick(RELATIONS),
      'informant.phoneNo': `0${prng.between(700_000_000, 999_999_999)}`,
      ...(prng.chance(0.3) && { 'informant.email': `person${this.index}@mail${prng.between(1, 9)}.example` }),
    };
  }

  private typed(name: string): string {
    return this.prng.chance(TYPING_ERRORS) ? withTypingError(this.prng, name) : name;
  }
}
