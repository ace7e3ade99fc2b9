import fc from 'fast-check';
import { ALL_BUT_YEARS, type ShapeAspect } from './data-aspect.js';
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
            expect([shape.years].flat().sort()).toEqual(years(aspects));
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

  const dated = (shapes: KnownShapes, name: string, count: number, isField = true): void => {
    for (let year = 1_000; year < 1_000 + count; year += 1) {
      shapes.add({ path: fieldOf(name), isField }, `year ${year}`);
    }
  };

  it('are no single years where a path has dates of more than 400: then they may be of any', () => {
    const shapes = new KnownShapes();
    shapes.add({ path: fieldOf('name'), isField: true }, 'day');
    dated(shapes, 'name', 400);
    dated(shapes, 'other', 300);
    expect(shapes.field(fieldOf('name')).years).toHaveLength(400);
    expect(shapes.fieldsWith('year 1500')).toEqual(new Set());
    dated(shapes, 'name', 401);
    dated(shapes, 'inside', 401, false);
    shapes.add({ path: fieldOf('name'), isField: true }, 'text');
    const shape = shapes.field(fieldOf('name'));
    expect([shape.years, shapes.inside(fieldOf('inside')).years]).toEqual(['any', 'any']);
    expect(['day', 'text', 'year 1000', 'year 2020', 'word'].map((one) => shape.has(one as ShapeAspect))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(shapes.fieldsWith('year 1000')).toEqual(new Set([fieldOf('name'), fieldOf('other')]));
    expect(shapes.fieldsWith('year 2020')).toEqual(new Set([fieldOf('name')]));
    expect(shapes.fieldsWith('day')).toEqual(new Set([fieldOf('name')]));
  });

  it('are no single years of the latest paths where all of them have too many together', () => {
    const shapes = new KnownShapes(500);
    for (const name of ['first', 'second', 'third']) dated(shapes, name, 200);
    const yearsOf = (name: string) => shapes.field(fieldOf(name)).years;
    expect([yearsOf('first').length, yearsOf('second').length, yearsOf('third')]).toEqual([200, 200, 'any']);
    // What the third one gave up, others may have.
    dated(shapes, 'fourth', 90);
    expect(yearsOf('fourth')).toHaveLength(90);
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

  it('may be all kinds beyond', () => {
    const shapes = new KnownShapes();
    shapes.add({ path: fieldOf('name'), isField: true }, 'word');
    shapes.addAnythingBeyond();
    const beyond = shapes.field(fieldOf('made up'));
    expect([...ALL_BUT_YEARS, 'year 1984' as const].filter((aspect) => !beyond.has(aspect))).toEqual([]);
    expect([beyond.years, shapes.inside(fieldOf('made up')).has('opaque')]).toEqual(['any', true]);
    expect([shapes.field(fieldOf('name')).has('number'), shapes.fieldsWith('year 1984')]).toEqual([false, undefined]);
  });

  it('are sorted before the years, of which a process need not read all', () => {
    expect(ALL_BUT_YEARS.filter((aspect) => aspect >= 'year ')).toEqual([]);
  });
});
