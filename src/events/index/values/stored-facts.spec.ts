import type { DeclarationValue } from '../../../kernel/domain/event-record.js';
import { factsOf } from './facts.js';
import { storedFacts } from './document.js';

const AREA = '0f5e4b2e-6f1c-4c1e-9b57-1a2b3c4d5e6f';

/** The facts of a value as stored. */
const stored = (value: DeclarationValue): unknown =>
  (JSON.parse(JSON.stringify(storedFacts(factsOf({ field: value })))) as { field: unknown }).field;

describe('facts as they are stored', () => {
  it.each<[string, DeclarationValue, unknown]>([
    ['a plain text is itself', 'Main Street 5%', 'Main Street 5%'],
    ['an empty text is itself', '', ''],
    ['a number and a boolean are themselves', [3.5, false], [3.5, false]],
    ['a text with other letters has all that it answers to', 'Łódź', { x: 'Łódź', t: 'łódź', q: 'lodz' }],
    ['a text in lower case is not there twice', 'łódź', { x: 'łódź', q: 'lodz' }],
    [
      'an e-mail address is one word',
      'Ama@post.example',
      { x: 'Ama@post.example', t: 'ama@post.example', q: 'ama@post.example' },
    ],
    ['a UUID is its location', AREA, { u: AREA }],
    ['a UUID in capitals is also its spelling', AREA.toUpperCase(), { u: AREA, x: AREA.toUpperCase() }],
    ['a date', '2024-02-29', { d: '2024-02-29' }],
    ['no date of the calendar is a text', '2023-02-29', '2023-02-29'],
    ['a list of one is a list', ['a'], ['a']],
    ['a list in a list is flattened', ['a', [1, ['b']]], ['a', 1, 'b']],
    ['an empty list', [], []],
    [
      'a name',
      { firstname: 'Ana María', surname: 'Ana' },
      {
        w: 'ana maria',
        k: 'ana\tana maria\t',
        j: 'anamaria',
        m: { firstname: { x: 'Ana María', t: 'ana maría', q: 'ana maria', j: 'anamaria' }, surname: 'Ana' },
      },
    ],
    [
      'an address has its area in its members',
      { country: 'FAR', addressType: 'DOMESTIC', administrativeArea: AREA, streetLevelDetails: { street: 'A B' } },
      [
        {
          c: 'far',
          m: {
            country: 'FAR',
            addressType: 'DOMESTIC',
            administrativeArea: { u: AREA },
            streetLevelDetails: { m: { street: 'A B' } },
          },
        },
        { t: 'a b' },
      ],
    ],
    [
      'a file',
      { path: 'a/b.png', originalFilename: 'B.PNG', type: 'image/png' },
      { f: 'b.png', m: { path: 'a/b.png', originalFilename: 'B.PNG', type: 'image/png' } },
    ],
    ['a measure', { numericValue: 2, unit: 'kg' }, { n: 2, m: { numericValue: 2, unit: 'kg' } }],
    [
      'a label and its value',
      { label: 'North', value: 'n' },
      [{ m: { label: 'North', value: 'n' } }, { t: 'north' }, { t: 'n' }],
    ],
    [
      'a date range',
      { start: '2024-01-01', end: '2024-02-01' },
      { r: ['2024-01-01', '2024-02-01'], m: { start: { d: '2024-01-01' }, end: { d: '2024-02-01' } } },
    ],
    ['a data holder', { data: 'x' }, { m: { data: 'x' } }],
  ])('%s', (_, value, facts) => {
    expect(stored(value)).toEqual(facts);
  });

  it('are shorter than what they are made of, with all it answers to', () => {
    const declaration = { 'child.dob': '2024-02-29', 'child.gender': 'female', 'child.nid': '1234567890' };
    expect(JSON.stringify(storedFacts(factsOf(declaration))).length).toBeLessThan(
      JSON.stringify(declaration).length + 8,
    );
  });
});
