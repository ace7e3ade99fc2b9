import { ADDRESS_CONDITIONS } from './addresses-and-conditions.js';
import { DISTRICT, OFFICE, OTHER_PROVINCE, PROVINCE, UNKNOWN_PLACE } from './hierarchy.js';
import type { ValueConditions } from './value-conditions.js';
import { anyOf, exact, fuzzy, range, within } from './value-conditions.js';

const ADDRESS = {
  country: 'FAR',
  addressType: 'DOMESTIC',
  administrativeArea: OFFICE,
  streetLevelDetails: { street: 'Main Street', number: '12' },
};
const address = (changes: object) => exact(JSON.stringify({ ...ADDRESS, ...changes }));

/** The table of S-10. */
export const VALUE_CONDITIONS: Readonly<Record<string, ValueConditions>> = {
  text: {
    value: 'Main Street',
    yes: [
      exact('main STREET'),
      exact('\u00a0Main\u200b \t Street '),
      anyOf('x', 'Main Street'),
      range('Main', 'Main T'),
      range('Main Street', 'Main Street'),
    ],
    no: [exact('Main'), anyOf(), anyOf('street'), range('main', 'mb'), range('N', 'M'), within(OFFICE)],
  },
  'text of other letters': {
    value: 'ÉLODIE ΟΔΟΣ',
    yes: [exact('élodie οδος'), exact('E\u0301LODIE ΟΔΟΣ')],
    no: [exact('elodie οδος'), range('A', 'Z')],
  },
  'text with what does not show, spaces and other digits': {
    value: '\u200eBlock\t\u00a012\u09e8\u3000',
    yes: [exact('BLOCK 1\u06f2\u00ad2'), anyOf('x', ' block  122'), range('Block \u09e7', 'Block 122')],
    no: [exact('block122'), exact('block 12'), range('Block 123', 'Block 2')],
  },
  'a date in other digits': {
    value: '\u09e8\u09e6\u09e8\u09ea-\u09e6\u09e8-\u09e8\u09ef ',
    yes: [exact('2024-02-29'), range('2024-02-28', '2024-03-01'), range('\u0662024-02-29', '2024-02-29')],
    no: [exact('2024-02-28'), range('2024-03-01', '2024-03-31'), range('2', '3')],
  },
  'a location with what does not show': {
    value: `\u200f${OFFICE.toUpperCase()}\u00a0`,
    yes: [within(OFFICE), within(PROVINCE), exact(OFFICE)],
    no: [within(OTHER_PROVINCE)],
  },
  'text past U+FFFF': {
    value: '\u{1f600}',
    yes: [range('\uff5e', '\u{1f601}'), exact('\u{1f600}')],
    no: [range('a', '\uff5e')],
  },
  'digits as text': {
    value: '012',
    yes: [exact('012'), range('0', '1')],
    no: [exact('12'), range('12', '13'), range('5', '100')],
  },
  'a number of an identity card': {
    value: '2015123456',
    yes: [range('2015', '2016'), range('2010-01-01', '2025-01-01'), range('2015123456', '2015123456')],
    no: [range('2015-01-01', '2015-12-31'), range('20151234567', '20152')],
  },
  'a text that begins with a date': {
    value: '2015-06-07 or so',
    yes: [range('2015-06-01', '2015-06-30'), range('2015-06-07', '2015-06-08'), range('2', '3')],
    no: [range('2015-06-01', '2015-06-07'), range('2015-06-08', '2015-06-30')],
  },
  'an id that begins with digits': {
    value: '20150607-0000-4000-8000-00000000000a',
    yes: [
      range('20150607-0000-4', '20150607-0000-5'),
      range('20150607', '20150608'),
      range('2015060', '2015061'),
      range('2010-01-01', '2025-01-01'),
      range('20150607-0000-4000-8000-00000000000a', '20150607-0000-4000-8000-00000000000a'),
    ],
    no: [range('2015-06-01', '2015-06-30'), range('20150607-0001', '20150607-0002')],
  },
  'a location': {
    value: OFFICE,
    yes: [
      within(OFFICE),
      within(DISTRICT),
      within(PROVINCE),
      exact(OFFICE.toUpperCase()),
      within(OFFICE.toUpperCase()),
    ],
    no: [within(OTHER_PROVINCE), within(UNKNOWN_PLACE), within('nowhere')],
  },
  'an unknown location': {
    value: UNKNOWN_PLACE,
    yes: [exact(UNKNOWN_PLACE)],
    no: [within(UNKNOWN_PLACE), within(PROVINCE)],
  },
  'a date': {
    value: '2024-02-29',
    yes: [
      exact('2024-02-29'),
      range('2024-02-29', '2024-02-29'),
      range('0001-01-01', '9999-12-31'),
      range('2024-01-01', '2024-06-30'),
      range('2023-12-15', '2024-02-29'),
      range('2024-02-29', '2024-05-01'),
      range('2024-02-29T00:00:00Z', '2024-02-29T23:59:59Z'),
    ],
    no: [
      exact('2024-02'),
      range('2024-03-01', '2024-03-31'),
      range('2024-03-01', '2024-02-01'),
      range('2', '3'),
      within(OFFICE),
    ],
  },
  'a date that there is not': {
    value: '2023-02-29',
    yes: [exact('2023-02-29'), range('2023-02-28', '2023-03-01'), range('2', '3')],
    no: [range('2023-03-01', '2023-03-31')],
  },
  'a number': {
    value: 3,
    yes: [
      exact('3'),
      exact('3.0'),
      exact('+30e-1'),
      exact('\u0663 '),
      range('\u0662', '\u200e4'),
      anyOf('2', '3'),
      range('2.5', '10'),
      range('3', '3'),
    ],
    no: [exact('three'), exact(''), exact('0x3'), exact('1e999'), range('a', 'z'), range('10', '2'), within(OFFICE)],
  },
  'a number beside others that are indexed with it': {
    value: 2.05,
    yes: [range('2', '4'), range('2.01', '4'), range('2.01', '2.1'), range('-4', '2.06'), range('2.05', '2.05')],
    no: [range('2.06', '4'), range('2.06', '2.1'), range('-4', '2.04'), range('2', '2.04')],
  },
  'a negative number beside others that are indexed with it': {
    value: -2.05,
    yes: [range('-4', '-2'), range('-2.1', '4'), range('-2.1', '-2.01'), range('-2.05', '-2.05')],
    no: [range('-4', '-2.06'), range('-2.04', '4'), range('-2.04', '-2')],
  },
  'a large number': {
    value: 1e21,
    yes: [exact('1000000000000000000000'), range('1e20', '1e22')],
    no: [range('0', '1e20')],
  },
  'a boolean': {
    value: true,
    yes: [exact('true'), anyOf('false', 'TRUE')],
    no: [exact('false'), exact('1'), range('a', 'z')],
  },
  'a file': {
    value: { path: 'x/1.png', originalFilename: 'Birth.PNG', type: 'image/png' },
    yes: [exact('birth.png'), { path: exact('x/1.png') }, { originalFilename: range('A', 'C') }],
    no: [exact('x/1.png'), exact('image/png'), range('A', 'C'), within(OFFICE)],
  },
  'a name': {
    value: { firstname: 'Ana María', middlename: 'de', surname: 'Łopez' },
    yes: [exact('ana'), exact('LOPEZ maria'), anyOf('x', 'Maria de'), { firstname: exact('ana maría') }],
    no: [
      exact('an'),
      exact('ana x'),
      exact(''),
      exact('?!'),
      anyOf('x', 'y'),
      range('A', 'z'),
      { firstname: exact('ana') },
    ],
  },
  'a name of words that are also written as one (S-11)': {
    value: { firstname: 'Jan Abdul Rahman', middlename: 'van den Berg', surname: 'De la Cruz' },
    yes: [
      ...[
        'Dela Cruz',
        'De lacruz',
        'Delacruz',
        'Abdulrahman',
        'Vandenberg',
        'Abdulrahman Delacruz',
        'Berg Delacruz',
      ].map(fuzzy),
      { surname: fuzzy('Delacruz') },
    ],
    no: [
      // A join is found as it is, and is of one part.
      ...['Delacruzz', 'Abdulrahmen', 'Rahmanvan', 'Janabdulrahmanvan'].map(fuzzy),
      { firstname: fuzzy('Delacruz') },
      exact('Delacruz'),
    ],
  },
  'a name of one word that is also written as several': {
    value: { firstname: 'Abdulrahman', middlename: 'Vandenberg', surname: 'Delacruz' },
    yes: [
      ...['De la Cruz', 'Dela Cruz', 'Abdul Rahman', 'van den Berg', 'Abdul Rahmen', 'de la cruzz Abdul Rahman'].map(
        fuzzy,
      ),
      { surname: fuzzy('De la Cruz') },
    ],
    no: [
      ...['De la Cruz Banda', 'D e l acruz', 'Cruz de la'].map(fuzzy),
      { firstname: fuzzy('De la Cruz') },
      exact('De la Cruz'),
    ],
  },
  'a name in a data holder of words that are also written as one': {
    value: { data: { a: { surname: 'De la Cruz' }, b: { surname: 'Vandenberg' } } },
    yes: [
      { data: { a: fuzzy('Delacruz') } },
      { data: { a: { surname: fuzzy('Dela Cruz') }, b: fuzzy('van den Berg') } },
      { data: { b: { surname: fuzzy('van den Berg') } } },
    ],
    no: [fuzzy('Delacruz'), { data: { b: fuzzy('Delacruz') } }],
  },
  'a text that is no name, of words that are also written as one': {
    value: ['De la Cruz', 'Vandenberg', { data: { a: 'Delacruz' } }],
    yes: [fuzzy('De la Cruz'), fuzzy('Vandenberg')],
    no: [fuzzy('Delacruz'), fuzzy('Dela Cruz'), fuzzy('van den Berg'), { data: { a: fuzzy('De la Cruz') } }],
  },
  'a name without a surname': { value: { firstname: 'Ana' }, yes: [exact('ana')], no: [{ surname: exact('') }] },
  'a domestic address': {
    value: ADDRESS,
    yes: [
      address({}),
      address({ country: 'far', administrativeArea: PROVINCE, streetLevelDetails: { street: 'main street' } }),
      exact(' {"country":"FAR"}'),
      exact(JSON.stringify({ country: 'FAR', administrativeArea: null, streetLevelDetails: null })),
      exact('MAIN STREET'),
      anyOf('x', '12'),
      within(DISTRICT),
      { country: exact('far'), streetLevelDetails: { number: exact('12') } },
    ],
    no: [
      address({ country: 'FIN' }),
      address({ administrativeArea: OTHER_PROVINCE }),
      address({ administrativeArea: UNKNOWN_PLACE }),
      address({ streetLevelDetails: { street: '12' } }),
      address({ streetLevelDetails: { street: 'Main Street', town: '' } }),
      address({ country: '\u0000' }),
      exact('main'),
      exact('FAR'),
      exact('{"country":3}'),
      exact('{'),
      within(OTHER_PROVINCE),
      range('A', 'z'),
      { country: exact('far'), streetLevelDetails: { number: exact('13') } },
    ],
  },
  ...ADDRESS_CONDITIONS,
  'an international address': {
    value: {
      country: 'FIN',
      addressType: 'INTERNATIONAL',
      administrativeArea: OFFICE,
      streetLevelDetails: { state: 'Oulu' },
    },
    yes: [exact('{"country":"FIN"}'), exact('oulu'), { administrativeArea: within(PROVINCE) }],
    no: [within(PROVINCE), exact(JSON.stringify({ country: 'FIN', administrativeArea: OFFICE }))],
  },
  'an age': {
    value: { age: 18, asOfDateRef: 'child.dob' },
    yes: [exact('18.0'), range('17', '18'), { asOfDateRef: exact('child.dob') }],
    no: [exact('child.dob'), range('1', '1')],
  },
  'a quantity': {
    value: { numericValue: 3.5, unit: 'kg' },
    yes: [exact('3.50'), range('3', '4'), { unit: exact('KG') }],
    no: [exact('kg'), exact('3.5 kg')],
  },
  'a label/value': {
    value: { label: 'North', value: 'n-1' },
    yes: [exact('north'), exact('N-1'), { value: exact('n-1') }],
    no: [exact('nor'), range('A', 'z'), { label: exact('n-1') }],
  },
  'a label/value of a location': {
    value: { label: 'Office', value: OFFICE },
    yes: [exact(OFFICE)],
    no: [within(OFFICE)],
  },
  'a file that is named like a location': {
    value: { path: 'x/1', originalFilename: OFFICE.toUpperCase(), type: 'application/pdf' },
    yes: [{ originalFilename: within(PROVINCE) }, exact(OFFICE)],
    no: [within(PROVINCE), { originalFilename: within(OTHER_PROVINCE) }],
  },
  'a date range': {
    value: { start: '2024-01-10', end: '2024-01-20' },
    yes: [
      exact('2024-01-10'),
      exact('2024-01-19'),
      anyOf('2023-01-01', '2024-01-15'),
      range('2024-01-01', '2024-01-10'),
      range('2024-01-19', '2024-12-31'),
      range('2024-01-12', '2024-01-13'),
      range('2000-01-01', '2100-01-01'),
      { start: exact('2024-01-10') },
    ],
    no: [
      exact('2024-01-09'),
      exact('2024-01-20'),
      exact('2024-01-1'),
      range('2024-01-20', '2024-12-31'),
      range('2023-01-01', '2024-01-09'),
      range('2024-01-15', '2024-01-14'),
      range('1', '3'),
    ],
  },
  'a date range without a day': {
    value: { start: '2024-01-10', end: '2024-01-10' },
    yes: [{ end: exact('2024-01-10') }],
    no: [exact('2024-01-10'), range('2024-01-01', '2024-12-31')],
  },
  'a list': {
    value: [
      'b',
      3,
      ['d', { data: 'f' }],
      { firstname: 'Ana', surname: 'Kofi' },
      { firstname: 'Ama', surname: 'Mensah' },
    ],
    yes: [
      exact('B'),
      exact('3.0'),
      exact('d'),
      range('c', 'e'),
      exact('ana kofi'),
      { data: exact('f') },
      { firstname: exact('ana'), surname: exact('kofi') },
    ],
    no: [exact('c'), exact('ana mensah'), { firstname: exact('ana'), surname: exact('mensah') }, range('e', 'z')],
  },
  'an empty list': { value: [], yes: [], no: [exact(''), range('', '\u{10ffff}'), { a: exact('') }] },
  'a list of files': {
    value: [{ path: 'x/1', originalFilename: 'a.pdf', type: 'application/pdf', option: 'PROOF' }],
    yes: [exact('A.pdf'), { option: exact('proof') }],
    no: [exact('proof')],
  },
  'a data holder': {
    value: { data: { firstname: 'Ana', surname: 'Kofi' }, updatedAt: '2024-01-01T00:00:00Z' },
    yes: [{ data: exact('ana') }, { data: { surname: exact('KOFI') } }, { updatedAt: range('2024', '2025') }],
    no: [exact('ana'), exact('2024-01-01T00:00:00Z'), { data: { data: exact('ana') } }],
  },
  'a request state': {
    value: { loading: false, error: { statusCode: 404, message: 'Gone' }, data: 'x' },
    yes: [{ loading: exact('false'), error: { statusCode: range('400', '499') } }],
    no: [exact('x'), { error: exact('gone') }],
  },
  'a nested group': {
    value: { 'a.b': { c: { d: 'deep' } }, type: { x: 'y' } },
    yes: [{ 'a.b': { c: { d: exact('deep') } } }, { type: { x: exact('y') } }],
    no: [exact('deep'), { 'a.b': exact('deep') }, { a: { b: { c: { d: exact('deep') } } } }],
  },
};
