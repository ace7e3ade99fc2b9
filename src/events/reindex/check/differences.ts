export interface Difference {
  /** A column, or a table with the fault of its row. */
  readonly kind: string;
  readonly count: number;
  /** Ids of the first events; a `seq` if there is no such event. */
  readonly events: readonly string[];
}

const NAMED_EVENTS = 10;

/** Counted by kind. */
export class Differences {
  private readonly found = new Map<string, { count: number; readonly events: string[] }>();

  add(kind: string, event: string, times = 1): void {
    const difference = this.found.get(kind) ?? { count: 0, events: [] };
    this.found.set(kind, difference);
    difference.count += times;
    if (difference.events.length < NAMED_EVENTS) difference.events.push(event);
  }

  get all(): readonly Difference[] {
    return [...this.found].map(([kind, { count, events }]) => ({ kind, count, events }));
  }
}
