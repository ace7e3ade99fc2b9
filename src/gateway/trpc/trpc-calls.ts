import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { requireUserType } from '../../auth/access/decorators.js';
import { AnswersInFlight } from '../../events/search/answers-in-flight.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/checks.js';
import { Capacities, type CapacityName } from '../../platform/queue/capacities.js';
import type { Answering } from '../../platform/queue/hang-up.js';
import { jsonInSlices, TimeSlice } from '../../platform/queue/time-slice.js';
import { isClientGone, toErrorAnswer } from '../errors/error-answer.js';
import { ErrorNotes } from '../errors/error.filter.js';
import { LONGEST_UNHELD } from '../http/request-hooks.js';
import { ClientRateLimit } from '../rate-limit/rate-limits.js';
import { envelopeOf, type Outcome, plainInput, statusOf, type Text } from './envelope.js';
import { EventProcedures } from './event-procedures.js';
import { IntegrationProcedures, ReadProcedures } from './other-procedures.js';
import { type Call, JsonText, type Procedure, type Procedures, requireAccess } from './procedure.js';

/** Concurrent, but begun one by one: each start reads its input synchronously. */
export async function beginInTurn<C, O>(calls: readonly C[], begin: (call: C) => Promise<O>): Promise<readonly O[]> {
  const slice = new TimeSlice();
  const begun: Promise<O>[] = [];
  for (const call of calls) {
    const outcome = begin(call);
    // The waiter of all gets the failure.
    outcome.catch(() => undefined);
    begun.push(outcome);
    if (slice.isOver) await slice.next();
  }
  return Promise.all(begun);
}

/** Per request. */
const MOST_CALLS = 20;

/** A procedure, and its input or the input's fault. */
interface ReadCall {
  readonly path: string;
  readonly input: () => unknown;
}

/** The calls, and whether the answer is a list. */
interface ReadCalls {
  readonly isBatch: boolean;
  readonly calls: readonly ReadCall[];
}

/**
 * As of tRPC 11: `names` from the address, `input` parsed. Throws 400 for too many calls, or an `input` that is no
 * object.
 */
export function readCalls(names: string, batch: unknown, input: unknown): ReadCalls {
  const isBatch = batch === '1' || batch === 'true';
  const paths = isBatch ? names.split(',') : [names];
  if (paths.length > MOST_CALLS) throw invalidInput(`batch: must be at most ${MOST_CALLS} calls`);
  if (!isBatch) return { isBatch, calls: [{ path: names, input: () => plainInput(input) }] };
  if (input !== undefined && !isObject(input)) {
    throw invalidInput('input: must be an object, with an input for each call');
  }
  const inputs = new Map(Object.entries(input ?? {}));
  const calls = paths.map((path, at) => ({ path, input: () => plainInput(inputs.get(String(at))) }));
  return { isBatch, calls };
}

interface Request {
  readonly names: string;
  readonly batch: unknown;
  readonly input: unknown;
  /** `query` for GET; POST may call both. */
  readonly kind: Procedure['kind'];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable;
}

/** Shared by the calls of a request. */
interface Together {
  readonly isAlone: boolean;
  /** The answer's. */
  readonly headers: Record<string, string>;
  /** Serializes one answer at a time, with turns for others. */
  readonly writing: TimeSlice;
}

type HttpCall = Call & { readonly sent: Answering['raw'] & { destroy(): unknown } };

/** With the routes' permissions (I-4); failures are independent. */
@Injectable()
export class TrpcCalls {
  readonly procedures: Procedures;

  constructor(
    reads: ReadProcedures,
    integrations: IntegrationProcedures,
    events: EventProcedures,
    private readonly inFlight: AnswersInFlight,
    private readonly rate: ClientRateLimit,
    private readonly notes: ErrorNotes,
    private readonly capacities: Capacities,
  ) {
    this.procedures = { ...reads.procedures(), ...integrations.procedures(), ...events.procedures() };
  }

  /** Throws only errors of the whole request. */
  async answer({ names, batch, input, kind }: Request, asker: HttpCall): Promise<Answer> {
    const { isBatch, calls } = readCalls(names, batch, input);
    // The guard has counted the first.
    for (let at = 1; at < calls.length; at += 1) await this.rate.take(asker.caller.subject);
    const headers: Record<string, string> = {};
    const writing = new TimeSlice();
    const together = { isAlone: calls.length === 1, headers, writing };
    const outcomes = await this.outcomesOf(calls, kind, asker, together);
    const onBroken = (error: unknown): void => {
      this.notes.note(error, toErrorAnswer(error).status, asker.caller.subject);
    };
    const body = await envelopeOf(outcomes, isBatch, { signal: asker.hungUp, onBroken });
    return { status: statusOf(outcomes), headers, body };
  }

  /** A batch shares one turn per capacity. */
  private async outcomesOf(
    calls: readonly ReadCall[],
    kind: Procedure['kind'],
    asker: HttpCall,
    together: Together,
  ): Promise<readonly Outcome[]> {
    const outcomes = new Map<ReadCall, Outcome>();
    const call = async (one: ReadCall): Promise<void> => {
      outcomes.set(one, await this.outcomeOf(one, kind, asker, together));
    };
    const inTurn = async (capacity: CapacityName, line: readonly ReadCall[]): Promise<void> => {
      const applicant = { client: asker.caller.subject, hungUp: asker.hungUp };
      try {
        await this.capacities.run(capacity, applicant, async () => {
          for (const one of line) await call(one);
        });
      } catch (error) {
        for (const one of line) outcomes.set(one, this.failed(one.path, error, asker, together));
      }
    };
    const lines = new Map<CapacityName | undefined, ReadCall[]>();
    for (const one of calls) {
      const capacity = this.find(one.path)?.capacity;
      lines.set(capacity, [...(lines.get(capacity) ?? []), one]);
    }
    await Promise.all(
      Array.from(lines, ([capacity, line]) =>
        capacity === undefined ? beginInTurn(line, call) : inTurn(capacity, line),
      ),
    );
    return calls.flatMap((one) => outcomes.get(one) ?? []);
  }

  private async outcomeOf(
    { path, input }: ReadCall,
    kind: Procedure['kind'],
    asker: HttpCall,
    together: Together,
  ): Promise<Outcome> {
    const { isAlone, writing } = together;
    try {
      const data = await this.procedureAt(path, kind, asker).run(input(), asker);
      if (writing.isOver) await writing.next();
      const json = data instanceof JsonText ? data.text : await jsonInSlices(data, writing);
      this.hold(json, asker, isAlone);
      return { kind: 'done', json };
    } catch (error) {
      return this.failed(path, error, asker, together);
    }
  }

  /** Throws the error itself if the client is gone. */
  private failed(path: string, error: unknown, { caller, hungUp }: HttpCall, together: Together): Outcome {
    if (hungUp.aborted || isClientGone(error, false)) throw error;
    const { status, headers, body } = toErrorAnswer(error);
    this.notes.note(error, status, caller.subject);
    Object.assign(together.headers, headers);
    return { kind: 'failed', path, issues: [], ...body };
  }

  private find(path: string): Procedure | undefined {
    return Object.hasOwn(this.procedures, path) ? this.procedures[path] : undefined;
  }

  private procedureAt(path: string, kind: Procedure['kind'], { caller }: Call): Procedure {
    const procedure = this.find(path);
    if (procedure === undefined) throw new ServiceError('NOT_FOUND', `No procedure found on path "${path}"`);
    if (procedure.kind === 'mutation' && kind === 'query') {
      throw new ServiceError('METHOD_NOT_ALLOWED', `Unsupported GET-request to mutation procedure at path "${path}"`);
    }
    const { access, only } = procedure;
    requireAccess(access, caller);
    if (only !== undefined) requireUserType(only, caller);
    return procedure;
  }

  /** Long texts wait as in routes; streamed ones cannot. */
  private hold(json: Text, { caller, sent }: HttpCall, isAlone: boolean): void {
    if (typeof json === 'string' || json instanceof Buffer) {
      if (json.length > LONGEST_UNHELD) this.inFlight.hold(caller.subject, json.length, sent);
    } else if (json instanceof Readable && !isAlone) {
      json.destroy();
      throw invalidInput('limit: must be lower in a batch: an answer this long is sent in parts');
    }
  }
}
