import { demoPlaces } from '../../demo/places.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aSecretsKey, succeed } from '../support/command-line.js';

interface Page {
  readonly results: readonly EventRecord[];
  readonly total: number;
}

const SEED = 3;
const RECORDS = 400;

let service: RunningApplication;
let env: Readonly<Record<string, string>>;
/** Everything that is stored, as `matricula export records` tells it. */
let stored: readonly EventRecord[];
let token: string;

beforeAll(async () => {
  const SECRETS_KEY = aSecretsKey();
  service = await startApplication({ env: { SECRETS_KEY } });
  env = { SECRETS_KEY, DATABASE_URL: service.database.url };
  await succeed(['seed', '--records', String(RECORDS), '--seed', String(SEED)], env);
  const lines = (await succeed(['export', 'records'], env)).trimEnd().split('\n');
  stored = lines.map((line) => JSON.parse(line) as EventRecord);

  const administrator = await succeed(['token', '--role', 'national-system-admin'], env);
  const registered = await service.request('POST', '/registerSystemClient', {
    listener: 'internal',
    token: administrator.trim(),
    body: { scope: 'NATIONAL_ID' },
  });
  expect(registered.status).toBe(201);
  token = await tokenOf(registered.json as Credentials);
});
afterAll(() => service.stop());

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

async function tokenOf({ client_id, client_secret }: Credentials): Promise<string> {
  const granted = await service.request('POST', '/auth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
  });
  expect(granted.status).toBe(200);
  return (granted.json as { access_token: string }).access_token;
}

async function search(body: object, as = token): Promise<Page> {
  const { status, json } = await service.request('POST', '/events/search', { token: as, body });
  expect(status).toBe(200);
  return json as Page;
}

const EVERYTHING = { clauses: [{ createdAt: { type: 'range', gte: '2000-01-01', lte: '2100-01-01' } }] };
const idsOf = (records: readonly EventRecord[]): readonly string[] => records.map(({ id }) => id);
const sorted = (ids: readonly string[]): readonly string[] => [...ids].sort();

interface LookUp {
  readonly clause: object;
  readonly holds: (record: EventRecord) => boolean;
}

/** The place and all that lies below it, by the file that was imported. */
function below(place: string): ReadonlySet<string> {
  const { administrativeAreas, locations } = demoPlaces(SEED);
  const found = new Set([place]);
  // Parents come before their children.
  for (const { id, partOf } of [...administrativeAreas, ...locations]) {
    if (partOf !== null && found.has(partOf)) found.add(id);
  }
  return found;
}

const aProvince = (): string => {
  const top = demoPlaces(SEED).administrativeAreas.find(({ partOf }) => partOf === null);
  if (top === undefined) throw new Error('the country has no province');
  return top.id;
};

const LOOK_UPS: readonly (readonly [string, (some: EventRecord) => LookUp])[] = [
  ['id', ({ id }) => ({ clause: { id }, holds: (record) => record.id === id })],
  [
    'tracking id',
    ({ trackingId }) => ({
      clause: { trackingId: { type: 'exact', term: trackingId } },
      holds: (record) => record.trackingId === trackingId,
    }),
  ],
  [
    'registration number',
    ({ legalStatuses: { REGISTERED } }) => ({
      clause: {
        'legalStatuses.REGISTERED.registrationNumber': { type: 'exact', term: REGISTERED?.registrationNumber },
      },
      holds: ({ legalStatuses }) => legalStatuses.REGISTERED?.registrationNumber === REGISTERED?.registrationNumber,
    }),
  ],
  [
    'status and date range',
    () => ({
      clause: {
        status: { type: 'anyOf', terms: ['REGISTERED', 'ARCHIVED'] },
        createdAt: { type: 'range', gte: '2020-03-01', lte: '2023-10-31' },
      },
      holds: ({ status, createdAt }) =>
        ['REGISTERED', 'ARCHIVED'].includes(status) && createdAt >= '2020-03-01' && createdAt < '2023-11-01',
    }),
  ],
  [
    'date of registration',
    () => ({
      clause: { 'legalStatuses.REGISTERED.acceptedAt': { type: 'range', gte: '2022-01-01', lte: '2022-12-31' } },
      holds: ({ legalStatuses }) => legalStatuses.REGISTERED?.acceptedAt.startsWith('2022-') === true,
    }),
  ],
  [
    'location within a province',
    () => {
      const places = below(aProvince());
      return {
        clause: { updatedAtLocation: { type: 'within', location: aProvince() } },
        holds: ({ updatedAtLocation }) => updatedAtLocation !== null && places.has(updatedAtLocation),
      };
    },
  ],
  [
    'location itself',
    ({ createdAtLocation }) => ({
      clause: { createdAtLocation: { type: 'exact', term: createdAtLocation } },
      holds: (record) => record.createdAtLocation === createdAtLocation,
    }),
  ],
  [
    'any of some flags',
    () => ({
      clause: { flags: { anyOf: ['certified', 'incomplete'] } },
      holds: ({ flags }) => flags.includes('certified') || flags.includes('incomplete'),
    }),
  ],
  [
    'none of some flags',
    () => ({
      clause: { eventType: 'death', flags: { noneOf: ['certified', 'paper-register'] } },
      holds: ({ type, flags }) => type === 'death' && !flags.includes('certified') && !flags.includes('paper-register'),
    }),
  ],
  [
    'a value of the declaration',
    () => ({
      clause: { data: { 'child.gender': { type: 'exact', term: 'FEMALE' } } },
      holds: ({ declaration }) => declaration['child.gender'] === 'female',
    }),
  ],
  [
    'any of some values of the declaration',
    () => ({
      clause: { data: { 'informant.relation': { type: 'anyOf', terms: ['MOTHER', 'FATHER'] } } },
      holds: ({ declaration }) => ['MOTHER', 'FATHER'].some((term) => term === declaration['informant.relation']),
    }),
  ],
  [
    'a range of dates of the declaration',
    () => ({
      clause: { data: { 'child.dob': { type: 'range', gte: '2021-06-01', lte: '2024-02-29' } } },
      holds: ({ declaration }) => {
        const born = declaration['child.dob'];
        return typeof born === 'string' && born >= '2021-06-01' && born <= '2024-02-29';
      },
    }),
  ],
];

describe('an integrator finds records', () => {
  const aRegistered = (): EventRecord => {
    const found = stored.find(({ legalStatuses }) => legalStatuses.REGISTERED !== null);
    if (found === undefined) throw new Error('the country has no registered record');
    return found;
  };

  it.each(LOOK_UPS)('by %s, with the total that plain counting gives', async (_, lookUp) => {
    const { clause, holds } = lookUp(aRegistered());
    const expected = stored.filter(holds);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(RECORDS);
    const { results, total } = await search({ query: { clauses: [clause] }, limit: RECORDS });
    expect({ total, ids: sorted(idsOf(results)) }).toEqual({
      total: expected.length,
      ids: sorted(idsOf(expected)),
    });
  });

  it('whole, as they were exported', async () => {
    const { results } = await search({ query: EVERYTHING, limit: RECORDS, sort: [{ field: 'id' }] });
    expect(results).toEqual([...stored].sort((one, other) => (one.id < other.id ? -1 : 1)));
  });

  it('with every key of the record table, and no other (S-13)', async () => {
    const { results } = await search({ query: EVERYTHING, limit: RECORDS });
    const shapes = new Set(results.map((record) => Object.keys(record).sort().join()));
    expect([...shapes]).toEqual([[...RECORD_KEYS].sort().join()]);
    const legal = (status: 'DECLARED' | 'REGISTERED') =>
      new Set(
        results.flatMap(({ legalStatuses }) => {
          const found = legalStatuses[status];
          return found === null ? [] : [Object.keys(found).sort().join()];
        }),
      );
    expect([...legal('DECLARED')]).toEqual([[...LEGAL_KEYS].sort().join()]);
    expect([...legal('REGISTERED')]).toEqual([[...LEGAL_KEYS, 'registrationNumber'].sort().join()]);
  });
});

const LEGAL_KEYS = [
  'createdAt',
  'createdBy',
  'createdAtLocation',
  'createdByUserType',
  'acceptedAt',
  'createdByRole',
] as const;

const RECORD_KEYS = [
  'id',
  'type',
  'status',
  'legalStatuses',
  'createdAt',
  'dateOfEvent',
  'placeOfEvent',
  'createdBy',
  'createdByUserType',
  'updatedByUserRole',
  'createdAtLocation',
  'updatedAtLocation',
  'updatedAt',
  'assignedTo',
  'updatedBy',
  'trackingId',
  'potentialDuplicates',
  'flags',
  'declaration',
] as const;

describe('pages', () => {
  it('walk the whole set, in its order, without overlap', async () => {
    const sort = [{ field: 'createdAt', direction: 'desc' }];
    const ids: string[] = [];
    for (let offset = 0; offset < RECORDS; offset += 37) {
      const { results, total } = await search({ query: EVERYTHING, sort, limit: 37, offset });
      expect(total).toBe(RECORDS);
      ids.push(...idsOf(results));
    }
    const inOrder = [...stored].sort(
      (one, other) =>
        (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0) ||
        (one.id < other.id ? -1 : 1),
    );
    expect(ids).toEqual(idsOf(inOrder));
  });

  it('of no record give the total', async () => {
    expect(await search({ query: EVERYTHING, limit: 0 })).toEqual({ results: [], total: RECORDS });
  });

  it('past the end are empty, with the total', async () => {
    expect(await search({ query: EVERYTHING, offset: 100_000 })).toEqual({ results: [], total: RECORDS });
  });

  it('have 100 records when nothing is said', async () => {
    expect((await search({ query: EVERYTHING })).results).toHaveLength(100);
  });
});

describe('scopes', () => {
  it('of births alone show births alone', async () => {
    const registration = ['clients', 'register', '--scope', 'type=record.search&event=birth', '--json'];
    const restricted = await tokenOf(JSON.parse(await succeed(registration, env)) as Credentials);
    const births = stored.filter(({ type }) => type === 'birth');
    const { results, total } = await search({ query: EVERYTHING, limit: RECORDS }, restricted);
    expect({ total, ids: sorted(idsOf(results)) }).toEqual({ total: births.length, ids: sorted(idsOf(births)) });
    expect(await search({ query: { clauses: [{ eventType: 'death' }] } }, restricted)).toEqual({
      results: [],
      total: 0,
    });
  });

  it('without search are refused', async () => {
    const registration = ['clients', 'register', '--as', 'WEBHOOK', '--json'];
    const client = await tokenOf(JSON.parse(await succeed(registration, env)) as Credentials);
    const { status } = await service.request('POST', '/events/search', { token: client, body: { query: EVERYTHING } });
    expect(status).toBe(403);
  });
});
