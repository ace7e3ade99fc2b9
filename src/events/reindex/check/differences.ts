export interface Difference {
  /** A column, or a table and a fault. */
  readonly kind: string;
  readonly count: number;
  /** The first ids; a `seq` without an event. */
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
