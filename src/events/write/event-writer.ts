import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { CORRELATION_ID, type CorrelationId } from '../../auth/access/request-target.js';
import { QueueFull } from '../../platform/queue/fair-queue.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Primary } from '../../platform/database/connection/primary.js';
import { WriteDatabase, WRITES_AT_ONCE } from '../../platform/database/pools/pools.js';
import { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { readTerms, type Terms } from '../index/terms/terms.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { asError } from '../../kernel/errors/service-error.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import type { Sql } from '../../kernel/sql/sql.js';
import { HistoriesTooLong } from '../records/stored-events.js';
import { uniqueViolation } from '../records/write-records.js';
import { EventPublisher, type FilesByPath, FilesToEnclose } from './event-publisher.js';
import { RegistrationNumbers } from './registration-numbers.js';
import type { Command } from './command.js';
import { BRIEF, openBatch, PATIENT } from './open-batch.js';
import { Outgoing } from './acceptance.js';
import { beingChanged, isOfStatement, MOST_WAIT_MS, noTurn, refusalOf, tooMany, wasSecond } from './refusals.js';
import { type Waiting, WaitingCommands } from './waiting-commands.js';
import { type Ended, type Followers, type Outcome, writeBatch, type WrittenBatch } from './write-batch.js';

/**
 * The write path of all operations: routes, trigger feed, confirmations. Commands on different events share a
 * transaction. It locks and reads events, calls `decide`, and writes with a handful of statements: events with derived
 * data, outboxes (`Publisher`, `Outgoing`), audit rows and `performed_operation`.
 *
 * After a failure commands are repeated singly, as are those on very long histories. Commands on locked events leave
 * the batch, and are tried again for 10 s. Bulk import (`importRecords`) has its own transactions.
 */
@Injectable()
export class EventWriter {
  private readonly waiting = new WaitingCommands<Pending>({ mostWaiting: MOST_WAITING, mostBytes: MOST_BYTES_WAITING });
  private readonly busy = new Set<string>();
  private running = 0;
  private isHeavyRunning = false;
  private isDue = false;
  /** Commands whose event another transaction holds, by event: others must not overtake them. */
  private readonly held = new Map<string, Pending>();
  /** One attempt at a time, on a connection of its own: held events delay nobody else. */
  private attempts: Promise<unknown> = Promise.resolve();
  private readonly followers: Omit<Followers, 'known' | 'terms'>;
  /** Caches the committed vocabulary of this server. */
  private known = new KnownVocabulary();
  private terms: Terms | undefined;

  constructor(
    @Inject(WriteDatabase) private readonly database: Pick<WriteDatabase, 'transactionFrom'>,
    private readonly numbers: RegistrationNumbers,
    primary: Primary,
    configuration: EventConfiguration,
    audit: AuditLog,
    @Optional() publisher?: EventPublisher,
    @Optional() outgoing?: Outgoing,
    @Optional() private readonly enclosed?: FilesToEnclose,
    @Optional() @Inject(CORRELATION_ID) private readonly correlationId: CorrelationId = () => undefined,
  ) {
    this.followers = { configuration, audit, publisher, outgoing };
    primary.onNewServer(() => {
      this.known = new KnownVocabulary();
      this.terms = undefined;
    });
  }

  /** For metrics. */
  get load(): WriterLoad {
    const { waiting, held, heldBytes, running } = this;
    return { waiting: waiting.count + held.size, waitingBytes: waiting.size + heldBytes, running };
  }

  /**
   * Resolves after the commit. Throws what `decide` throws; the reason of `hungUp` before the command's turn; 503
   * SERVICE_UNAVAILABLE without room, without a turn within 10 s, or after a further lock wait of 10 s.
   */
  async submit<T>(asked: Command<T>, hungUp?: AbortSignal): Promise<T> {
    // A batch runs within the request that began it.
    const command = { ...asked, correlationId: asked.correlationId ?? this.correlationId() };
    const files = await this.filesOf(command);
    if (files === undefined || files.size === 0) return this.wait(command, hungUp);
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, command.size);
    return this.wait({ ...command, files, size: bytes }, hungUp);
  }

  private filesOf({ eventId, publishes }: Command<unknown>): Promise<FilesByPath> | undefined {
    return publishes === undefined ? undefined : this.enclosed?.of(eventId, publishes);
  }

  private wait<T>(command: Command<T>, hungUp: AbortSignal | undefined): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      hungUp?.throwIfAborted();
      const leave = (): void => {
        if (hungUp !== undefined && this.waiting.leave(pending)) pending.refuse(asError(hungUp.reason));
      };
      const timer = setTimeout(() => {
        if (this.waiting.leave(pending)) pending.refuse(noTurn());
      }, MOST_WAIT_MS);
      const begin = (): void => {
        clearTimeout(timer);
        hungUp?.removeEventListener('abort', leave);
      };
      const pending: Pending = {
        client: command.client,
        eventId: command.eventId,
        size: command.size,
        command,
        begin,
        settle: (outcome) => {
          if (outcome.kind === 'done') resolve(outcome.answer);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- Whatever `decide` threw.
          else reject(outcome.error);
        },
        refuse: (error) => {
          begin();
          reject(error instanceof QueueFull ? tooMany(error) : error);
        },
      };
      hungUp?.addEventListener('abort', leave, { once: true });
      this.waiting.add(pending);
      this.begin();
    }) as Promise<T>;
  }

  /** Groups commands of one event-loop turn. */
  private begin(): void {
    if (this.isDue || this.running >= WRITES_AT_ONCE) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      while (this.running < WRITES_AT_ONCE && this.beginBatch());
    });
  }

  private beginBatch(): boolean {
    const isBusy = (id: string): boolean => this.busy.has(id) || this.held.has(id);
    const portion = { most: MOST_TOGETHER, mostBytes: MOST_BYTES_TOGETHER, mayBeHeavy: !this.isHeavyRunning };
    const batch = this.waiting.take(portion, isBusy);
    if (batch.length === 0) return false;
    const isHeavy = batch.some(({ size }) => size > MOST_BYTES_TOGETHER);
    this.running += 1;
    this.isHeavyRunning ||= isHeavy;
    for (const { eventId, begin } of batch) {
      this.busy.add(eventId);
      begin();
    }
    void this.run(batch).finally(() => {
      this.running -= 1;
      if (isHeavy) this.isHeavyRunning = false;
      for (const { eventId } of batch) this.busy.delete(eventId);
      this.begin();
    });
    return true;
  }

  private async run(batch: readonly Pending[]): Promise<void> {
    let left = batch;
    let numbers: readonly string[] | undefined;
    let settings = PATIENT;
    for (let most = batch.length; left.length > 1;) {
      try {
        const commands = left.map(({ command }) => command);
        numbers ??= await this.numbers.reserve(wanting(commands));
        const written = await this.write(commands.slice(0, most), PATIENT, numbers);
        for (const [at, outcome] of written.outcomes.entries()) {
          const pending = left[at];
          if (pending !== undefined) this.end(pending, outcome);
        }
        left = left.slice(written.outcomes.length);
        numbers = written.numbers;
        // More would hardly fit.
        most = 2 * written.outcomes.length;
      } catch (error) {
        if (!isOfStatement(error) && !(error instanceof HistoriesTooLong)) {
          for (const { settle } of left) settle({ kind: 'refused', error });
          return;
        }
        numbers = undefined;
        if (isSqlError(error, 'lockNotAvailable')) settings = BRIEF;
        break;
      }
    }
    for (const pending of left) this.end(pending, await this.alone(pending.command, settings, numbers));
  }

  private end(pending: Pending, outcome: Outcome): void {
    if (outcome.kind === 'held') void this.hold(pending, outcome.numbers);
    else pending.settle(outcome);
  }

  private get heldBytes(): number {
    return [...this.held.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private async hold(pending: Pending, numbers: readonly string[]): Promise<void> {
    if (this.held.size >= MOST_HELD || this.heldBytes + pending.size > MOST_BYTES_HELD) {
      pending.settle({ kind: 'refused', error: beingChanged() });
      return;
    }
    const untilMs = performance.now() + MOST_WAIT_MS;
    const isLate = (): boolean => performance.now() >= untilMs;
    const held: Outcome = { kind: 'held', numbers };
    let outcome: Outcome = held;
    this.held.set(pending.eventId, pending);
    while (outcome.kind === 'held' && !isLate()) {
      await sleep(HELD_PAUSE_MS);
      const attempt: Promise<Outcome> = this.attempts
        // The attempts before it may have waited for a server that is silent.
        .then(() => (isLate() ? held : this.alone(pending.command, BRIEF, numbers)))
        .catch((error: unknown) => ({ kind: 'refused', error }));
      this.attempts = attempt;
      outcome = await attempt;
    }
    this.held.delete(pending.eventId);
    pending.settle(outcome.kind === 'held' ? { kind: 'refused', error: beingChanged() } : outcome);
    this.begin();
  }

  /** Repeats one command after serialization failures. `given`: its numbers. */
  private async alone(
    command: Command<unknown>,
    settings: Sql,
    given: readonly string[] | undefined,
  ): Promise<Outcome> {
    const count = wanting([command]);
    let isNumberTaken = false;
    let numbers = given;
    for (let left = MOST_ATTEMPTS; ; left -= 1) {
      try {
        numbers ??= await (isNumberTaken ? this.numbers.reserveFree(count) : this.numbers.reserve(count));
        const { outcomes } = await this.write([command], settings, numbers);
        return outcomes[0] ?? lost();
      } catch (error) {
        numbers = undefined;
        isNumberTaken ||= uniqueViolation(error) === 'registrationNumber';
        if (!wasSecond(error, command)) return { kind: 'refused', error: refusalOf(error, command) };
        if (left === 0) return { kind: 'refused', error };
      }
    }
  }

  private async write(
    commands: readonly Command<unknown>[],
    settings: Sql,
    numbers: readonly string[],
  ): Promise<Pick<WrittenBatch, 'outcomes' | 'numbers'>> {
    const { known, written } = await this.database.transactionFrom(
      (transaction) => openBatch(transaction, commands),
      async (transaction, opened) => {
        // Read late: a connection to another server clears them.
        const { known, terms = await readTerms(transaction) } = this;
        this.terms = terms;
        const followers = { ...this.followers, known, terms };
        return { known, written: await writeBatch(transaction, opened, { commands, numbers }, followers) };
      },
      settings,
    );
    for (const [name, id] of written.pathIds) known.pathIds.set(name, id);
    for (const vocabulary of written.vocabularies) known.add(vocabulary);
    if (written.published !== undefined) this.followers.publisher?.announce(written.published);
    if (written.isOutgoing) this.followers.outgoing?.announce();
    if (written.isSettled) this.followers.outgoing?.announceSettled();
    return written;
  }
}

interface Pending extends Waiting {
  readonly command: Command<unknown>;
  /** Its turn has come; it can no longer be cancelled. */
  readonly begin: () => void;
  readonly settle: (outcome: Ended) => void;
}

export interface WriterLoad {
  /** Commands, and their bytes. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** Transactions. */
  readonly running: number;
}

const MOST_WAITING = 2_000;
const MOST_BYTES_WAITING = 64 * MIB;
const MOST_HELD = 2_000;
const MOST_BYTES_HELD = 64 * MIB;
const HELD_PAUSE_MS = 50;
const MOST_TOGETHER = 64;
/** Larger commands run alone, one at a time. */
const MOST_BYTES_TOGETHER = 2 * MIB;
const MOST_ATTEMPTS = 20;

/** How many need a registration number. */
const wanting = (commands: readonly Command<unknown>[]): number =>
  commands.filter(({ needs }) => needs === 'registrationNumber').length;

const lost = (): Ended => ({ kind: 'refused', error: new Error('nothing has become of a command') });
