import { calendarDateOf } from '../../demo/day.js';
import type { DemoRecord } from '../../demo/demo-line.js';
import { Prng } from '../../demo/prng.js';
import { DAY_MS } from '../../src/kernel/domain/calendar.js';
import type { Nation } from '../data/nation.js';
import { NAME_FIELDS, nationalIdOf } from '../data/national-declaration.js';
import { nationalRecord } from '../data/national-record.js';

/** What a query is drawn from: every draw of a record or a name is one that the database has. */
export class Draws {
  readonly prng: Prng;

  constructor(
    readonly nation: Nation,
    private readonly records: number,
    readonly untilMs: number,
    seed = 1,
  ) {
    this.prng = new Prng(seed, 'origin');
  }

  index(): number {
    return this.prng.between(0, this.records - 1);
  }

  recordAt(index: number): DemoRecord {
    return nationalRecord(this.nation, index, this.untilMs);
  }

  /** A record of which `isFit` holds. */
  record(isFit: (record: DemoRecord) => boolean = () => true): DemoRecord {
    for (;;) {
      const record = this.recordAt(this.index());
      if (isFit(record)) return record;
    }
  }

  /** A surname by its rank among the people, both ends included. */
  surname(least: number, most: number): string {
    return this.nation.names.surnames[this.prng.between(least, most)] ?? '';
  }

  /** Some day of the ten years but of the first and the last. */
  dayMs(): number {
    return this.untilMs - this.prng.between(365, 9 * 365) * DAY_MS;
  }
}

type Body = Readonly<Record<string, unknown>>;

export interface QueryKind {
  readonly name: string;
  /** The `query` of a search. */
  readonly draw: (draws: Draws) => Body;
  /** How many in a hundred of the mixed load it is. */
  readonly share?: number;
}

const exact = (term: string): Body => ({ type: 'exact', term });
const anyOf = (...terms: string[]): Body => ({ type: 'anyOf', terms });
const within = (location: string): Body => ({ type: 'within', location });
const fuzzy = (term: string): Body => ({ type: 'fuzzy', term });
const range = (gte: string, lte: string): Body => ({ type: 'range', gte, lte });
const expression = (...conditions: Body[]): Body => ({ clauses: [Object.assign({}, ...conditions) as Body] });
const either = (...clauses: Body[]): Body => ({ type: 'or', clauses });
const REGISTERED = { status: exact('REGISTERED') };

const isRegistered = (record: DemoRecord): boolean => record.status === 'REGISTERED';
const isRegisteredBirth = (record: DemoRecord): boolean => isRegistered(record) && record.type === 'birth';
const registrationNumberOf = (record: DemoRecord): string => record.legalStatuses.REGISTERED?.registrationNumber ?? '';

function month(draws: Draws): Body {
  const [year, month] = calendarDateOf(draws.dayMs()).split('-').map(Number);
  const last = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).toISOString().slice(0, 10);
  return range(`${last.slice(0, 8)}01`, last);
}

/** A name as it stands in the declaration, of a person whose field is `field`. */
function nameOf(record: DemoRecord, field: string): string {
  const { firstname, surname } = record.declaration[field] as Record<'firstname' | 'surname', string>;
  return `${firstname} ${surname}`;
}

const inAnyName = (condition: Body): Body => either(...NAME_FIELDS.map((field) => ({ data: { [field]: condition } })));

/** The 22 kinds of search that the service is measured by. */
export const QUERY_KINDS: readonly QueryKind[] = [
  {
    name: '01 tracking id',
    share: 7.5,
    draw: (draws) => expression({ trackingId: exact(draws.record().trackingId) }),
  },
  {
    name: '02 registration number',
    share: 7.5,
    draw: (draws) =>
      expression({
        'legalStatuses.REGISTERED.registrationNumber': exact(registrationNumberOf(draws.record(isRegistered))),
      }),
  },
  { name: '03 id', share: 7.5, draw: (draws) => expression({ id: draws.record().id }) },
  { name: '04 births that are registered', draw: () => expression({ eventType: 'birth' }, REGISTERED) },
  {
    name: '05 two statuses in a district',
    share: 3,
    draw: ({ prng, nation }) =>
      expression({ status: anyOf('DECLARED', 'NOTIFIED') }, { updatedAtLocation: within(prng.pick(nation.districts)) }),
  },
  {
    name: '06 work queue of an office',
    share: 20,
    draw: ({ prng, nation }) =>
      expression({ status: exact('DECLARED') }, { updatedAtLocation: exact(prng.pick(nation.offices).id) }),
  },
  {
    name: '07 one flag and not another',
    draw: () => expression({ flags: { anyOf: ['paper-register'], noneOf: ['sealed'] } }),
  },
  {
    name: '08 births registered in a month',
    share: 3,
    draw: (draws) => expression({ eventType: 'birth' }, { 'legalStatuses.REGISTERED.acceptedAt': month(draws) }),
  },
  {
    name: '09 last 7 days in a province',
    share: 3,
    draw: ({ prng, nation }) =>
      expression(
        { updatedAt: { type: 'timePeriod', term: 'last7Days' } },
        { updatedAtLocation: within(prng.pick(nation.provinces)) },
      ),
  },
  { name: '10 common surname, any name', draw: (draws) => inAnyName(exact(draws.surname(4, 12))) },
  {
    name: '11 rare surname, fuzzy, any name',
    share: 10,
    draw: (draws) => inAnyName(fuzzy(draws.surname(2_000, 20_000))),
  },
  {
    name: '12 two names, registered births',
    share: 10,
    draw: (draws) =>
      expression({ eventType: 'birth' }, REGISTERED, {
        data: { 'child.name': exact(nameOf(draws.record(isRegisteredBirth), 'child.name')) },
      }),
  },
  {
    name: '13 national id in the declaration',
    share: 7.5,
    draw: (draws) => {
      const index = draws.index();
      const field = { birth: 'mother.nid', death: 'spouse.nid' }[draws.recordAt(index).type] ?? 'groom.nid';
      return expression({ data: { [field]: exact(nationalIdOf(index, 1)) } });
    },
  },
  {
    name: '14 date of birth and gender',
    share: 3,
    draw: (draws) =>
      expression({ data: { 'child.dob': exact(calendarDateOf(draws.dayMs())), 'child.gender': exact('female') } }),
  },
  { name: '15 born in a month', share: 3, draw: (draws) => expression({ data: { 'child.dob': month(draws) } }) },
  {
    name: '16 quick search in four places',
    share: 3,
    draw: (draws) => {
      const term = draws.surname(500, 5_000);
      return either(
        { trackingId: exact(term) },
        { 'legalStatuses.REGISTERED.registrationNumber': exact(term) },
        { data: { 'mother.nid': exact(term) } },
        { data: fuzzy(term) },
      );
    },
  },
  {
    name: '17 nested or, in a province',
    share: 3,
    draw: (draws) => {
      const name = exact(draws.surname(1, 6));
      return {
        clauses: [
          either(
            { eventType: 'birth', data: { 'child.name': name } },
            { eventType: 'death', data: { 'deceased.name': name } },
          ),
          { updatedAtLocation: within(draws.prng.pick(draws.nation.provinces)) },
        ],
      };
    },
  },
  {
    name: '18 role, district, year',
    share: 3,
    draw: (draws) => {
      const year = calendarDateOf(draws.dayMs()).slice(0, 4);
      return expression({
        'legalStatuses.REGISTERED.createdByRole': anyOf('LOCAL_REGISTRAR', 'NATIONAL_REGISTRAR'),
        'legalStatuses.REGISTERED.createdAtLocation': within(draws.prng.pick(draws.nation.districts)),
        'legalStatuses.REGISTERED.acceptedAt': range(`${year}-01-01`, `${year}-12-31`),
      });
    },
  },
  { name: '19 created by', share: 3, draw: (draws) => expression({ createdBy: exact(draws.record().createdBy) }) },
  {
    name: '20 address in a ward, registered births',
    share: 3,
    draw: ({ prng, nation }) =>
      expression({ eventType: 'birth' }, REGISTERED, { data: { 'mother.address': within(prng.pick(nation.wards)) } }),
  },
  { name: '21 without a flag (95 %)', draw: () => expression({ flags: { noneOf: ['late-registration'] } }) },
  {
    name: '22 registered in a province',
    draw: ({ prng, nation }) =>
      expression(REGISTERED, {
        'legalStatuses.REGISTERED.createdAtLocation': within(prng.pick(nation.provinces)),
      }),
  },
];
