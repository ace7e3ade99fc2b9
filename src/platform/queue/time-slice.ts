import { KIB } from '../../kernel/domain/bytes.js';

/** Milliseconds for which work may block the process. */
const LONGEST_MS = 10;

/** Gives one turn at a time: the event loop sees new arrivals after each. */
export class OneByOne {
  private readonly waiting: (() => void)[] = [];

  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.give);
    });
  }

  private readonly give = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.give);
  };
}

/** Shared by all work of the process; otherwise each would run in every event loop round. */
const slices = new OneByOne();

/** Makes long work interruptible: `if (slice.isOver) await slice.next()` between its short steps. */
export class TimeSlice {
  private beganMs = performance.now();

  constructor(private readonly turns: Pick<OneByOne, 'next'> = slices) {}

  get isOver(): boolean {
    return performance.now() - this.beganMs > LONGEST_MS;
  }

  async next(): Promise<void> {
    await this.turns.next();
    this.beganMs = performance.now();
  }
}

export type Steps<T> = Generator<void, T, void>;

/** Yields as `slice` (or a `SearchTurn`) grants turns. */
export async function stepwise<T>(
  steps: Steps<T>,
  slice: Pick<TimeSlice, 'isOver' | 'next'> = new TimeSlice(),
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver) await slice.next();
  }
}

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** An object with a list of events with lists of actions; deeper values are written whole. */
const MOST_LEVELS = 4;

/** Shorter texts are encoded together. */
const ENCODED_AT_ONCE = 64 * KIB;

/** Yields between list elements: the longest permitted event history would block the process. */
export async function jsonInSlices(
  value: unknown,
  slice: Pick<TimeSlice, 'isOver' | 'next'> = new TimeSlice(),
): Promise<Buffer> {
  const encoded: Buffer[] = [];
  let text = '';
  for (const piece of piecesOf(value, MOST_LEVELS)) {
    text += piece;
    if (text.length < ENCODED_AT_ONCE) continue;
    encoded.push(Buffer.from(text));
    text = '';
    if (slice.isOver) await slice.next();
  }
  const last = Buffer.from(text);
  return encoded.length === 0 ? last : Buffer.concat([...encoded, last]);
}

export const hasLists = (value: unknown): value is object =>
  Array.isArray(value) || (isPlain(value) && Object.values(value).some(Array.isArray));

function* piecesOf(value: unknown, levels: number): Generator<string, void> {
  if (levels === 0 || !hasLists(value)) yield textOf(value) ?? 'null';
  else if (Array.isArray(value))
    yield* listed(
      '[',
      Array.from(value, (element: unknown) => ['', element] as const),
      ']',
      levels,
    );
  else {
    // Members without text are omitted, elements become `null`.
    const members = Object.entries(value).filter(([, member]) => isWritten(member));
    yield* listed(
      '{',
      members.map(([key, member]) => [`${JSON.stringify(key)}:`, member] as const),
      '}',
      levels,
    );
  }
}

function* listed(
  open: string,
  parts: readonly (readonly [lead: string, part: unknown])[],
  close: string,
  levels: number,
): Generator<string, void> {
  yield open;
  for (const [at, [lead, part]] of parts.entries()) {
    yield at === 0 ? lead : `,${lead}`;
    yield* piecesOf(part, levels - 1);
  }
  yield close;
}

const textOf = (value: unknown): string | undefined => JSON.stringify(value);

const isWritten = (value: unknown): boolean => !['undefined', 'function', 'symbol'].includes(typeof value);

/** An object without a text of its own. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value) && !ArrayBuffer.isView(value);
