import type { DataPath } from '../values/data-path.js';
import type { ShapeAspect } from './terms.js';

/** A limit of Postgres indexes. Terms of 256 code points (S-4) exceed it only with dozens of ligatures. */
const MOST_WORD_BYTES = 2_400;

export const isFindable = (word: string): boolean =>
  word.length <= MOST_WORD_BYTES / 3 || Buffer.byteLength(word) <= MOST_WORD_BYTES;

/** `isField`: a field of the declaration, not its inside. */
export interface WordPath {
  readonly path: DataPath;
  readonly isField: boolean;
}

/** Everything at one path. */
export interface PathVocabulary extends WordPath {
  /** Words for fuzzy conditions (S-10), except those compared exactly (S-11). */
  readonly words: ReadonlySet<string>;
  readonly aspects: ReadonlySet<ShapeAspect>;
}

/** Stored once for all records. */
export interface Vocabulary {
  readonly paths: readonly PathVocabulary[];
}

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
  /** Undefined if there are too many. */
  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> | undefined;
  field(path: DataPath): Shape;
  /** As `field`, for a path inside a field. */
  inside(path: DataPath): Shape;
}

/** Form fields have some two hundred; invented ones may have all. */
export const MOST_YEARS = 400;

export interface PathShape extends WordPath {
  readonly aspects: readonly ShapeAspect[];
}

/** As read for one search. */
export class KnownShapes implements Shapes {
  private readonly ofFields = new Map<DataPath, Shape>();
  private readonly ofInsides = new Map<DataPath, Shape>();
  private readonly fieldsByAspect = new Map<ShapeAspect, Set<DataPath>>();

  /** `hasEach`: every field that has an aspect of a condition on any field is among these. */
  constructor(
    rows: readonly PathShape[],
    private readonly hasEach = true,
  ) {
    for (const { path, isField, aspects } of rows) {
      (isField ? this.ofFields : this.ofInsides).set(path, shapeOf(aspects));
      if (!isField) continue;
      for (const aspect of aspects) {
        const fields = this.fieldsByAspect.get(aspect);
        if (fields === undefined) this.fieldsByAspect.set(aspect, new Set([path]));
        else fields.add(path);
      }
    }
  }

  fieldsWith(aspect: ShapeAspect): ReadonlySet<DataPath> | undefined {
    return this.hasEach ? (this.fieldsByAspect.get(aspect) ?? NO_FIELDS) : undefined;
  }

  field(path: DataPath): Shape {
    return this.ofFields.get(path) ?? NO_SHAPE;
  }

  inside(path: DataPath): Shape {
    return this.ofInsides.get(path) ?? NO_SHAPE;
  }
}

const YEAR = 'year ';

function shapeOf(aspects: readonly ShapeAspect[]): Shape {
  const known = new Set(aspects);
  const years = aspects.filter((aspect) => aspect.startsWith(YEAR)).map((aspect) => aspect.slice(YEAR.length));
  return years.length > MOST_YEARS
    ? { has: (aspect) => known.has(aspect) || aspect.startsWith(YEAR), years: 'any' }
    : { has: (aspect) => known.has(aspect), years };
}

const NO_FIELDS: ReadonlySet<never> = new Set<never>();

const NO_SHAPE = shapeOf([]);

/** For searches without a condition on the declaration. */
export const NO_SHAPES: Shapes = new KnownShapes([]);
