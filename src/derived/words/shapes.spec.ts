import fc from 'fast-check';

import type { ShapeAspect } from '../terms/data-aspect.js';
import { BEYOND, fieldOf } from '../values/data-path.js';
import { KnownShapes } from './shapes.js';

const NAMES = ['name', 'other', 'third'];
const ASPECTS: readonly ShapeAspect[] = [
  'text',
  'word',
  'sole',
  'number',
  'day',
  'month',
  'place',
  'several',
  'year 2019',
  'year 2020',
  'year 2021',
];

const years = (aspects: Iterable<ShapeAspect>): string[] =>
  [...aspects].flatMap((aspect) => (aspect.startsWith('year ') ? [aspect.slice(5)] : [])).sort();

describe('the shapes that are known', () => {
  it('are those that were added, field by field, in whatever order', () => {
    const added = fc.tuple(fc.constantFrom(...NAMES), fc.boolean(), fc.constantFrom(...ASPECTS));
    fc.assert(
      fc.property(fc.array(added, { maxLength: 80 }), (all) => {
        const shapes = new KnownShapes();
        for (const [name, isField, aspect] of all) shapes.add({ path: fieldOf(name), isField }, aspect);
        const expected = (name: string, isField: boolean) =>
          new Set(all.flatMap(([id, field, aspect]) => (id === name && field === isField ? [aspect] : [])));
        for (const name of NAMES) {
          for (const isField of [true, false]) {
            const shape = isField ? shapes.field(fieldOf(name)) : shapes.inside(fieldOf(name));
            const aspects = expected(name, isField);
            expect(ASPECTS.filter((aspect) => shape.has(aspect))).toEqual(ASPECTS.filter((one) => aspects.has(one)));
            expect(shape.years.toSorted()).toEqual(years(aspects));
          }
        }
        for (const aspect of ASPECTS) {
          const fields = NAMES.filter((name) => expected(name, true).has(aspect)).map(fieldOf);
          expect([...(shapes.fieldsWith(aspect) ?? [])].sort()).toEqual(fields.sort());
        }
        expect(shapes.fieldCount).toBe(NAMES.filter((name) => expected(name, true).size > 0).length);
      }),
    );
  });

  it('are those of any path beyond, where paths are not told apart', () => {
    const shapes = new KnownShapes();
    shapes.add({ path: fieldOf('name'), isField: true }, 'word');
    shapes.add({ path: BEYOND, isField: true }, 'number');
    shapes.add({ path: BEYOND, isField: false }, 'id');
    const shown = (field: string) => ASPECTS.filter((aspect) => shapes.field(fieldOf(field)).has(aspect));
    expect([shown('name'), shown('made up')]).toEqual([['word'], ['number']]);
    expect(shapes.inside(fieldOf('made up')).has('id')).toBe(true);
    expect([shapes.fieldCount, shapes.fieldsWith('word'), shapes.fieldsWith('number')]).toEqual([
      Infinity,
      new Set([fieldOf('name')]),
      undefined,
    ]);
  });
});
