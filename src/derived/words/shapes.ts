import type { ShapeAspect } from '../terms/data-aspect.js';
import type { DataPath } from '../values/data-path.js';
import type { WordPath } from './vocabulary.js';

/** What kinds of values records have at one path. */
export interface Shape {
  has(aspect: ShapeAspect): boolean;
  /** The years of its dates. */
  readonly years: readonly string[];
}

/** What kinds of values there are, path by path: a condition need not look for others. */
export interface Shapes {
  readonly fields: Iterable<DataPath>;
  readonly fieldCount: number;
  /** The fields that have values of the kind. */
  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath>;
  field(path: DataPath): Shape;
  /** A path inside the value of a field. */
  inside(path: DataPath): Shape;
}

/** The shapes of all records that were read. */
export class KnownShapes implements Shapes {
  private readonly ofFields = new Map<DataPath, AspectsAtPath>();
  private readonly ofInsides = new Map<DataPath, AspectsAtPath>();
  private readonly fieldsByAspect = new Map<ShapeAspect, Set<DataPath>>();

  add({ path, isField }: WordPath, aspect: ShapeAspect): void {
    const shapes = isField ? this.ofFields : this.ofInsides;
    const shape = shapes.get(path) ?? new AspectsAtPath();
    shapes.set(path, shape);
    shape.add(aspect);
    if (!isField) return;
    const fields = this.fieldsByAspect.get(aspect) ?? new Set();
    this.fieldsByAspect.set(aspect, fields);
    fields.add(path);
  }

  get fieldCount(): number {
    return this.ofFields.size;
  }

  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> {
    return this.fieldsByAspect.get(aspect) ?? NO_FIELDS;
  }

  get fields(): Iterable<DataPath> {
    return this.ofFields.keys();
  }

  field(path: DataPath): Shape {
    return this.ofFields.get(path) ?? NO_SHAPE;
  }

  inside(path: DataPath): Shape {
    return this.ofInsides.get(path) ?? NO_SHAPE;
  }
}

class AspectsAtPath implements Shape {
  private readonly aspects = new Set<ShapeAspect>();
  readonly years: string[] = [];

  add(aspect: ShapeAspect): void {
    if (this.aspects.has(aspect)) return;
    this.aspects.add(aspect);
    if (aspect.startsWith(YEAR)) this.years.push(aspect.slice(YEAR.length));
  }

  has(aspect: ShapeAspect): boolean {
    return this.aspects.has(aspect);
  }
}

const YEAR = 'year ';

const NO_FIELDS: ReadonlySet<never> = new Set<never>();

const NO_SHAPE: Shape = { has: () => false, years: [] };

/** For searches without a condition on the declaration. */
export const NO_SHAPES: Shapes = {
  fields: [],
  fieldCount: 0,
  fieldsWith: () => NO_FIELDS,
  field: () => NO_SHAPE,
  inside: () => NO_SHAPE,
};
