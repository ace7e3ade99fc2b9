/** One way in which derived data differs from the records. */
export interface Difference {
  /** Where: a column, or a table with what is wrong with its row. */
  readonly kind: string;
  readonly count: number;
  /** The ids of the first events with the difference; a `seq` if there is no such event, or what else is known. */
  readonly events: readonly string[];
}

const NAMED_EVENTS = 10;

/** Differences, counted by their kind. */
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
