import { GrowingInts } from './growing-ints.js';

/** Bounds the cost of invented fields. */
const MANY_PATHS = 64;

/** Path ids by word number of a deletion index. */
export class PathsOfWords {
  /** The newest entry of each word, from 1. */
  private readonly heads = new GrowingInts();
  private readonly pathIds = new GrowingInts();
  private readonly before = new GrowingInts();
  /** An index for words at many paths. */
  private readonly manyOf = new Map<number, Set<number>>();

  get bytes(): number {
    return this.heads.bytes + this.pathIds.bytes + this.before.bytes;
  }

  add(number: number, pathId: number): void {
    while (this.heads.length <= number) this.heads.push(0);
    if (this.has(number, pathId)) return;
    this.manyOf.get(number)?.add(pathId);
    this.pathIds.push(pathId);
    this.before.push(this.heads.get(number));
    this.heads.set(number, this.pathIds.length);
  }

  private has(number: number, pathId: number): boolean {
    const many = this.manyOf.get(number);
    if (many !== undefined) return many.has(pathId);
    const ids = this.of(number);
    if (ids.length >= MANY_PATHS) this.manyOf.set(number, new Set(ids));
    return ids.includes(pathId);
  }

  of(number: number): readonly number[] {
    const ids: number[] = [];
    for (let entry = this.heads.get(number); entry > 0; entry = this.before.get(entry - 1)) {
      ids.push(this.pathIds.get(entry - 1));
    }
    return ids;
  }
}
