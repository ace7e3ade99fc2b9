import { readRoles } from './variables.js';

const faultsOf = (value: unknown): readonly string[] => {
  const read = readRoles(typeof value === 'string' ? value : JSON.stringify(value));
  return read.kind === 'faulty' ? read.issues.map(({ message }) => message) : [];
};

describe('readRoles', () => {
  it('yields the roles of a file', () => {
    const roles = [{ id: 'CLERK', label: 'Clerk', scopes: ['record.search', 'type=record.read&event=birth'] }];
    expect(readRoles(JSON.stringify(roles))).toEqual({ kind: 'parsed', value: roles });
    expect(readRoles(JSON.stringify([{ ...roles[0], scopes: [] }]))).toMatchObject({ kind: 'parsed' });
  });

  it('refuses a key that is given twice: of two lists of scopes the last would count', () => {
    const text = '[{"id": "CLERK", "label": "Clerk", "scopes": [], "scopes": ["record.search"]}]';
    expect(readRoles(text)).toEqual({ kind: 'faulty', issues: [{ message: '[0].scopes: is given twice' }] });
  });

  it('names every fault with its place', () => {
    expect(faultsOf('{')).toEqual([expect.stringMatching(/^file: must be JSON: /)]);
    expect(faultsOf({ roles: [] })).toEqual(['file: must be a list of 1 to 200 roles']);
    expect(faultsOf([])).toEqual(['file: must be a list of 1 to 200 roles']);
    expect(
      faultsOf([
        'CLERK',
        { id: 'A CLERK', label: '', scopes: 'record.search' },
        { id: 'CLERK', label: 'Clerk', scopes: ['record.search', 'a b', 7], level: 1 },
        { id: 'CLERK', label: 'Clerk', scopes: Array.from({ length: 101 }, () => 'record.search') },
      ]),
    ).toEqual([
      '[0]: must be an object',
      '[1].id: must be a name of 1 to 64 letters, digits, `.`, `_`, `:` and `-`',
      '[1].label: must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      '[1].scopes: must be a list of at most 100 scopes, of 6000 characters together',
      '[2].level: is not a known key',
      '[2].scopes[1]: "a b" is no scope that can be read',
      '[2].scopes[2]: 7 is no scope that can be read',
      '[3].id: repeats CLERK',
      '[3].scopes: must be a list of at most 100 scopes, of 6000 characters together',
    ]);
    expect(faultsOf([{ id: 'CLERK', label: 'Clerk', scopes: [{ toString: 1 }] }])).toEqual([
      '[0].scopes[0]: {"toString":1} is no scope that can be read',
    ]);
  });
});
