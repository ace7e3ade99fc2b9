import { BEYOND, type DataPath } from '../values/data-path.js';
import type { WordPath } from '../terms/vocabulary.js';

/**
 * How many paths of declarations a process tells apart, fields and what is inside them: the forms of a country have
 * some thousands. Whoever may write declarations could make up millions.
 */
export const MOST_PATHS = 20_000;
/** Of all of them together: keys of earlier releases have any length. */
export const MOST_PATH_CHARACTERS = 4_000_000;

/** In place of ids of the database, which begin with 1 and are signed. */
const FIELDS_BEYOND = 0xffff_fffe;
const INSIDES_BEYOND = 0xffff_ffff;

/**
 * The paths by their ids in the database. Those that come after the bound share one id for fields and one for what is
 * inside them. Which these are may differ from process to process: within one, a path stays what it was at first. After
 * the first beyond the bound all others are beyond too, however short: what is at them may have been read as one.
 */
export class KnownPaths {
  private readonly byId = new Map<number, WordPath>([
    [FIELDS_BEYOND, { path: BEYOND, isField: true }],
    [INSIDES_BEYOND, { path: BEYOND, isField: false }],
  ]);
  private readonly fieldIds = new Map<DataPath, number>();
  /** For paths inside fields. */
  private readonly insideIds = new Map<DataPath, number>();
  private characters = 0;
  private isFull = false;

  constructor(private readonly most = MOST_PATHS) {}

  get size(): number {
    return this.fieldIds.size + this.insideIds.size;
  }

  /** The ids of those that are told apart. */
  get ids(): readonly number[] {
    return [...this.fieldIds.values(), ...this.insideIds.values()];
  }

  /** Whether there are paths beyond. */
  get hasMore(): boolean {
    return this.isFull;
  }

  /** Returns the id under which everything is kept that occurs at the path. */
  add(id: number, at: WordPath): number {
    if (this.byId.has(id)) return id;
    if (this.isFull || this.size >= this.most || this.characters + at.path.length > MOST_PATH_CHARACTERS) {
      this.isFull = true;
      return at.isField ? FIELDS_BEYOND : INSIDES_BEYOND;
    }
    this.characters += at.path.length;
    this.byId.set(id, at);
    (at.isField ? this.fieldIds : this.insideIds).set(at.path, id);
    return id;
  }

  get(id: number): WordPath | undefined {
    return this.byId.get(id);
  }

  /** The ids under which everything is that occurs at a path: some of it may occur elsewhere. */
  idsOf(path: DataPath): readonly number[] {
    const ids = [
      this.fieldIds.get(path) ?? (this.isFull ? FIELDS_BEYOND : undefined),
      this.insideIds.get(path) ?? (this.isFull ? INSIDES_BEYOND : undefined),
    ];
    return ids.filter((id) => id !== undefined);
  }
}
