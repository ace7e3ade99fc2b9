import { TERMS } from '../../../../test/support/terms.js';
import { aCalendarDate } from '../../../../test/support/builders/a-calendar-date.js';
import { aLegalStatus } from '../../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../../test/support/builders/a-record.js';
import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import type { DeclarationValue, EventRecord } from '../../../kernel/domain/event-record.js';
import { atOnce } from '../../../platform/queue/time-slice.js';
import { fieldOf } from '../values/data-path.js';
import { isUncountable, type TermAspect } from './terms.js';
import { factsOf } from '../values/facts.js';
import { KnownVocabulary } from './known-vocabulary.js';
import { termsOfRecord } from './terms-of-record.js';

const AREA = aUuid(1);

const termsOf = (record: EventRecord) => atOnce(termsOfRecord(record, factsOf(record.declaration), TERMS));

/** The countable terms of a field, and how many others there are. */
function termsOfField(value: DeclarationValue): { countable: ReadonlySet<bigint>; others: number } {
  const rest = new Set(termsOf(aRecord({ declaration: {} })).hashes);
  const own = termsOf(aRecord({ declaration: { f: value } })).hashes.filter((hash) => !rest.has(hash));
  const countable = own.filter((hash) => !isUncountable(hash));
  return { countable: new Set(countable), others: own.length - countable.length };
}

/** Of the aspect, a space, and the value. */
function termOf(text: string): bigint {
  const [, aspect = '', value = ''] = /^(\w+) (.*)$/.exec(text) ?? [];
  return TERMS.field(fieldOf('f'))
    .kind(aspect as TermAspect)
    .term(value).hash;
}

/** The aspects and words of each path. */
const pathsOf = (declaration: Readonly<Record<string, DeclarationValue>>) =>
  termsOf(aRecord({ declaration })).vocabulary.paths.map(({ path, isField, words, aspects }) => [
    `${isField ? 'field' : 'inside'} ${path}`,
    [...aspects].join(),
    [...words].join(),
  ]);

describe('the terms of a record', () => {
  it('are those of its metadata, of which the ones are countable that are not ids', () => {
    const record = aRecord({
      flags: ['incomplete', 'sealed'],
      legalStatuses: { DECLARED: aLegalStatus({ createdByRole: 'CLERK', createdAtLocation: AREA }), REGISTERED: null },
      createdByUserType: 'system',
      updatedByUserRole: 'REGISTRAR',
      declaration: {},
    });
    const { hashes } = termsOf(record);
    const countable = [
      TERMS.ofMetadata('type', 'birth'),
      TERMS.ofMetadata('status', record.status),
      TERMS.ofMetadata('flag', 'incomplete'),
      TERMS.ofMetadata('flag', 'sealed'),
      TERMS.ofMetadata('createdByUserType', 'system'),
      TERMS.ofMetadata('updatedByUserRole', 'REGISTRAR'),
      TERMS.ofMetadata('declaredByRole', 'CLERK'),
    ];
    expect(new Set(hashes.filter((hash) => !isUncountable(hash)))).toEqual(new Set(countable));
    expect(hashes).toContain(TERMS.ofMetadata('createdBy', record.createdBy));
  });

  it.each<[string, DeclarationValue, string[], number]>([
    ['a text of one word', 'Female', ['sole female'], 0],
    ['a text of several', 'Born at home', ['text born at home', 'word born', 'word at', 'word home'], 0],
    ['a text without a word', '?', ['text ?'], 0],
    ['an identity number', '1234567890', [], 1],
    ['a time', '08:30', [], 4],
    ['an e-mail address', 'ama@post.example', [], 1],
    ['a long text', 'word '.repeat(60), [], 2],
    ['a UUID', AREA, [`place ${AREA}`], 5],
    ['a date', aCalendarDate('2024-02-29'), ['month 2024-02', 'day 2024-02-29'], 0],
    ['a number', 3.5, ['number 3.5', 'bucket 188'], 0],
    ['a number of many digits', 3.14159, ['bucket 185'], 1],
    ['a boolean', true, ['plain true'], 0],
    ['a name', { firstname: 'Ama', surname: 'Kofi Ama' }, ['nameWord ama', 'nameWord kofi', 'nameJoin kofiama'], 0],
    ['a name in a data holder', { data: { firstname: 'Ama Kofi' } }, [], 3],
    [
      'an address',
      {
        country: 'FAR',
        addressType: 'DOMESTIC',
        administrativeArea: AREA,
        streetLevelDetails: { a: 'Main Road', b: 'X' },
      },
      ['country far', `area ${AREA}`, 'word main', 'word road', 'sole x'],
      0,
    ],
    // Its name, and its inside: three words, and three texts as they are.
    [
      'a file',
      { path: 'a/b.png', originalFilename: 'Birth scan.png', type: 'image/png', option: 'PROOF_OF_BIRTH' },
      ['plain birth scan.png'],
      6,
    ],
    ['a measure', { numericValue: 3, unit: 'kg' }, ['number 3', 'bucket 184'], 1],
    ['a label and its value', { label: 'North West', value: 'NW' }, ['word north', 'word west', 'sole nw'], 0],
    ['a date range', { start: '2024-01-01', end: '2024-01-02' }, [], 3],
    ['a data holder', { data: { a: 'Ama Kofi', b: 3 } }, [], 3],
    ['a list', ['a', 'b', ['a']], ['sole a', 'sole b'], 0],
  ])('of %s say all that a condition on the field asks for', (_, value, countable, others) => {
    expect(termsOfField(value)).toEqual({ countable: new Set(countable.map(termOf)), others });
  });

  it('tell one field from another whose id goes on like a value', () => {
    const texts = (declaration: Readonly<Record<string, DeclarationValue>>) =>
      termsOf(aRecord({ declaration })).hashes.map(String).join();
    expect(texts({ 'a b': 'c' })).not.toEqual(texts({ a: 'b c' }));
  });
});

describe('the paths of a record', () => {
  it('have the words that stand there, and what kinds of values', () => {
    expect(
      pathsOf({
        'child.name': { firstname: 'Ama Ama', surname: 'Łódź' },
        notes: ['Born at home', ['at night']],
        'child.dob': '2024-02-29',
        photo: { path: `x/${AREA}`, originalFilename: 'photo.png', type: 'image/png' },
      }),
    ).toEqual([
      ['field data/child.name', 'nameWord,nameJoin', 'ama,lodz'],
      ['field data/notes', 'text,word,several', 'born,at,home,night'],
      ['field data/child.dob', 'month,day,year 2024', '02,29'],
      ['field data/photo', 'plain,whole,inside', ''],
      ['inside data/photo/path', 'id,opaque', 'x'],
      ['inside data/photo/', '', 'photo,png'],
      ['inside data/photo/type', 'opaque', 'image,png'],
    ]);
  });

  it('tell a field from what is inside another whose path is spelt alike', () => {
    expect(pathsOf({ 'a/': 'field', a: { '': 'inside', c: 1 } })).toEqual([
      ['field data/a/', 'sole', 'field'],
      ['field data/a', 'inside', ''],
      ['inside data/a/', '', 'inside'],
    ]);
  });

  it('do not name the words of a place again that is known, and have the same hashes', () => {
    const record = aRecord({ declaration: { place: AREA } });
    const facts = factsOf(record.declaration);
    const known = new KnownVocabulary();
    const first = atOnce(termsOfRecord(record, facts, TERMS, known));
    known.add(first.vocabulary);
    const again = atOnce(termsOfRecord(record, facts, TERMS, known));
    expect([...again.hashes].sort()).toEqual([...first.hashes].sort());
    expect(again.vocabulary).toEqual({ paths: [] });
  });

  it('leave out words that no index takes', () => {
    expect(pathsOf({ long: `${'x'.repeat(2_400)} ${'y'.repeat(2_401)}` })).toEqual([
      ['field data/long', 'text,long', 'x'.repeat(2_400)],
    ]);
  });

  it('leave out words that are compared exactly (S-11)', () => {
    expect(pathsOf({ contact: 'Ama 0977123456 ama@post.example 12a3 12' })).toEqual([
      ['field data/contact', 'text,word', 'ama,12'],
    ]);
  });
});
