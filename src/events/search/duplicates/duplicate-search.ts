import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../kernel/domain/calendar.js';
import type { Declaration } from '../../../kernel/domain/declaration.js';
import { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import type { DuplicateRule } from '../../../kernel/domain/event-configuration/event-type.js';
import type { EventRecord, PotentialDuplicate } from '../../../kernel/domain/event-record.js';
import { EVENT_STATUSES } from '../../../kernel/domain/event-status.js';
import { SEALED } from '../../../kernel/domain/life-cycle/custom-actions.js';
import type { Query, SearchRequest } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { type Steps, stepwise } from '../../../platform/queue/time-slice.js';
import { SearchAdmission, type Waiter } from '../admission/search-admission.js';
import { widthOf } from '../admission/search-weight.js';
import type { TestContext } from '../evaluate/candidate.js';
import { nearEitherWay } from '../evaluate/near-word.js';
import { testOfValue } from '../evaluate/test-of-value.js';
import { searchInTurn } from '../search-in-turn.js';
import { SearchPlanner } from '../search-planner.js';
import { SearchRepository } from '../search.repository.js';
import { candidatesClause, type WordsNear } from './candidates-clause.js';
import { comparedDate, comparedText, factsToCompare, wordsOfName } from './compared-value.js';

const CONTEXT: TestContext = { timezone: 'UTC', isWithin: () => false };

/**
 * E-9. A clause is void if the field of `mine` has no comparable value: an AND is then void, and an OR ignores it. A
 * void rule matches nothing.
 */
export const isDuplicate = (rule: DuplicateRule, mine: Declaration, other: Declaration): boolean =>
  evaluate(rule, mine, other) === true;

/** Undefined: void. */
function evaluate(rule: DuplicateRule, mine: Declaration, other: Declaration): boolean | undefined {
  switch (rule.type) {
    case 'and': {
      const parts = rule.clauses.map((clause) => evaluate(clause, mine, other));
      return parts.includes(undefined) ? undefined : parts.every((part) => part === true);
    }
    case 'or': {
      const parts = rule.clauses.map((clause) => evaluate(clause, mine, other)).filter((part) => part !== undefined);
      return parts.length === 0 ? undefined : parts.includes(true);
    }
    case 'not': {
      const part = evaluate(rule.clause, mine, other);
      return part === undefined ? undefined : !part;
    }
    case 'fuzzy':
      return isNear(comparedText(mine, rule.field), other, rule.with ?? rule.field);
    case 'strict':
      return isSame(mine, rule.field, other, rule.with ?? rule.field);
    case 'dateRange':
      return isWithinDays(comparedDate(mine, rule.field), comparedDate(other, rule.with ?? rule.field), rule.days);
    default:
      return absurd(rule);
  }
}

function isNear(text: string | undefined, other: Declaration, field: string): boolean | undefined {
  if (text === undefined) return undefined;
  const areNear = nearEitherWay(text);
  return factsToCompare(other, field).some(areNear);
}

/** Names by the same words; other values as by an exact condition (S-10). */
function isSame(mine: Declaration, field: string, other: Declaration, otherField: string): boolean | undefined {
  const term = comparedText(mine, field);
  if (term === undefined) return undefined;
  const facts = factsToCompare(other, otherField);
  const words = wordsOfName(mine, field);
  if (words !== undefined) return facts.some(({ w }) => w !== undefined && haveSameWords(words, w));
  const isExact = testOfValue({ type: 'exact', term }, CONTEXT);
  return facts.some((fact) => fact.w === undefined && isExact(fact));
}

const haveSameWords = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((word) => others.includes(word)) && others.every((word) => some.includes(word));

function isWithinDays(mine: string | undefined, other: string | undefined, days: number): boolean | undefined {
  if (mine === undefined) return undefined;
  return other !== undefined && Math.abs(Date.parse(mine) - Date.parse(other)) <= days * DAY_MS;
}

/** Records, E.6. */
const MOST_LISTED = 10;
/** The earliest first. */
const MOST_COMPARED = 100;

/** Applies the duplicate rules of an event type (E-9). */
@Injectable()
export class DuplicateSearch {
  constructor(
    private readonly configuration: EventConfiguration,
    private readonly planner: SearchPlanner,
    private readonly repository: SearchRepository,
    private readonly admission: SearchAdmission,
  ) {}

  /**
   * At most ten, without the record itself, sealed and archived ones. Throws 503 SERVICE_UNAVAILABLE as a search does.
   */
  async duplicatesOf(record: EventRecord, waiter: Waiter): Promise<readonly PotentialDuplicate[]> {
    const rule = this.configuration.typeOf(record.type).duplicates;
    const request = rule && candidatesRequest(rule, record);
    if (rule === undefined || request === undefined) return [];
    const bodies = await this.candidates(request, waiter);
    const narrower = candidatesRequest(rule, record, 'each');
    // Records with one common name would displace those with the whole name.
    const isCut = bodies.length === MOST_COMPARED && !isDeepStrictEqual(narrower, request);
    const nearest = isCut && narrower !== undefined ? await this.candidates(narrower, waiter) : [];
    return stepwise(duplicatesAmong(parsed([...nearest, ...bodies]), rule, record));
  }

  private async candidates(request: SearchRequest, waiter: Waiter): Promise<readonly string[]> {
    const view = { now: new Date(), sees: 'everything' } as const;
    const { bodies } = await this.admission.run(waiter, async (admitted) => {
      const plan = await this.planner.plan(request, view, admitted.signal);
      return searchInTurn(this.repository, { query: request.query, plan, width: widthOf(request.query) }, admitted);
    });
    return bodies;
  }
}

/** A hundred of the largest records have tens of megabytes. */
function* parsed(bodies: readonly string[]): Generator<EventRecord, void> {
  for (const body of bodies) yield JSON.parse(body) as EventRecord;
}

/** Undefined where the rule cannot find any. */
export function candidatesRequest(
  rule: DuplicateRule,
  record: EventRecord,
  near: WordsNear = 'any',
): SearchRequest | undefined {
  const clause = candidatesClause(rule, record.declaration, near);
  if (clause === 'void' || clause === 'any') return undefined;
  const ofType: Query['clauses'][number] = {
    kind: 'expression',
    conditions: [
      { on: 'text', field: 'eventType', terms: [record.type] },
      // Archived records would displace other candidates.
      { on: 'text', field: 'status', terms: EVENT_STATUSES.filter((status) => status !== 'ARCHIVED') },
      { on: 'flags', noneOf: [SEALED], allOf: [] },
    ],
  };
  return {
    query: { kind: 'and', clauses: [ofType, clause] },
    limit: MOST_COMPARED,
    offset: 0,
    sort: [{ field: { on: 'record', name: 'createdAt' }, direction: 'asc' }],
  };
}

/** Each step compares one candidate. */
export function* duplicatesAmong(
  candidates: Iterable<EventRecord>,
  rule: DuplicateRule,
  record: EventRecord,
): Steps<readonly PotentialDuplicate[]> {
  const listed: PotentialDuplicate[] = [];
  for (const other of candidates) {
    const isListed = listed.some(({ id }) => id === other.id);
    if (!isListed && mayBeListed(other, record) && isDuplicate(rule, record.declaration, other.declaration)) {
      listed.push({ id: other.id, trackingId: other.trackingId });
      if (listed.length === MOST_LISTED) break;
    }
    yield;
  }
  return listed;
}

const mayBeListed = (other: EventRecord, { id, type }: EventRecord): boolean =>
  other.id !== id && other.type === type && other.status !== 'ARCHIVED' && !other.flags.includes(SEALED);
