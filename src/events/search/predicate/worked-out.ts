import type { Cuts } from '../../index/values/joined-words.js';
import type { DataMember, ValueCondition } from '../../../kernel/domain/search-request.js';
import type { NearInValue } from './near-in-value.js';

/** The very object in the query. */
type Asked = DataMember | ValueCondition;

/** Memoized results of one search, computed condition by condition before it is compiled (`prepared`). */
export class WorkedOut {
  /** By term and scope: its lists are sent once. */
  readonly nearInValue = new Map<string, Cuts<NearInValue>>();
}

/** Computed once for each condition, however often the search is compiled. */
export class Once<T> {
  private readonly known = new WeakMap<WorkedOut, Map<Asked, { readonly value: T }>>();

  of(kept: WorkedOut | undefined, asked: Asked, workOut: () => T): T {
    if (kept === undefined) return workOut();
    const known = this.known.get(kept)?.get(asked);
    return known === undefined ? this.set(kept, asked, workOut()) : known.value;
  }

  set(kept: WorkedOut, asked: Asked, value: T): T {
    const known = this.known.get(kept) ?? new Map<Asked, { readonly value: T }>();
    this.known.set(kept, known);
    known.set(asked, { value });
    return value;
  }
}
