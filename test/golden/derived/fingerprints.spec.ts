import { TERMS } from '../../support/terms.js';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import { DERIVED_VERSION } from '../../../src/platform/database/connection/derived-version.js';
import { keysOfStored } from '../../../src/events/index/terms/near-words.js';
import type { DeclarationValue } from '../../../src/kernel/domain/event-record.js';
import { recordRow } from '../../../src/events/records/record-row.js';
import { aLegalStatus, aRegisteredStatus } from '../../support/builders/a-legal-status.js';
import { aRecord } from '../../support/builders/a-record.js';
import { aUuid } from '../../support/builders/a-uuid.js';
import { anInstant } from '../../support/builders/an-instant.js';

const FILE = new URL('fingerprints.json', import.meta.url);

/** Of each kind that something is derived from in its own way. Never change one: add another, with a new version. */
const TEXTS = [
  ...['Ama Kofi', 'Amá', 'Łódź', 'straße', 'İzmir', 'ΟΔΟΣ', "O'Neil-Banda", '50%', ' ', ''],
  ...['রিমা', 'रीमा', 'שָׁלוֹם', 'محمّد', '\ufdfa', 'ガ', '김', 'می\u200cخواهم', '①', 'ﬁn'],
  ...['Ng’ang\u02bca', 'Ɓala', 'Əma', 'علی کریمی', 'ፀሐይ', 'উৎপল', '\u200eAma\u00a0 Kofi ', '১২', 'Maria de la Cruz'],
  ...['bob@example.com', 'Bob <Bob@Example.com>,', 'a@b@c', '0977123456', '12345', '3.0', '2024-02-29', '2023-02-29'],
  ...[aUuid(1), `Kofi ${aUuid(2)}`, 'NATIONAL_ID', 'ama/kofi.png', 'domestic', 'ama '.repeat(70), 'kofi'.repeat(100)],
];

const ADDRESS = { country: 'FAR', addressType: 'DOMESTIC', administrativeArea: aUuid(3) };

const valuesOf = (text: string): Readonly<Record<string, DeclarationValue>> => ({
  'a.text': text,
  'a.name': { firstname: text, surname: 'Banda' },
  'a.file': { path: 'x', originalFilename: text, type: 'image/png' },
  'an.address': { ...ADDRESS, streetLevelDetails: { street: text, town: 'Chingola' } },
  'a.label': { label: text, value: 'B54' },
  'a.list': [text, { firstname: text }, 3],
  'a.group': { data: { inner: text, deeper: { text, number: 3.25 } } },
});

const OTHERS: Readonly<Record<string, DeclarationValue>> = {
  'a.number': 1234.5,
  'a.boolean': true,
  'an.age': { age: 30, asOfDateRef: 'child.dob' },
  'a.quantity': { numericValue: 3200, unit: 'gram' },
  'a.range': { start: '2024-01-01', end: '2024-02-01' },
  'an.empty range': { start: '2024-02-01', end: '2024-01-01' },
};

function fingerprint(): string {
  const hash = createHash('sha256');
  const put = (derived: unknown): void => {
    hash.update(JSON.stringify(derived, (_, value: unknown) => (value instanceof Set ? [...value] : value)));
  };
  for (const [at, text] of TEXTS.entries()) {
    const record = aRecord({
      ...{ id: aUuid(100 + at), trackingId: 'TRACK1', type: 'birth', status: 'REGISTERED', flags: ['incomplete'] },
      ...{ createdAt: anInstant('2024-02-29T12:30:15.123Z'), updatedAt: anInstant('2024-03-01T00:00:00.000Z') },
      legalStatuses: {
        DECLARED: FIXED_STATUS,
        REGISTERED: { ...aRegisteredStatus(), ...FIXED_STATUS, registrationNumber: 'R1' },
      },
      declaration: { ...valuesOf(text), ...OTHERS },
    });
    const { body, facts, terms, vocabulary } = recordRow({ record, notified: undefined }, TERMS);
    const paths = vocabulary.paths.map(({ path, isField, words, aspects }) => [
      path,
      isField,
      [...words].map((word) => [word, keysOfStored(word)]),
      aspects,
    ]);
    put([body, facts, terms, paths]);
  }
  put(String(TERMS.ofPlaces('created_at_location', [aUuid(2), aUuid(1)])));
  return hash.digest('hex');
}

const FIXED_STATUS = {
  ...aLegalStatus(),
  createdAt: anInstant('2024-02-29T12:30:15.123Z'),
  acceptedAt: anInstant('2024-03-01T00:00:00.000Z'),
};

describe('what is derived from records', () => {
  it('is of this version: whatever changes it makes a new one (Q-5)', () => {
    const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
    const version = String(DERIVED_VERSION);
    if (known[version] === undefined && process.env['UPDATE_GOLDEN'] === '1') {
      known[version] = fingerprint();
      writeFileSync(FILE, `${JSON.stringify(known, undefined, 2)}\n`);
    }
    expect(fingerprint()).toBe(known[version]);
  });
});
