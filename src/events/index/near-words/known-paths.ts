import { BEYOND, type DataPath } from '../values/data-path.js';
import type { WordPath } from '../terms/vocabulary.js';

/** Forms of a country have some thousand paths, fields and their insides; a client could invent millions. */
export const MOST_PATHS = 20_000;
/** In total: keys of earlier releases have any length. */
export const MOST_PATH_CHARACTERS = 4_000_000;

/** Ids of the database are signed and begin with 1. */
const FIELDS_BEYOND = 0xffff_fffe;
const INSIDES_BEYOND = 0xffff_ffff;

/**
 * The paths by their ids in the database. Paths beyond the limit share one id for fields and one for insides. The set
 * may differ between processes, but never changes within one: after the first path beyond the limit, all later ones are
 * beyond.
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

  get ids(): readonly number[] {
    return [...this.fieldIds.values(), ...this.insideIds.values()];
  }

  /** Whether some are beyond the limit. */
  get hasMore(): boolean {
    return this.isFull;
  }

  /** Returns the id under which the values of the path are kept. */
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

  /** The ids of all values at a path, which may be shared with other paths. */
  idsOf(path: DataPath): readonly number[] {
    const ids = [
      this.fieldIds.get(path) ?? (this.isFull ? FIELDS_BEYOND : undefined),
      this.insideIds.get(path) ?? (this.isFull ? INSIDES_BEYOND : undefined),
    ];
    return ids.filter((id) => id !== undefined);
  }
}
