import { Fhir } from 'fhir';
import { sql } from '../../src/kernel/sql/sql.js';
import { type RunningApplication, startApplication } from '../support/application.js';
import { aRecord } from '../support/builders/a-record.js';
import { aUuid } from '../support/builders/a-uuid.js';
import { storeRecords } from '../support/store-records.js';

const [PROVINCE, DISTRICT, OFFICE, OTHER, NOBODY] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4), aUuid(5)];
const [FIRST, SECOND, THIRD] = [aUuid(0xf1), aUuid(0xf2), aUuid(0xf3)];

let service: RunningApplication;
let editor: string;
let reader: string;

beforeAll(async () => {
  service = await startApplication();
  editor = await service.issuer.token({ sub: 'keeper', scope: ['type=location.edit', 'type=record.search'] });
  reader = await service.issuer.token({ sub: 'reader', scope: [] });
});
afterAll(() => service.stop());

const get = (path: string, headers = {}) => service.request('GET', path, { token: reader, headers });
const change = (method: string, path: string, body?: object) => service.request(method, path, { token: editor, body });
const areas = (body: object) => change('POST', '/administrative-areas', body);
const offices = (body: object) => change('POST', '/locations', body);
const statusAndMessage = ({ status, json }: { status: number; json: unknown }) => [
  status,
  (json as { message: string }).message,
];
const issuesOf = ({ json }: { json: unknown }) =>
  (json as { issues: { message: string }[] }).issues.map(({ message }) => message);

const audited = async (): Promise<unknown[][]> => {
  const rows = await service.database.database.query<{ operation: string; asked: unknown; done: unknown }>(sql`
    select operation, request_data as asked, response_summary as done from audit_log
     where client_id = 'keeper' order by created_at`);
  return rows.map(({ operation, asked, done }) => [operation, asked, done]);
};

const STATE = { externalId: null, status: 'active' };
const ALWAYS = '0001-01-01';
const SNAPSHOT = { name: 'Ibombo District Office', externalId: 'X1', status: 'active' };
const office = {
  id: OFFICE,
  versionId: FIRST,
  name: 'Ibombo Office',
  externalId: 'X1',
  administrativeAreaId: DISTRICT,
  locationType: 'CRVS_OFFICE',
};
const created = { versionId: FIRST, effectiveFrom: ALWAYS, name: 'Ibombo Office', externalId: 'X1', status: 'active' };
const scheduled = { versionId: SECOND, effectiveFrom: '2999-09-01', ...SNAPSHOT };

describe('creating places', () => {
  it('makes areas and locations, each with one version', async () => {
    const province = await areas({ id: PROVINCE, name: 'Central', parentId: null });
    const { versionId } = (province.json as { versions: { versionId: string }[] }).versions[0] ?? {};
    const versions = [{ versionId, effectiveFrom: ALWAYS, name: 'Central', ...STATE }];
    expect([province.status, province.json]).toEqual([
      200,
      { id: PROVINCE, name: 'Central', ...STATE, parentId: null, versions },
    ]);
    expect((await areas({ id: DISTRICT, name: 'Ibombo', parentId: PROVINCE })).status).toBe(200);
    const made = await offices(office);
    const { id, name, externalId, administrativeAreaId, locationType } = office;
    const flat = { id, name, externalId, administrativeAreaId, locationType, status: 'active' };
    expect([made.status, made.json]).toEqual([200, { ...flat, versions: [created] }]);
    expect((await get(`/locations/${OFFICE}`)).json).toEqual(made.json);
  });

  it('is found by searches within the areas at once (S-9)', async () => {
    await storeRecords(service.database.database, [aRecord({ createdAtLocation: OTHER })]);
    const within = async (location: string): Promise<unknown> => {
      const query = { clauses: [{ createdAtLocation: { type: 'within', location } }] };
      const { json } = await service.request('POST', '/events/search', { token: editor, body: { query } });
      return (json as { total: number }).total;
    };
    expect([await within(PROVINCE), await within(OTHER)]).toEqual([0, 0]);
    await offices({ id: OTHER, name: 'Clinic', administrativeAreaId: DISTRICT, locationType: 'HEALTH_FACILITY' });
    expect([await within(PROVINCE), await within(OTHER)]).toEqual([1, 1]);
  });

  it('again answers the same and records nothing', async () => {
    const before = await audited();
    const again = await offices({ ...office, effectiveFrom: ALWAYS, status: 'active' });
    expect([again.status, again.json]).toEqual([200, (await get(`/locations/${OFFICE}`)).json]);
    expect(await audited()).toEqual(before);
  });

  it('never changes a place, nor takes what another place has', async () => {
    const replies = [
      await offices({ ...office, name: 'Another' }),
      await offices({ ...office, id: NOBODY }),
      await offices({ ...office, id: NOBODY, versionId: THIRD, status: 'active', effectiveFrom: '2030-01-01' }),
      await areas({ id: OFFICE, name: 'Ibombo Office', parentId: DISTRICT }),
    ];
    expect(replies.map(statusAndMessage)).toEqual([
      [409, `A location with id ${OFFICE} already exists with different name`],
      [409, `The versionId ${FIRST} is already used`],
      [409, 'An active location with externalId X1 already exists'],
      [409, `An administrative area with id ${OFFICE} already exists with different kind`],
    ]);
  });

  it('is refused with every fault', async () => {
    const replies = [
      await offices({ ...office, id: NOBODY, versionId: THIRD, administrativeAreaId: NOBODY }),
      await offices({ ...office, id: NOBODY, versionId: THIRD, administrativeAreaId: OFFICE }),
      await areas({ id: NOBODY, name: 'Loop', parentId: NOBODY }),
      await offices({ name: ' ', externalId: 7, effectiveFrom: '2026-02-30', status: 'closed', id: 'x' }),
      await areas({ name: 'Central', parentId: null, validUntil: null }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    const text =
      'must be visible text of 1 to 256 characters without control characters and without unpaired surrogates';
    expect(replies.map(issuesOf)).toEqual([
      [`administrativeAreaId: no administrative area has the id ${NOBODY}`],
      [`administrativeAreaId: no administrative area has the id ${OFFICE}`],
      [`parentId: no administrative area has the id ${NOBODY}`],
      expect.arrayContaining([
        'id: must be a UUID',
        `name: ${text}`,
        `externalId: ${text}, or null`,
        'effectiveFrom: must be a calendar date such as 2026-01-31',
        'status: must be one of the following values: active, inactive',
        'administrativeAreaId: is required',
        'locationType: is required',
      ]) as string[],
      ['validUntil: is not a known key; allowed: id, versionId, name, externalId, effectiveFrom, status, parentId'].map(
        (issue) => expect.stringContaining(issue.slice(0, 40)) as string,
      ),
    ]);
  });

  it('needs the scope location.edit, and reading any token', async () => {
    expect((await service.request('POST', '/locations', { token: reader, body: office })).status).toBe(403);
    expect((await service.request('GET', '/locations')).status).toBe(401);
    expect((await get('/locations')).status).toBe(200);
  });
});

describe('changing places', () => {
  const path = `/locations/${OFFICE}`;
  const put = (body: object) => change('PUT', path, { ...SNAPSHOT, ...body });

  it('schedules a version, which changes nothing today; again it appends nothing', async () => {
    const asked = { effectiveFrom: '2999-09-01', versionId: SECOND, lastVersionId: FIRST };
    const first = await put(asked);
    const before = await audited();
    expect([first.status, first.json]).toEqual([
      200,
      expect.objectContaining({ name: 'Ibombo Office', versions: [created, scheduled] }),
    ]);
    expect((await put(asked)).json).toEqual(first.json);
    expect((await change('PUT', '/locations', { id: OFFICE, ...SNAPSHOT, ...asked })).json).toEqual(first.json);
    expect(await audited()).toEqual(before);
    expect(before.at(-1)).toEqual([
      'locations.update',
      { id: OFFICE, ...scheduled },
      { changed: { name: { from: 'Ibombo Office', to: 'Ibombo District Office' } }, previousVersionId: FIRST },
    ]);
  });

  it('is refused where it does not fit what is there', async () => {
    const replies = [
      await put({ lastVersionId: FIRST, effectiveFrom: '2999-12-31' }),
      await put({ lastVersionId: SECOND, effectiveFrom: '2999-09-01', name: 'Another' }),
      await put({ lastVersionId: SECOND, effectiveFrom: '2000-01-01' }),
      await put({ lastVersionId: SECOND, effectiveFrom: '2999-12-31', versionId: FIRST }),
      await change('PUT', `/locations/${NOBODY}`, { ...SNAPSHOT, lastVersionId: FIRST }),
      await change('PUT', `/administrative-areas/${OFFICE}`, { ...SNAPSHOT, lastVersionId: FIRST }),
    ];
    expect(replies.map(statusAndMessage)).toEqual([
      [409, `The version ${FIRST} is not the newest of this location: refresh and retry`],
      [409, 'A version with effectiveFrom 2999-09-01 already exists'],
      [422, 'effectiveFrom 2000-01-01 is earlier than that of the newest version, 2999-09-01'],
      [409, `The versionId ${FIRST} is already used`],
      [404, `Location not found with ID: ${NOBODY}`],
      [404, `Administrative area not found with ID: ${OFFICE}`],
    ]);
  });

  it('never concerns the parent, the type or the id', async () => {
    for (const key of ['administrativeAreaId', 'parentId', 'locationType', 'id']) {
      const refused = await put({ lastVersionId: SECOND, [key]: NOBODY });
      expect([refused.status, issuesOf(refused)]).toEqual([
        400,
        [expect.stringContaining(`${key}: is not a known key`)],
      ]);
    }
    expect((await change('PUT', '/locations', { ...SNAPSHOT, lastVersionId: SECOND })).status).toBe(400);
    expect((await change('PUT', '/locations/nonsense', { ...SNAPSHOT, lastVersionId: SECOND })).status).toBe(400);
  });

  it('lets one of two writers through that arrive at once', async () => {
    const both = await Promise.all(
      ['One', 'Two'].map((name) => put({ name, lastVersionId: SECOND, effectiveFrom: '3000-01-01' })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const same = { lastVersionId: both.flatMap(lastVersionOf)[0], effectiveFrom: '3001-01-01', versionId: THIRD };
    const equal = await Promise.all([put(same), put(same), put(same)]);
    expect(equal.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('withdraws what has not begun, once', async () => {
    const withdraw = (versionId: string, of = path) => change('DELETE', `${of}/versions/${versionId}`);
    const gone = await withdraw(SECOND);
    expect([gone.status, lastVersionOf(gone)]).toEqual([200, [THIRD]]);
    const clinic = (await get(`/locations/${OTHER}`)).json as { versions: { versionId: string }[] };
    const replies = [
      await withdraw(SECOND),
      await withdraw(FIRST),
      await withdraw(clinic.versions[0]?.versionId ?? '', `/locations/${OTHER}`),
      await withdraw(FIRST, `/locations/${NOBODY}`),
    ];
    expect(replies.map(statusAndMessage)).toEqual([
      [404, `Version not found with ID: ${SECOND}`],
      [409, `The version ${FIRST} is already in effect`],
      [409, 'The only version cannot be withdrawn'],
      [404, `Location not found with ID: ${NOBODY}`],
    ]);
    expect((await audited()).at(-1)).toEqual([
      'locations.withdrawVersion',
      { id: OFFICE, versionId: SECOND },
      { withdrawn: scheduled },
    ]);
  });
});

const lastVersionOf = ({ status, json }: { status: number; json: unknown }): string[] =>
  status === 200 ? (json as { versions: { versionId: string }[] }).versions.slice(-1).map((one) => one.versionId) : [];

describe('reading places', () => {
  const idsOf = ({ json }: { json: unknown }) => (json as { id: string }[]).map(({ id }) => id);

  it.each([
    ['', [OFFICE, OTHER]],
    ['?locationType=CRVS_OFFICE', [OFFICE]],
    ['?externalId=X1', [OFFICE]],
    [`?locationIds=${OTHER},${NOBODY}&locationIds=${OFFICE}`, [OFFICE, OTHER]],
  ])('lists the locations that are asked for: %s', async (query, ids) => {
    expect(idsOf(await get(`/events/locations${query}`))).toEqual(ids);
  });

  it('lists them for clients of tRPC', async () => {
    const input = encodeURIComponent(JSON.stringify({ json: { locationIds: [OTHER], isActive: true } }));
    const listed = await get(`/events/locations.list?input=${input}`);
    const { json } = await get(`/locations?locationIds=${OTHER}`);
    expect([listed.status, listed.json]).toEqual([200, { result: { data: { json } } }]);
  });

  it('goes through them page by page', async () => {
    const first = await get('/administrative-areas?limit=1&isActive=true');
    expect(idsOf(first)).toEqual([PROVINCE]);
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(first.headers['link'])) ?? [];
    const last = await get(next);
    expect([idsOf(last), last.headers['link']]).toEqual([[DISTRICT], undefined]);
  });

  it('says to a client that has the list already that nothing has changed', async () => {
    const { headers } = await get('/locations');
    const again = await get('/locations', { 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.body]).toEqual([304, '']);
    await areas({ name: 'Sulaka', parentId: null });
    expect((await get('/locations', { 'if-none-match': headers.etag ?? '' })).status).toBe(200);
  });

  it.each([
    ['/locations?isActive=yes', ['isActive: must be true or false']],
    ['/locations?locationIds=x', ['locationIds: must be UUIDs, repeated or with commas between them']],
    ['/locations?cursor=x', ['cursor: must be a UUID']],
    ['/locations/x', ['id: must be a UUID']],
    ['/location?_count=-1', ['_count: must be a whole number from 0 to 1000000']],
  ])('refuses %s', async (path, issues) => {
    const { status, json } = await get(path);
    expect([status, issuesOf({ json })]).toEqual([400, issues]);
  });

  const asked = async (query: string): Promise<Bundle> =>
    (await service.request('GET', `/location?${query}`)).json as Bundle;
  const found = async (query: string) => (await asked(query)).entry?.map(({ resource: { id } }) => id);

  it('shows clients of releases 1.x Locations in the shape of those, without a token (L-4)', async () => {
    const url = '/location?type=CRVS_OFFICE&status=active&_count=0';
    const list = await service.request('GET', url);
    const one = await service.request('GET', `/location/${OFFICE}?_summary=true`);
    expect(one.json).toEqual({
      resourceType: 'Location',
      id: OFFICE,
      meta: { lastUpdated: '0001-01-01T00:00:00.000Z' },
      identifier: [{ system: 'http://opencrvs.org/specs/id/statistical-code', value: 'CRVS_OFFICE_X1' }],
      status: 'active',
      name: 'Ibombo Office',
      mode: 'instance',
      type: { coding: [{ system: 'http://opencrvs.org/specs/location-type', code: 'CRVS_OFFICE' }] },
      physicalType: {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/location-physical-type',
            code: 'bu',
            display: 'Building',
          },
        ],
      },
      partOf: { reference: `Location/${DISTRICT}` },
    });
    const head = { resourceType: 'Bundle', type: 'searchset', total: 1, link: [{ relation: 'self', url }] };
    const bundle = list.json as Bundle;
    expect(bundle).toEqual({
      ...head,
      id: expect.stringMatching(/^[\da-f]{32}$/) as string,
      meta: { lastUpdated: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/) as string },
      entry: [{ fullUrl: `/location/${OFFICE}`, resource: one.json }],
    });
    expect([(await asked(url.slice(url.indexOf('?') + 1))).id, list.headers.etag]).toEqual([
      bundle.id,
      `"${bundle.id}"`,
    ]);
    // R4 has a list of types. Its value set may be extended, as by these codes.
    const entry = bundle.entry?.map(({ resource, ...rest }) => ({
      ...rest,
      resource: { ...resource, type: [resource.type] },
    }));
    const { valid, messages } = new Fhir().validate({ ...bundle, entry }, { errorOnUnexpected: true });
    expect([valid, messages.filter(({ severity }) => String(severity) === 'error')]).toEqual([true, []]);
  });

  it('has them identified by their id where they have no code, and the country above all (L-4)', async () => {
    const { entry = [] } = await asked('type=ADMIN_STRUCTURE&_count=2');
    expect(entry.map(({ resource: { partOf, identifier } }) => [partOf.reference, identifier[0].value])).toEqual([
      ['Location/0', `ADMIN_STRUCTURE_${PROVINCE}`],
      [`Location/${PROVINCE}`, `ADMIN_STRUCTURE_${DISTRICT}`],
    ]);
    const none = await asked('type=NONE');
    expect([none.total, none.entry]).toEqual([0, undefined]);
  });

  it('finds them by a name or a code, and ignores what it does not know (L-4)', async () => {
    const system = encodeURIComponent('http://opencrvs.org/specs/id/statistical-code|');
    expect([
      await found('name=IBO&type=CRVS_OFFICE'),
      await found(`name=${encodeURIComponent('Ibombo Office and more')}`),
      await found('identifier=CRVS_OFFICE_X1'),
      await found(`identifier=${system}ADMIN_STRUCTURE_${DISTRICT}`),
      await found('identifier=CRVS_OFFICE_'),
      await found('type=CRVS_OFFICE&_getpagesoffset=0&_sort=name&__proto__=x'),
    ]).toEqual([[OFFICE], undefined, [OFFICE], [DISTRICT], undefined, [OFFICE]]);
  });
});

interface Bundle {
  readonly id: string;
  readonly total: number;
  readonly entry?: readonly {
    readonly resource: {
      readonly id: string;
      readonly type: object;
      readonly partOf: { readonly reference: string };
      readonly identifier: readonly [{ readonly value: string }];
    };
  }[];
}
