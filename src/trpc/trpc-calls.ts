import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { requireUserType } from '../access/allow-only.js';
import { mayDo } from '../access/caller.js';
import type { Answering } from '../access/hang-up.js';
import { jsonInSlices } from '../database/json-in-slices.js';
import { TimeSlice } from '../database/time-slice.js';
import { invalidInput } from '../errors/invalid-input.js';
import { ServiceError } from '../errors/service-error.js';
import { isClientGone } from '../gateway/errors/client-gone.js';
import { toErrorAnswer } from '../gateway/errors/error-answer.js';
import { ERROR_MESSAGES } from '../gateway/errors/error-messages.js';
import { ErrorNotes } from '../gateway/errors/error-notes.js';
import { LONGEST_UNHELD } from '../gateway/http/hold-answers.js';
import { isProcedureName } from '../gateway/procedure-names.js';
import { ClientRateLimit } from '../gateway/rate-limit/client-rate-limit.js';
import { AnswersInFlight } from '../search/admission/answers-in-flight.js';
import { beginInTurn } from './begin-in-turn.js';
import type { Outcome, Text } from './envelope.js';
import { envelopeOf, statusOf } from './envelope.js';
import { IntegrationProcedures } from './integration-procedures.js';
import { JsonText } from './json-text.js';
import { PlaceProcedures } from './place-procedures.js';
import type { Call, Procedure, Procedures } from './procedure.js';
import type { ReadCall } from './read-calls.js';
import { readCalls } from './read-calls.js';
import { RecordProcedures } from './record-procedures.js';
import { SearchProcedures } from './search-procedures.js';

/** A request with one call, or several. */
interface Request {
  readonly names: string;
  readonly batch: unknown;
  readonly input: unknown;
  /** `query` for GET; by POST a query may be called too, since its input can be long. */
  readonly kind: Procedure['kind'];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | Readable;
}

/** What the calls of a request share. */
interface Together {
  readonly isAlone: boolean;
  /** Of the answer. */
  readonly headers: Record<string, string>;
  /** One answer after the other becomes text, with turns for others in between. */
  readonly writing: TimeSlice;
}

/** A call, and the answer in which its outcome is sent. */
type HttpCall = Call & { readonly sent: Answering['raw'] & { destroy(): unknown } };

/** Calls procedures (I-4), each with the permission of its route; one that fails does not concern the others. */
@Injectable()
export class TrpcCalls {
  private readonly procedures: Procedures;

  constructor(
    searches: SearchProcedures,
    integrations: IntegrationProcedures,
    records: RecordProcedures,
    places: PlaceProcedures,
    private readonly inFlight: AnswersInFlight,
    private readonly rate: ClientRateLimit,
    private readonly notes: ErrorNotes,
  ) {
    this.procedures = {
      ...searches.procedures(),
      ...integrations.procedures(),
      ...records.procedures(),
      ...places.procedures(),
    };
  }

  /** Throws only what concerns the request as a whole. */
  async answer({ names, batch, input, kind }: Request, asker: HttpCall): Promise<Answer> {
    const { isBatch, calls } = readCalls(names, batch, input);
    // The guard has counted the first.
    for (let at = 1; at < calls.length; at += 1) await this.rate.take(asker.caller.subject);
    const headers: Record<string, string> = {};
    const writing = new TimeSlice();
    const outcomes = await beginInTurn(calls, (call) =>
      this.outcomeOf(call, kind, asker, { isAlone: calls.length === 1, headers, writing }),
    );
    return { status: statusOf(outcomes), headers, body: envelopeOf(outcomes, isBatch) };
  }

  private async outcomeOf(
    { path, input }: ReadCall,
    kind: Procedure['kind'],
    asker: HttpCall,
    { isAlone, headers, writing }: Together,
  ): Promise<Outcome> {
    try {
      const data = await this.procedureAt(path, kind, asker).run(input(), asker);
      if (writing.isOver) await writing.next();
      const json = data instanceof JsonText ? data.text : await jsonInSlices(data, writing);
      this.hold(json, asker, isAlone);
      return { kind: 'done', json };
    } catch (error) {
      if (asker.hungUp.aborted || isClientGone(error, false)) throw error;
      const { status, headers: more, body } = toErrorAnswer(error);
      this.notes.note(error, status, asker.caller.subject);
      Object.assign(headers, more);
      return { kind: 'failed', path, issues: [], ...body };
    }
  }

  private procedureAt(path: string, kind: Procedure['kind'], { caller }: Call): Procedure {
    const procedure = isProcedureName(path) ? this.procedures[path] : undefined;
    if (procedure === undefined) throw new ServiceError('NOT_FOUND', `No procedure found on path "${path}"`);
    if (procedure.kind === 'mutation' && kind === 'query') {
      throw new ServiceError('METHOD_NOT_ALLOWED', `Unsupported GET-request to mutation procedure at path "${path}"`);
    }
    const { access, only } = procedure;
    if (access !== 'authenticated' && access !== 'public' && access?.some((each) => mayDo(caller, each)) !== true) {
      const message = `authorization: the access token lacks the permission ${access?.join(' or ') ?? 'for it'}`;
      throw new ServiceError('FORBIDDEN', ERROR_MESSAGES.FORBIDDEN, { issues: [{ message }] });
    }
    if (only !== undefined) requireUserType(only, caller);
    return procedure;
  }

  /** A long text is held for the caller as that of the routes is; what is sent in parts cannot wait for others. */
  private hold(json: Text, { caller, sent }: HttpCall, isAlone: boolean): void {
    if (!(json instanceof Readable)) {
      if (json.length > LONGEST_UNHELD) this.inFlight.hold(caller.subject, json.length, sent);
    } else if (!isAlone) {
      json.destroy();
      throw invalidInput('limit: must be lower in a batch: an answer this long is sent in parts');
    }
  }
}
