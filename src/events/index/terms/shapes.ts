import { ALL_BUT_YEARS, type ShapeAspect, type YearAspect } from './data-aspect.js';
import { BEYOND, type DataPath } from '../values/data-path.js';
import type { WordPath } from './vocabulary.js';

/** The kinds of values at one path. */
export interface Shape {
  has(aspect: ShapeAspect): boolean;
  /** Years of dates. */
  readonly years: Years;
}

/** Years of four digits; `any` beyond the limit. */
export type Years = readonly string[] | 'any';

/** Conditions skip absent kinds. */
export interface Shapes {
  readonly fields: Iterable<DataPath>;
  /** Infinite beyond the limit. */
  readonly fieldCount: number;
  /** Undefined if a field beyond the limit, or any-year fields, may have it. */
  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> | undefined;
  /** Beyond the limit: any such field's. */
  field(path: DataPath): Shape;
  /** As `field`, for a path inside a field. */
  inside(path: DataPath): Shape;
}

export class KnownShapes implements Shapes {
  private readonly ofFields = new Map<DataPath, KnownShape>();
  private readonly ofInsides = new Map<DataPath, KnownShape>();
  private readonly fieldsByAspect = new Map<ShapeAspect, Set<DataPath>>();
  /** Fields with more years than the limit. */
  private readonly ofAnyYear = new Set<DataPath>();
  /** In total over all paths. */
  private yearsTold = 0;
  /** Equal small shapes are shared, to bound memory. */
  private readonly shared = new Map<string, KnownShape>();

  constructor(private readonly mostYearsTold = MOST_YEARS_TOLD) {}

  add(at: WordPath, aspect: ShapeAspect): void {
    const { path, isField } = at;
    const shapes = isField ? this.ofFields : this.ofInsides;
    const shape = shapes.get(path) ?? NO_SHAPE;
    if (shape.has(aspect)) return;
    if (isYear(aspect)) {
      if (shape.years.length >= MOST_YEARS || this.yearsTold >= this.mostYearsTold) {
        this.addAnyYear(at);
        return;
      }
      this.yearsTold += 1;
    }
    shapes.set(path, this.withOneMore(shape, aspect));
    if (!isField || path === BEYOND) return;
    const fields = this.fieldsByAspect.get(aspect) ?? new Set();
    this.fieldsByAspect.set(aspect, fields);
    fields.add(path);
  }

  /** Paths beyond the limit may have any kind. */
  addAnythingBeyond(): void {
    for (const isField of [true, false]) {
      const at = { path: BEYOND, isField };
      for (const aspect of ALL_BUT_YEARS) this.add(at, aspect);
      this.addAnyYear(at);
    }
  }

  get fieldCount(): number {
    return this.ofFields.has(BEYOND) ? Infinity : this.ofFields.size;
  }

  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> | undefined {
    if (this.ofFields.get(BEYOND)?.has(aspect) === true) return undefined;
    const told = this.fieldsByAspect.get(aspect) ?? NO_FIELDS;
    if (!isYear(aspect) || this.ofAnyYear.size === 0) return told;
    return told.size + this.ofAnyYear.size > MOST_WITH_YEAR ? undefined : new Set([...told, ...this.ofAnyYear]);
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

  /** Replaces the known years. */
  private addAnyYear({ path, isField }: WordPath): void {
    const shapes = isField ? this.ofFields : this.ofInsides;
    const { aspects, years } = shapes.get(path) ?? NO_SHAPE;
    if (years === 'any') return;
    this.yearsTold -= years.length;
    if (isField && path !== BEYOND) {
      for (const aspect of aspects) if (isYear(aspect)) this.fieldsByAspect.get(aspect)?.delete(path);
      this.ofAnyYear.add(path);
    }
    const others = [...aspects].filter((aspect) => !isYear(aspect));
    shapes.set(path, new KnownShape(others, { isShared: false, isOfAnyYear: true }));
  }

  private withOneMore(shape: KnownShape, aspect: ShapeAspect): KnownShape {
    if (!shape.isShared || shape.size >= MOST_SHARED) {
      // Copy on write.
      const own = shape.isShared ? new KnownShape(shape.aspects, { isShared: false }) : shape;
      own.add(aspect);
      return own;
    }
    const aspects = [...shape.aspects, aspect].sort();
    const key = aspects.join(' ');
    const shared = this.shared.get(key) ?? new KnownShape(aspects, { isShared: true });
    this.shared.set(key, shared);
    return shared;
  }
}

/** Few sets of so many aspects exist. */
const MOST_SHARED = 8;
/** Form fields have some two hundred; invented ones may have all. */
export const MOST_YEARS = 400;
/** In total: some fifty megabytes. */
const MOST_YEARS_TOLD = 500_000;
/** More fields are never named by a condition. */
const MOST_WITH_YEAR = 4_000;

class KnownShape implements Shape {
  readonly aspects = new Set<ShapeAspect>();
  readonly isShared: boolean;
  private readonly isOfAnyYear: boolean;
  private readonly told: string[] = [];

  constructor(
    aspects: Iterable<ShapeAspect>,
    { isShared, isOfAnyYear = false }: { readonly isShared: boolean; readonly isOfAnyYear?: boolean },
  ) {
    this.isShared = isShared;
    this.isOfAnyYear = isOfAnyYear;
    for (const aspect of aspects) this.add(aspect);
  }

  get size(): number {
    return this.aspects.size;
  }

  get years(): Years {
    return this.isOfAnyYear ? 'any' : this.told;
  }

  add(aspect: ShapeAspect): void {
    this.aspects.add(aspect);
    if (isYear(aspect)) this.told.push(aspect.slice(YEAR.length));
  }

  has(aspect: ShapeAspect): boolean {
    return this.aspects.has(aspect) || (this.isOfAnyYear && isYear(aspect));
  }
}

const YEAR = 'year ';

const isYear = (aspect: ShapeAspect): aspect is YearAspect => aspect.startsWith(YEAR);

const NO_FIELDS: ReadonlySet<never> = new Set<never>();

const NO_SHAPE = new KnownShape([], { isShared: true });

/** For searches without a condition on the declaration. */
export const NO_SHAPES: Shapes = {
  fields: [],
  fieldCount: 0,
  fieldsWith: () => NO_FIELDS,
  field: () => NO_SHAPE,
  inside: () => NO_SHAPE,
};
