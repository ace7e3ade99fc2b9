import type { DeclarationValue } from '../../../kernel/domain/event-record.js';
import { factsOf } from './facts.js';

const AREA = '0f5e4b2e-6f1c-4c1e-9b57-1a2b3c4d5e6f';

/** The facts as they are stored. */
const stored = (value: DeclarationValue): unknown =>
  (JSON.parse(JSON.stringify(factsOf({ field: value }))) as { field: unknown }).field;

const text = (value: string, words: readonly string[] = [value.toLowerCase()]): object => ({
  t: value.toLowerCase(),
  q: words,
  x: value,
});

const MERWE = ['vander', 'vandermerwe', 'dermerwe', 'dermerwevan', 'merwevan'];

describe('factsOf', () => {
  it.each<[string, DeclarationValue, object[]]>([
    ['text', 'Main Street', [text('Main Street', ['main', 'street'])]],
    ['text that names a location', AREA.toUpperCase(), [{ ...text(AREA.toUpperCase(), AREA.split('-')), a: AREA }]],
    ['a date', '2024-02-29', [{ t: '2024-02-29', q: ['2024', '02', '29'], d: '2024-02-29' }]],
    ['no date of the calendar', '2023-02-29', [text('2023-02-29', ['2023', '02', '29'])]],
    ['a number', 3.5, [{ n: 3.5 }]],
    ['a boolean', true, [{ t: 'true' }]],
    [
      'a file',
      { path: 'a/b.png', originalFilename: 'Scan.PNG', type: 'image/png' },
      [
        {
          t: 'scan.png',
          m: {
            path: [text('a/b.png', ['a', 'b', 'png'])],
            originalFilename: [text('Scan.PNG', ['scan', 'png'])],
            type: [text('image/png', ['image', 'png'])],
          },
        },
      ],
    ],
    [
      'a name',
      { firstname: 'Ana María', surname: 'Ána' },
      [
        {
          w: ['ana', 'maria'],
          k: 'ana\tana maria\t',
          j: ['anamaria'],
          m: {
            firstname: [{ ...text('Ana María', ['ana', 'maria']), j: ['anamaria'] }],
            surname: [{ ...text('Ána', ['ana']), j: [] }],
          },
        },
      ],
    ],
    [
      'a part of a name of four words',
      { surname: 'van der Merwe van' },
      [
        {
          w: ['van', 'der', 'merwe'],
          k: 'van der merwe van\t\t',
          j: MERWE,
          m: { surname: [{ ...text('van der Merwe van', ['van', 'der', 'merwe']), j: MERWE }] },
        },
      ],
    ],
    [
      'a domestic address',
      {
        country: 'FAR',
        addressType: 'DOMESTIC',
        administrativeArea: AREA,
        streetLevelDetails: { street: 'A', no: '1' },
      },
      [
        {
          c: 'far',
          a: AREA,
          m: {
            country: [text('FAR')],
            addressType: [text('DOMESTIC')],
            administrativeArea: [{ ...text(AREA, AREA.split('-')), a: AREA }],
            streetLevelDetails: [{ m: { street: [text('A')], no: [text('1')] } }],
          },
        },
        { t: 'a', q: ['a'] },
        { t: '1', q: ['1'] },
      ],
    ],
    [
      'an international address',
      { country: 'FIN', addressType: 'INTERNATIONAL' },
      [{ c: 'fin', m: { country: [text('FIN')], addressType: [text('INTERNATIONAL')] } }],
    ],
    [
      'an age',
      { age: 4, asOfDateRef: 'child.dob' },
      [{ n: 4, m: { age: [{ n: 4 }], asOfDateRef: [text('child.dob', ['child', 'dob'])] } }],
    ],
    ['a quantity', { numericValue: 2, unit: 'kg' }, [{ n: 2, m: { numericValue: [{ n: 2 }], unit: [text('kg')] } }]],
    ['a quantity of nothing', {}, [{ m: {} }]],
    [
      'a label/value',
      { label: 'North', value: 'n' },
      [{ m: { label: [text('North')], value: [text('n')] } }, { t: 'north', q: ['north'] }, { t: 'n', q: ['n'] }],
    ],
    [
      'a date range',
      { start: '2024-01-01', end: '2024-02-01' },
      [
        {
          r: ['2024-01-01', '2024-02-01'],
          m: {
            start: [{ t: '2024-01-01', q: ['2024', '01'], d: '2024-01-01' }],
            end: [{ t: '2024-02-01', q: ['2024', '02', '01'], d: '2024-02-01' }],
          },
        },
      ],
    ],
    ['a data holder', { data: 'x' }, [{ m: { data: [text('x')] } }]],
    ['a request state', { loading: true, data: 1 }, [{ m: { loading: [{ t: 'true' }], data: [{ n: 1 }] } }]],
    ['a list, its lists flattened', ['a', [1, ['b']]], [{}, text('a'), {}, { n: 1 }, {}, text('b')]],
    ['an empty list', [], [{}]],
  ])('tells what %s answers to', (_, value, facts) => {
    expect(stored(value)).toEqual(facts);
  });

  it('gives a date range without a day nothing to answer with', () => {
    const [fact] = factsOf({ field: { start: '2024-02-01', end: '2024-02-01' } })['field'] ?? [];
    expect(fact?.r).toBeUndefined();
  });

  it('keeps members of any name', () => {
    const declaration = JSON.parse('{"__proto__": 1, "constructor": {"__proto__": 2}}') as Record<
      string,
      DeclarationValue
    >;
    expect(JSON.stringify(factsOf(declaration))).toBe(
      '{"__proto__":[{"n":1}],"constructor":[{"m":{"__proto__":[{"n":2}]}}]}',
    );
  });

  it('keeps nothing below the depth that a query can reach', () => {
    const nested = (levels: number): DeclarationValue => (levels === 0 ? 'x' : { in: nested(levels - 1) });
    const depthOf = (facts: unknown): number => JSON.stringify(facts).split('"m"').length - 1;
    expect([15, 16, 40].map((levels) => depthOf(stored(nested(levels))))).toEqual([15, 15, 15]);
  });
});
