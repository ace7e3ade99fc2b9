import type { ShapeAspect } from '../terms/data-aspect.js';
import type { DataPath } from '../values/data-path.js';
import { BEYOND } from '../values/data-path.js';
import type { WordPath } from './vocabulary.js';

/** The kinds of values that records have at one path. */
export interface Shape {
  has(aspect: ShapeAspect): boolean;
  /** The years of its dates. */
  readonly years: readonly string[];
}

/** The kinds of values, path by path: a condition need not look for others. */
export interface Shapes {
  readonly fields: Iterable<DataPath>;
  /** Infinite where there are more fields than are told apart. */
  readonly fieldCount: number;
  /** The fields that have values of the kind; undefined if one of them may be beyond those that are told apart. */
  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> | undefined;
  /** What it may have: of a field that is not told apart from others, what any of them has. */
  field(path: DataPath): Shape;
  /** A path inside the value of a field, in the same way. */
  inside(path: DataPath): Shape;
}

/** The shapes of all records that were read. */
export class KnownShapes implements Shapes {
  private readonly ofFields = new Map<DataPath, KnownShape>();
  private readonly ofInsides = new Map<DataPath, KnownShape>();
  private readonly fieldsByAspect = new Map<ShapeAspect, Set<DataPath>>();
  /** Paths with the same few aspects share one shape: however many are made up, they take little memory. */
  private readonly shared = new Map<string, KnownShape>();

  add({ path, isField }: WordPath, aspect: ShapeAspect): void {
    const shapes = isField ? this.ofFields : this.ofInsides;
    const shape = shapes.get(path) ?? NO_SHAPE;
    if (shape.has(aspect)) return;
    shapes.set(path, this.withOneMore(shape, aspect));
    if (!isField || path === BEYOND) return;
    const fields = this.fieldsByAspect.get(aspect) ?? new Set();
    this.fieldsByAspect.set(aspect, fields);
    fields.add(path);
  }

  get fieldCount(): number {
    return this.ofFields.has(BEYOND) ? Infinity : this.ofFields.size;
  }

  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> | undefined {
    if (this.ofFields.get(BEYOND)?.has(aspect) === true) return undefined;
    return this.fieldsByAspect.get(aspect) ?? NO_FIELDS;
  }

  get fields(): Iterable<DataPath> {
    return this.ofFields.keys();
  }

  field(path: DataPath): Shape {
    return this.ofFields.get(path) ?? this.ofFields.get(BEYOND) ?? NO_SHAPE;
  }

  inside(path: DataPath): Shape {
    return this.ofInsides.get(path) ?? this.ofInsides.get(BEYOND) ?? NO_SHAPE;
  }

  private withOneMore(shape: KnownShape, aspect: ShapeAspect): KnownShape {
    if (shape.size >= MOST_SHARED) {
      // A path's first own aspect copies the shape: the others continue to share it.
      const own = shape.size === MOST_SHARED ? new KnownShape(shape.aspects) : shape;
      own.add(aspect);
      return own;
    }
    const aspects = [...shape.aspects, aspect].sort();
    const key = aspects.join(' ');
    const shared = this.shared.get(key) ?? new KnownShape(aspects);
    this.shared.set(key, shared);
    return shared;
  }
}

/** There are few sets of this many aspects, however many fields are made up. */
const MOST_SHARED = 8;

class KnownShape implements Shape {
  readonly aspects = new Set<ShapeAspect>();
  readonly years: string[] = [];

  constructor(aspects: Iterable<ShapeAspect>) {
    for (const aspect of aspects) this.add(aspect);
  }

  get size(): number {
    return this.aspects.size;
  }

  add(aspect: ShapeAspect): void {
    this.aspects.add(aspect);
    if (aspect.startsWith(YEAR)) this.years.push(aspect.slice(YEAR.length));
  }

  has(aspect: ShapeAspect): boolean {
    return this.aspects.has(aspect);
  }
}

const YEAR = 'year ';

const NO_FIELDS: ReadonlySet<never> = new Set<never>();

const NO_SHAPE = new KnownShape([]);

/** For searches without a condition on the declaration. */
export const NO_SHAPES: Shapes = {
  fields: [],
  fieldCount: 0,
  fieldsWith: () => NO_FIELDS,
  field: () => NO_SHAPE,
  inside: () => NO_SHAPE,
};
