import { MIB } from '../../../kernel/domain/bytes.js';
import { inGroupsOf } from '../../../kernel/domain/in-groups-of.js';
import type { NdjsonLine } from '../../../kernel/input/ndjson-lines.js';
import type { Creations, PreparedCreation } from './creation.js';

/** What has become of lines so far. */
interface Outcomes {
  readonly imported: number;
  readonly updated: number;
  /** Batches that could not be created as they were. */
  readonly refused: number;
}

/** Writes what is made here. */
export interface CreationWriter {
  readonly outcomes: Outcomes;
  /** Begins to write, when what was begun before is written. */
  create(lines: readonly NdjsonLine[], creation: PreparedCreation): Promise<void>;
  /** Begins to write the lines that it was given one by one. */
  flush(): Promise<void>;
}

const MOST_LINES = 500;
/** How many lines are written one by one at first: a longer file shows what it is like, before a thread begins. */
const FIRST = 2 * MOST_LINES;
/** The same after a batch that had to be. */
const AFTER_REFUSAL = 4 * MOST_LINES;
/** A batch of longer lines is written one by one: a thread has bounded memory. */
const MOST_CHARACTERS = 2 * MIB;
/** How many batches are in the hands of creations: with what each takes, memory is bounded. */
const UNDER_WAY = 3;

/** The same lines, in batches for creations. */
export async function* inBatches(
  source: AsyncIterable<readonly NdjsonLine[]>,
): AsyncGenerator<readonly NdjsonLine[], void, undefined> {
  for await (const lines of source) yield* inGroupsOf(lines, MOST_LINES);
}

interface UnderWay {
  readonly lines: readonly NdjsonLine[];
  readonly creation: Promise<PreparedCreation>;
}

/**
 * Takes the batches of an import whose events are new, as far as the last ones tell, and has them made by `creations`,
 * in their order. Events that exist are written faster one by one: making them for nothing takes as long as that.
 */
export class CreatingLines {
  private creations: Creations | undefined;
  private readonly underWay: UnderWay[] = [];
  private oneByOne = FIRST;
  private before: Outcomes = { imported: 0, updated: 0, refused: 0 };

  /** `start`: undefined for an import that has none. `areNew`: all events, as long as none is found to be known. */
  constructor(
    private readonly writer: CreationWriter,
    private start: (() => Creations) | undefined,
    private areNew = false,
  ) {
    if (areNew) this.oneByOne = 0;
  }

  /** Whether the batch is taken; if not, everything taken before is being written. */
  async takes(lines: readonly NdjsonLine[]): Promise<boolean> {
    if (this.start === undefined) {
      await this.finish();
      return false;
    }
    if (this.writer.outcomes.refused > this.before.refused) await this.lookAgain();
    if (this.oneByOne > 0) {
      this.oneByOne -= lines.length;
      return false;
    }
    if (this.underWay.length === 0) {
      // Lines before these must not be written after them.
      await this.writer.flush();
      const { imported, updated } = this.writer.outcomes;
      if (!this.areNew && imported - this.before.imported <= updated - this.before.updated) {
        await this.lookAgain();
        return false;
      }
    }
    if (lines.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARACTERS) {
      await this.finish();
      return false;
    }
    this.creations ??= this.start();
    const creation = this.creations.of(lines);
    // A failure must reach whoever waits for it, rather than be unhandled.
    creation.catch(() => undefined);
    this.underWay.push({ lines, creation });
    if (this.underWay.length > UNDER_WAY) await this.writeNext();
    return true;
  }

  /** Everything taken is being written. */
  async finish(): Promise<void> {
    while (this.underWay.length > 0) await this.writeNext();
  }

  async close(): Promise<void> {
    await this.creations?.close();
  }

  private async lookAgain(): Promise<void> {
    await this.finish();
    this.areNew = false;
    this.before = { ...this.writer.outcomes };
    this.oneByOne = AFTER_REFUSAL;
  }

  /** A thread that has failed, for lack of memory perhaps, costs the rest its help and nothing else. */
  private async writeNext(): Promise<void> {
    const next = this.underWay.shift();
    if (next === undefined) return;
    const creation = await next.creation.catch(() => {
      this.start = undefined;
      return NO_CREATION;
    });
    await this.writer.create(next.lines, creation);
  }
}

/** Its lines are written one by one. */
const NO_CREATION: PreparedCreation = {
  ids: [],
  rejected: [],
  statement: undefined,
  terms: undefined,
  files: [],
  written: () => undefined,
  discarded: () => undefined,
};
