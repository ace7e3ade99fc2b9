import { fieldOf } from '../values/data-path.js';
import { ALL_BUT_YEARS, type ShapeAspect } from './terms.js';
import { KnownShapes } from './vocabulary.js';

const yearsUpTo = (count: number): readonly ShapeAspect[] =>
  Array.from({ length: count }, (_, at): ShapeAspect => `year ${1_000 + at}`);

const field = (id: string, aspects: readonly ShapeAspect[]) => ({ path: fieldOf(id), isField: true, aspects });

describe('the shapes that are known', () => {
  it('are those that were read, of fields and of what is inside them apart', () => {
    const shapes = new KnownShapes([
      field('name', ['word', 'year 2019']),
      field('other', ['word']),
      { path: fieldOf('name'), isField: false, aspects: ['opaque'] },
    ]);
    const shape = shapes.field(fieldOf('name'));
    expect([shape.has('word'), shape.has('opaque'), shape.years]).toEqual([true, false, ['2019']]);
    expect(shapes.inside(fieldOf('name')).has('opaque')).toBe(true);
    expect([shapes.field(fieldOf('third')).has('word'), shapes.fieldsWith('number')]).toEqual([false, new Set()]);
    expect(shapes.fieldsWith('word')).toEqual(new Set([fieldOf('name'), fieldOf('other')]));
  });

  it('are no single years where a path has dates of more than 400: then they may be of any', () => {
    const shapes = new KnownShapes([field('few', yearsUpTo(400)), field('many', ['day', ...yearsUpTo(401)])]);
    expect([shapes.field(fieldOf('few')).years.length, shapes.field(fieldOf('many')).years]).toEqual([400, 'any']);
    const shape = shapes.field(fieldOf('many'));
    expect([shape.has('year 2020'), shape.has('day'), shape.has('word')]).toEqual([true, true, false]);
  });

  it('do not tell which fields have an aspect where there are too many', () => {
    expect(new KnownShapes([field('name', ['word'])], false).fieldsWith('word')).toBeUndefined();
  });

  it('are sorted before the years, of which a search need not read all', () => {
    expect(ALL_BUT_YEARS.filter((aspect) => aspect >= 'year ')).toEqual([]);
  });
});
