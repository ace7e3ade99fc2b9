import type { DataMember, ValueCondition } from '../../domain/search-request.js';

/** A condition of a search: the very object that stands in its query. */
type Asked = DataMember | ValueCondition;

/**
 * What compiling takes long for, kept for the length of one search, so that it can be done condition by condition before
 * the search is compiled (`prepared`). It depends on nothing but the condition and the rest of the context.
 */
export class WorkedOut {
  /** The conditions of which something is known. */
  readonly conditions = new Set<Asked>();
}

/** One thing that is worked out of each condition once, however often the search is compiled. */
export class Once<T> {
  private readonly known = new WeakMap<WorkedOut, Map<Asked, { readonly value: T }>>();

  /** What was worked out, where it is kept. */
  of(kept: WorkedOut | undefined, asked: Asked, workOut: () => T): T {
    if (kept === undefined) return workOut();
    const known = this.known.get(kept)?.get(asked);
    return known === undefined ? this.set(kept, asked, workOut()) : known.value;
  }

  set(kept: WorkedOut, asked: Asked, value: T): T {
    const known = this.known.get(kept) ?? new Map<Asked, { readonly value: T }>();
    this.known.set(kept, known);
    known.set(asked, { value });
    kept.conditions.add(asked);
    return value;
  }
}
