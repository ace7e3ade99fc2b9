import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { aLegalStatus, aRegisteredStatus } from '../support/builders/a-legal-status.js';
import { aRecord } from '../support/builders/a-record.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { type Found, searchRecords } from '../support/search-records.js';
import { storeRecords } from '../support/store-records.js';

/** What SQL, its arrays and patterns, JSON, JSON paths and placeholders could read as something else than text. */
const HOSTILE = [
  ...["'", "''", '"', '\\', "\\'", '\\u0027', '`', '$$', '$1', '$2::text', ':x', '?', '?|', '@>', '%', '_', '*'],
  ...["'; drop table event; --", "x' or '1'='1", "') or true --", '/*', '*/', '--', ';', '(', ')', '()'],
  ...['{}', '{a,b}', '{"a"}', '[]', '["a"]', '[1,null]', '{"t":["a"]}', '"a"', 'NULL', 'default'],
  ...['$.a', '$[*]', 'a.b', 'a/b', '__', '0', '-1', 'NaN', 'Infinity', '-infinity', 'now', '1e999999'],
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    'a\u2028c',
    '\u001e',
    'a\u00a0d',
    'a\ufeffe',
    '\uffff',
    '😀',
    'a\nb',
  ],
];

const IS_CLEANED = /[\u2028\u00a0\ufeff\n]/;

/** A record that holds the text wherever a record can hold one. */
const holding = (text: string): EventRecord =>
  aRecord({
    type: text,
    trackingId: text,
    createdBy: text,
    updatedBy: text,
    assignedTo: text,
    updatedByUserRole: text,
    flags: [text],
    legalStatuses: {
      DECLARED: aLegalStatus({ createdBy: text, createdByRole: text }),
      REGISTERED: aRegisteredStatus({ createdByRole: text, registrationNumber: text }),
    },
    declaration: {
      [text]: text,
      field: text,
      list: [{ [text]: text }],
      file: { path: 'a', originalFilename: text, type: 'b' },
      address: { country: text, addressType: 'INTERNATIONAL', streetLevelDetails: { [text]: text } },
      labelled: { label: text, value: 'other' },
    },
  });

const exact = (term: string) => ({ type: 'exact', term });
const anyOf = (term: string) => ({ type: 'anyOf', terms: [term] });
const only = (text: string) => ({ type: 'range', gte: text, lte: text });

/** Every place of a query in which the text can stand so that it finds the record. */
const finding = (text: string): object[] => [
  { eventType: text },
  { trackingId: exact(text) },
  { createdBy: exact(text) },
  { updatedBy: exact(text) },
  { assignedTo: exact(text) },
  { updatedByUserRole: exact(text) },
  { 'legalStatuses.DECLARED.createdByRole': anyOf(text) },
  { 'legalStatuses.REGISTERED.createdByRole': anyOf(text) },
  { 'legalStatuses.REGISTERED.registrationNumber': exact(text) },
  { flags: { anyOf: [text] } },
  { flags: { allOf: [text] } },
  { data: { field: exact(text) } },
  { data: { field: anyOf(text) } },
  { data: { field: only(text) } },
  { data: { [text]: exact(text) } },
  { data: { [text]: only(text) } },
  { data: { list: { [text]: exact(text) } } },
  { data: { file: exact(text) } },
  { data: { labelled: exact(text) } },
  { data: { address: exact(text) } },
  // The text of an address is cleaned before it is read (S-10), its keys too.
  {
    data: {
      address: exact(
        JSON.stringify({ country: text, ...(IS_CLEANED.test(text) ? {} : { streetLevelDetails: { [text]: text } }) }),
      ),
    },
  },
  { data: { address: { streetLevelDetails: { [text]: exact(text) } } } },
  { data: exact(text) },
];

/** Places in which it can stand and finds nothing. */
const notFinding = (text: string): object[] => [
  { id: text },
  { createdAtLocation: { type: 'within', location: text } },
  { updatedAtLocation: exact(text) },
  { data: { field: { type: 'within', location: text } } },
  { data: { address: exact(JSON.stringify({ country: text, administrativeArea: text })) } },
  { data: { other: exact(text) } },
];

describe('text that other languages could read', () => {
  let test: TestDatabase;
  const records = new Map(HOSTILE.map((text) => [text, holding(text)]));

  beforeAll(async () => {
    test = await createTestDatabase();
    await storeRecords(test.database, [...records.values()]);
  });

  afterAll(() => test.drop());

  const search = (clause: object, searcher = {}): Promise<Found> =>
    searchRecords(test.database, { query: { clauses: [clause] } }, searcher);

  it.each(HOSTILE)('stands for itself wherever a query holds text: %j', async (text) => {
    const id = records.get(text)?.id;
    for (const clause of finding(text))
      expect([clause, await search(clause)]).toEqual([clause, { total: 1, ids: [id] }]);
    for (const clause of notFinding(text))
      expect([clause, await search(clause)]).toEqual([clause, { total: 0, ids: [] }]);
  });

  it.each(HOSTILE)('stands for itself in a scope and as a caller: %j', async (text) => {
    const found = { total: 1, ids: [records.get(text)?.id] };
    expect(await search({ flags: {} }, { reach: [{ event: [text] }] })).toEqual(found);
    expect(await search({ flags: {} }, { reach: [{ flags: { anyOf: [text] } }] })).toEqual(found);
    expect(await search({ flags: {} }, { reach: [{ declaredBy: { subject: text, userType: 'user' } }] })).toEqual(
      found,
    );
  });

  it.each(HOSTILE)('orders by the field of that name: %j', async (text) => {
    const body = { query: { clauses: [{ flags: {} }] }, sort: [{ field: `declaration.${text}` }], limit: 1 };
    // Upstream's spelling of a dot, and no other text, names another field.
    expect(await searchRecords(test.database, body)).toEqual({ total: HOSTILE.length, ids: [records.get(text)?.id] });
  });
});
