import { BEYOND, type DataPath } from '../values/data-path.js';
import type { WordPath } from '../terms/vocabulary.js';

/** Forms have some thousand paths; a client could invent millions. */
export const MOST_PATHS = 20_000;
/** Earlier releases allow keys of any length. */
export const MOST_PATH_CHARACTERS = 4_000_000;

/** Database ids are positive and signed. */
const FIELDS_BEYOND = 0xffff_fffe;
const INSIDES_BEYOND = 0xffff_ffff;

/**
 * By database id. Paths beyond the limit share two ids, for fields and for insides. After the first of them all later
 * paths are beyond, so that a process never changes its set.
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

  /** Returns the id for the path's values. */
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

  /** Possibly shared with other paths. */
  idsOf(path: DataPath): readonly number[] {
    const ids = [
      this.fieldIds.get(path) ?? (this.isFull ? FIELDS_BEYOND : undefined),
      this.insideIds.get(path) ?? (this.isFull ? INSIDES_BEYOND : undefined),
    ];
    return ids.filter((id) => id !== undefined);
  }
}
