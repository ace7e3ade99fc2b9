import { TERMS } from '../../../test/support/terms.js';
import { aLegalStatus, aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { turnsDuring } from '../../../test/support/turns-during.js';
import { stepwise } from '../../platform/queue/time-slice.js';
import { fieldOf } from '../index/values/data-path.js';
import { parseEventRecord } from './parse-event-record.js';
import { recordRow, recordRowSteps } from './record-row.js';

describe('the row of a record', () => {
  it('has the body that an answer carries: every key in the order of the interface, null where there is no value', () => {
    const record = aRecord({
      id: aUuid(1),
      trackingId: 'ABC123',
      status: 'REGISTERED',
      legalStatuses: {
        DECLARED: aLegalStatus({ createdAtLocation: null, createdByUserType: null, createdByRole: null }),
        REGISTERED: aRegisteredStatus({ registrationNumber: '2026B1' }),
      },
      dateOfEvent: null,
      potentialDuplicates: [{ trackingId: 'DUP123', id: aUuid(2) }],
      flags: ['incomplete'],
      declaration: { 'child.name': { firstname: 'Ana' } },
    });
    const shuffled = Object.fromEntries(Object.entries(record).reverse());
    expect(recordRow({ record: { ...shuffled, ...record }, notified: undefined }, TERMS).body).toBe(
      [
        `{"id":"${aUuid(1)}","type":"birth","status":"REGISTERED","legalStatuses":{`,
        `"DECLARED":{"createdAt":"2026-01-02T09:00:00.000Z","createdBy":"declarer","createdAtLocation":null,`,
        `"createdByUserType":null,"acceptedAt":"2026-01-02T09:00:01.000Z","createdByRole":null},`,
        `"REGISTERED":{"createdAt":"2026-01-03T09:00:00.000Z","createdBy":"registrar","createdAtLocation":"${aUuid(0xa2)}",`,
        `"createdByUserType":"user","acceptedAt":"2026-01-03T09:00:01.000Z","createdByRole":"LOCAL_REGISTRAR","registrationNumber":"2026B1"}},`,
        `"createdAt":"2026-01-02T08:00:00.000Z","dateOfEvent":null,"placeOfEvent":"${aUuid(0xa3)}","createdBy":"declarer",`,
        `"createdByUserType":"user","updatedByUserRole":"FIELD_AGENT","createdAtLocation":"${aUuid(0xa2)}",`,
        `"updatedAtLocation":"${aUuid(0xa2)}","updatedAt":"2026-01-02T09:00:01.000Z","assignedTo":null,"updatedBy":"declarer",`,
        `"trackingId":"ABC123","potentialDuplicates":[{"id":"${aUuid(2)}","trackingId":"DUP123"}],"flags":["incomplete"],`,
        `"declaration":{"child.name":{"firstname":"Ana"}}}`,
      ].join(''),
    );
  });

  it('has a body that is taken back as the same record', () => {
    const record = aRecord();
    const { body } = recordRow({ record, notified: undefined }, TERMS);
    expect(parseEventRecord(JSON.parse(body))).toEqual({ kind: 'parsed', value: record });
  });

  it('has the facts of the declaration, and every term once', () => {
    const record = aRecord({ declaration: { 'child.name': { firstname: 'Ana', surname: 'Ana' } }, flags: ['a', 'a'] });
    const row = recordRow({ record, notified: undefined }, TERMS);
    expect(row.facts).toBe('"child.name":{"w":"ana","k":"ana\\tana\\t","m":{"firstname":"Ana","surname":"Ana"}}');
    const terms = row.terms.slice(1, -1).split(',');
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms).toEqual(
      expect.arrayContaining([
        String(TERMS.ofMetadata('flag', 'a')),
        String(TERMS.field(fieldOf('child.name')).kind('nameWord').term('ana').hash),
      ]),
    );
  });

  it.each([
    ['fields', Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`field.${at}`, `word${at} other${at}`]))],
    ['members of a list', { list: Array.from({ length: 2_000 }, (_, at) => `word${at} other${at}`) }],
    [
      'members of a group',
      { group: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, `w${at}`])) },
    ],
  ])('is derived with turns for others in between, however many %s there are (Q-1)', async (_, declaration) => {
    const projected = { record: aRecord({ declaration }), notified: undefined };
    const turns = await turnsDuring(async () => {
      expect(await stepwise(recordRowSteps(projected, TERMS))).toEqual(recordRow(projected, TERMS));
    });
    expect(turns).toBeGreaterThanOrEqual(2_000);
  });
});
