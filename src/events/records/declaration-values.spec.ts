import { Faults } from '../../kernel/errors/faults.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { readDeclarationChange, readDeclared } from './declaration-values.js';

/** What a double cannot hold exactly, so often, in one field. */
const declarationWith = (count: number, key: string): object => ({ [key]: Array.from({ length: count }, () => 9e99) });

describe('a declaration with very many faults', () => {
  it('names the first hundred, and builds the paths of no others', () => {
    const faults = new BoundedFaults();
    // Each path of a field with a dot asks for it once.
    const quoted = jest.spyOn(JSON, 'stringify');
    readDeclarationChange(declarationWith(50_000, 'child.nid'), 'declaration', faults);
    const { length: built } = quoted.mock.calls;
    quoted.mockRestore();
    expect([built, faults.issues.length]).toEqual([100, 101]);
    expect(faults.issues.slice(-2).map(({ message }) => message)).toEqual([
      'declaration["child.nid"][99]: must be a number that can be kept exactly; longer ones go in as text',
      'body: has 49900 more faults than are listed',
    ]);
  });

  it('has long keys cut in them', () => {
    const faults = new Faults();
    readDeclarationChange(declarationWith(1, 'k'.repeat(500_000)), 'declaration', faults);
    expect(faults.issues.map(({ message }) => message.split(': ')[0])).toEqual([
      `declaration["${'k'.repeat(300)}…"][0]`,
    ]);
  });
});

describe('a name in a declaration', () => {
  it.each<[string, object, object]>([
    ['of invisible characters', { surname: '\u200b\u00ad' }, { firstname: '\u200e', surname: ' ', middlename: null }],
    ['of white space', { firstname: ' \u00a0' }, { firstname: '\t', surname: '' }],
  ])('%s alone is refused at its path, and read where it is stored', (_, name, other) => {
    const fields = { 'child.name': name, mother: { names: [{ firstname: 'Ama' }, other] } };
    const faults = new Faults();
    readDeclarationChange(fields, 'declaration', faults);
    expect(faults.issues).toEqual([]);
    readDeclared(fields, 'declaration', faults);
    expect(faults.issues.map(({ message }) => message)).toEqual([
      'declaration["child.name"]: must be a name with a visible character',
      'declaration.mother.names[1]: must be a name with a visible character',
    ]);
  });

  it.each<[string, object]>([
    ['is empty', { firstname: '', surname: '' }],
    ['has one part that shows', { firstname: '\u200b', surname: 'Phiri' }],
    ['is removed', { firstname: null }],
    ['is none, as it has another member', { firstname: ' ', title: ' ' }],
  ])('is taken where it %s', (_, name) => {
    const faults = new Faults();
    const fields = { 'child.name': name, surname: '\u200b' };
    expect([readDeclared(fields, 'declaration', faults), faults.issues]).toEqual([fields, []]);
    readDeclared({ firstname: ' ' }, 'declaration', faults);
    expect(faults.issues).toEqual([]);
  });
});
