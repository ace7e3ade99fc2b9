import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { type CalendarDate, DAY_MS, parseCalendarDate } from '../../kernel/domain/calendar.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { DuplicateRule } from '../../kernel/domain/event-configuration/event-type.js';
import {
  type Declaration,
  type DeclarationValue,
  EVENT_STATUSES,
  type EventRecord,
  ownValue,
  type PotentialDuplicate,
} from '../../kernel/domain/event-record.js';
import { SEALED } from '../../kernel/domain/life-cycle/available-actions.js';
import type { RecordOptions } from '../../kernel/domain/scopes/caller.js';
import type { Clause, Query, SearchRequest, ValueCondition } from '../../kernel/domain/search-request.js';
import { cleanText } from '../../kernel/domain/text.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { absurd } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { SearchDatabase } from '../../platform/database/pools/search-database.js';
import { type Fact, factsOf } from '../index/values/facts.js';
import { cutsOf, runsIn } from '../index/values/fold.js';
import { nearEitherWay, type TestContext, testOfValue } from './evaluate/test-of-value.js';
import { compileRecheck } from './predicate/predicate.js';
import { predicateOfRowFilter } from './predicate/row-filter.js';
import { SearchAdmission, type Waiter, widthOf } from './search-admission.js';
import { SearchRepository } from './search.repository.js';
import { SearchPlanner } from './search-planner.js';

/** Filters records that an answer names (E-10). */
@Injectable()
export class KnownRecords {
  constructor(@Inject(SearchDatabase) private readonly database: Pick<SearchDatabase, 'query'>) {}

  async among(ids: readonly Uuid[], admitting: readonly RecordOptions[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.query<{ readonly id: string }>(sql`
      select s.id from event_search s
       where s.id = any (${ids}::uuid[]) and ${compileRecheck(predicateOfRowFilter(admitting))}`);
    return new Set(rows.map(({ id }) => id));
  }
}

/** Longer texts are not compared: rules are about names, dates and numbers of documents. */
const MOST_CODE_POINTS = 256;
/** Limits the other record's value, as JSON. */
const MOST_JSON = 10_000;
/** Clean; of a name, its words; undefined for what rules cannot compare. */
function comparedText(declaration: Declaration, field: string): string | undefined {
  const value = ownValue(declaration, field);
  const text = typeof value === 'object' ? nameOf(value) : value === undefined ? '' : cleanText(String(value));
  return text === '' || text === undefined || Array.from(text).length > MOST_CODE_POINTS ? undefined : text;
}

/** Undefined unless it is a name. */
const wordsOfName = (declaration: Declaration, field: string): readonly string[] | undefined =>
  factsToCompare(declaration, field).find(({ w }) => w !== undefined)?.w;

function comparedDate(declaration: Declaration, field: string): CalendarDate | undefined {
  const value = ownValue(declaration, field);
  return typeof value === 'string' ? parseCalendarDate(cleanText(value)) : undefined;
}

/** Empty if the value is too long. */
function factsToCompare(declaration: Declaration, field: string): readonly Fact[] {
  const value = ownValue(declaration, field);
  if (value === undefined || JSON.stringify(value).length > MOST_JSON) return [];
  return factsOf({ value })['value'] ?? [];
}

const nameOf = (value: DeclarationValue): string | undefined => {
  if (Array.isArray(value)) return undefined;
  if (JSON.stringify(value).length > MOST_JSON) return undefined;
  return factsOf({ value })
    ['value']?.find(({ w }) => w !== undefined)
    ?.w?.join(' ');
};

/** Near each word of a name, or near one: only the latter finds all matches (E-9). */
export type WordsNear = 'each' | 'any';

/** Every duplicate meets it; `void` where the rule is void (`isDuplicate`), `any` where nothing narrows the search. */
export function candidatesClause(
  rule: DuplicateRule,
  mine: Declaration,
  near: WordsNear = 'any',
): Clause | 'void' | 'any' {
  switch (rule.type) {
    case 'and': {
      const parts = rule.clauses.map((clause) => candidatesClause(clause, mine, near));
      if (parts.includes('void')) return 'void';
      const clauses = parts.filter(isClause);
      return clauses.length === 0 ? 'any' : { kind: 'and', clauses };
    }
    case 'or': {
      const parts = rule.clauses
        .map((clause) => candidatesClause(clause, mine, near))
        .filter((part) => part !== 'void');
      if (parts.length === 0) return 'void';
      return parts.includes('any') ? 'any' : { kind: 'or', clauses: parts.filter(isClause) };
    }
    case 'not':
      return candidatesClause(rule.clause, mine, near) === 'void' ? 'void' : 'any';
    case 'fuzzy': {
      const term = comparedText(mine, rule.field);
      return term === undefined ? 'void' : nearClause(rule.with ?? rule.field, term, near);
    }
    case 'strict': {
      const term = comparedText(mine, rule.field);
      return term === undefined ? 'void' : onField(rule.with ?? rule.field, { type: 'exact', term });
    }
    case 'dateRange': {
      const date = comparedDate(mine, rule.field);
      if (date === undefined) return 'void';
      const [gte, lte] = [dayFrom(date, -rule.days), dayFrom(date, rule.days)];
      return onField(rule.with ?? rule.field, { type: 'range', gte, lte });
    }
    default:
      return absurd(rule);
  }
}

const isClause = (part: Clause | 'void' | 'any'): part is Clause => typeof part === 'object';

function nearClause(key: string, term: string, near: WordsNear): Clause {
  const runs = runsIn(cutsOf(term));
  if (near === 'each' || runs.length < 2) return onField(key, { type: 'fuzzy', term });
  return { kind: 'or', clauses: runs.map((run) => onField(key, { type: 'fuzzy', term: run })) };
}

const onField = (key: string, input: ValueCondition): Clause => ({
  kind: 'expression',
  conditions: [{ on: 'data', members: [{ key, input }] }],
});

/** Clamped to the years that dates can have. */
function dayFrom(date: string, days: number): string {
  const day = new Date(Date.parse(date) + days * DAY_MS);
  if (Number.isNaN(day.getTime())) return days < 0 ? '0001-01-01' : '9999-12-31';
  if (day.getUTCFullYear() < 1) return '0001-01-01';
  return day.getUTCFullYear() > 9999 ? '9999-12-31' : day.toISOString().slice(0, 10);
}

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
    return duplicatesAmong([...nearest, ...bodies], rule, record);
  }

  private async candidates(request: SearchRequest, waiter: Waiter): Promise<readonly string[]> {
    const view = { now: new Date(), sees: 'everything' } as const;
    const { bodies } = await this.admission.run(waiter, async (admitted) => {
      const plan = await this.planner.plan(request, view, admitted.signal);
      return this.repository.runInTurn({ query: request.query, plan, width: widthOf(request.query) }, admitted);
    });
    return bodies;
  }
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

/** Lets others have their turn after each record: a hundred of the largest have tens of megabytes. */
export async function duplicatesAmong(
  bodies: readonly string[],
  rule: DuplicateRule,
  record: EventRecord,
): Promise<readonly PotentialDuplicate[]> {
  const listed: PotentialDuplicate[] = [];
  for (const body of bodies) {
    const other = JSON.parse(body) as EventRecord;
    const isListed = listed.some(({ id }) => id === other.id);
    if (!isListed && mayBeListed(other, record) && isDuplicate(rule, record.declaration, other.declaration)) {
      listed.push({ id: other.id, trackingId: other.trackingId });
      if (listed.length === MOST_LISTED) break;
    }
    await setImmediate();
  }
  return listed;
}

const mayBeListed = (other: EventRecord, { id, type }: EventRecord): boolean =>
  other.id !== id && other.type === type && other.status !== 'ARCHIVED' && !other.flags.includes(SEALED);
