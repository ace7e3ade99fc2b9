import { Inject, Injectable, Logger } from '@nestjs/common';

import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.js';
import type { Queryable } from '../../database/queryable.js';
import type { Query } from '../../domain/search-request.js';
import type { Uuid } from '../../domain/uuid.js';
import { ServiceError } from '../../errors/service-error.js';
import { HierarchyCache } from '../../locations/hierarchy-cache.js';
import { all, Sql, sql } from '../../sql/sql.js';
import type { Restriction } from '../../webhooks/subscriptions/record-filter.js';
import { RecordFilter } from '../../webhooks/subscriptions/record-filter.js';
import type { Predicate } from '../search/compile/predicate.js';
import { storedRecord } from '../records/stored-events.js';
import { predicateOfQuery } from '../search/compile/query.js';
import { predicateOfReach } from '../search/compile/reach.js';
import { compileFilter } from '../search/compile/render.js';
import type { SearchContext } from '../search/compile/search-context.js';
import { vocabularyOf } from '../search/terms-of-record.js';
import { factsOf } from '../search/facts.js';
import type { Known } from '../search/fuzzy/dictionary-follower.js';
import { FuzzyDictionary } from '../search/fuzzy/fuzzy-dictionary.js';
import { NO_WORDS } from '../search/fuzzy/no-words.js';
import { hasData } from '../search/has-data.js';
import { parseSearchRequest } from '../search/request/parse-search-request.js';
import { KnownShapes, NO_SHAPES } from '../search/vocabulary/shapes.js';

/** A restriction whose query was read; it has none when every record is meant. */
interface ReadRestriction {
  readonly at: number;
  readonly restriction: Restriction;
  readonly query: Query | undefined;
}

/** Filters the events that subscribers are sent with the parser and the compiler of search. */
@Injectable()
export class SearchRecordFilter extends RecordFilter {
  private readonly log = new Logger(SearchRecordFilter.name);

  constructor(
    private readonly hierarchy: HierarchyCache,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE'>,
  ) {
    super();
  }

  check(query: unknown): void {
    read(query, this.config);
  }

  async matching(
    transaction: Queryable,
    recordIds: readonly Uuid[],
    restrictions: readonly Restriction[],
    now: Date,
  ): Promise<readonly ReadonlySet<Uuid>[]> {
    const found = restrictions.map(() => new Set<Uuid>());
    const readable = restrictions.flatMap((restriction, at) => this.readable(restriction, at));
    if (readable.length === 0) return found;
    const known = readable.some(({ query }) => query !== undefined && hasData(query))
      ? await knownOf(transaction, recordIds)
      : { dictionary: NO_WORDS, shapes: NO_SHAPES };
    await this.hierarchy.current();
    const context = {
      now,
      timezone: this.config.TIMEZONE,
      below: (id: string) => this.hierarchy.below(id),
      ...known,
    };
    const among = sql`s.id = any (${recordIds}::uuid[])`;
    const statements = readable.map((one) => {
      const conditions = [among, ...conditionsOf(one, { ...context, callerSubject: one.restriction.subject })];
      return sql`select ${one.at}::int as at, s.id from event_search s where ${all(conditions)}`;
    });
    const rows = await transaction.query<{ readonly at: number; readonly id: Uuid }>(
      Sql.join(statements, ' union all '),
    );
    for (const { at, id } of rows) found[at]?.add(id);
    return found;
  }

  private readable(restriction: Restriction, at: number): ReadRestriction[] {
    if (restriction.query === null) return [{ at, restriction, query: undefined }];
    try {
      return [{ at, restriction, query: read(restriction.query, this.config) }];
    } catch (error) {
      this.log.error(
        `client ${restriction.subject} has a webhook whose query is not understood; it is sent nothing`,
        error,
      );
      return [];
    }
  }
}

/** To be tried on the few records that were written: none is looked for by an index. */
const conditionsOf = ({ query, restriction: { reach, subject } }: ReadRestriction, context: SearchContext): Sql[] => {
  const asked: Predicate[] = [
    ...(query === undefined ? [] : [predicateOfQuery(query, context)]),
    ...(reach === 'everything' ? [] : [predicateOfReach(reach, subject)]),
  ];
  return asked.map(compileFilter);
};

/** Throws 400 as a search would, with paths below `hub.query`. */
function read(query: unknown, { TIMEZONE: timezone }: Pick<Config, 'TIMEZONE'>): Query {
  try {
    return parseSearchRequest({ query }, { maxLimit: 0, timezone }).query;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const issues = error.issues.map(({ message }) => ({ message: `hub.${message}` }));
    throw new ServiceError(error.code, error.message, { issues, cause: error });
  }
}

/** What the records alone have: what this transaction writes is known to no other search yet. */
async function knownOf(transaction: Queryable, recordIds: readonly Uuid[]): Promise<Known> {
  const rows = await transaction.query<{ readonly body: string }>(sql`
    select d.body from event_document d join event_search s using (seq) where s.id = any (${recordIds}::uuid[])`);
  const dictionary = new FuzzyDictionary();
  const shapes = new KnownShapes();
  rows
    .flatMap(({ body }) => vocabularyOf(factsOf(storedRecord(body).declaration)).paths)
    .forEach(({ words, numerous, aspects, ...path }, id) => {
      dictionary.addPath(id, path);
      for (const word of [...words, ...numerous]) dictionary.add(id, word);
      for (const aspect of aspects) shapes.add(path, aspect);
    });
  return { dictionary, shapes };
}
