import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { AuditLog, type NoteFound } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { ExportDatabase } from '../../platform/database/pools/pools.js';
import { DocumentFrequencies } from '../index/statistics/document-frequencies.js';
import type { SearchRequest, SortKey, SortValues } from '../../kernel/domain/search-request.js';
import { idOfBody } from '../records/record-row.js';
import { SearchAdmission, type Waiter } from './search-admission.js';
import { type Exporting, exportRecords, streamPage } from './answer/stream-page.js';
import { runSearch } from './answer/run-search.js';
import { heldWhole, isTooLarge, searchAnswer, writeSearchAnswer } from './answer/search-answer.js';
import type { SearchPlan } from './plan/plan.js';
import { requireAffordable } from './plan/cost.js';
import { Cursors, type Walk } from './request/cursors.js';
import { type Guard, refuseSecured } from './request/refuse-secured.js';
import { dateReadingOf, parseExportRequest, parseSearchRequest } from './request/parse-search-request.js';
import { type InSnapshot, planIn, SearchPlanner } from './search-planner.js';
import { SearchRepository } from './search.repository.js';
import { compileExport, type Exported } from './statement/page.js';

/** Larger pages, and pages with very large records (`isTooLarge`), are streamed. */
const LARGE_PAGE = 500;

export interface Searcher extends Asker {
  readonly now: Date;
}

export interface SearchAnswer {
  /** As text or in UTF-8; a stream if it is long. */
  readonly json: string | Buffer | Readable;
  /** Undefined on the last page (S-15). */
  readonly cursor: string | undefined;
}

interface Guarded {
  readonly guard: Guard | undefined;
  /** See `weightOf`. */
  readonly width: number;
}

/** Before a turn. */
type Planning = (signal: AbortSignal) => Promise<InSnapshot<SearchPlan>>;

/** Stages: request, cost, predicate, plan, statement, answer. */
@Injectable()
export class SearchService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly planner: SearchPlanner,
    private readonly repository: SearchRepository,
    private readonly database: Database,
    private readonly streams: ExportDatabase,
    private readonly frequencies: DocumentFrequencies,
    private readonly cursors: Cursors,
    private readonly admission: SearchAdmission,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Over what the caller may see. Throws 400 BAD_REQUEST with one issue per fault, and 503 SERVICE_UNAVAILABLE
   * on timeout. Throws 403 FORBIDDEN for secured fields if the caller may read no record (E-10).
   */
  async search(body: unknown, { caller, now, hungUp }: Searcher, urlCursor?: unknown): Promise<SearchAnswer> {
    const walkIn = (sort: readonly SortKey[]): Walk => ({ query: queryOf(body), sort, caller: caller.subject });
    const request = parseSearchRequest(body, {
      maxLimit: this.config.SEARCH_MAX_LIMIT,
      ...dateReadingOf(this.config),
      readCursor: (cursor, sort) => this.cursors.read(cursor, walkIn(sort)),
      urlCursor,
    });
    const { guard, width } = await this.guarded(request, caller);
    const noteFound = this.audit.search(caller, inputOf(body, urlCursor));
    const view = { now, sees: caller, guard };
    const plan: Planning = (signal) => this.planner.plan(request, view, signal);
    const cursorOf = (next: SortValues | undefined): string | undefined =>
      next === undefined ? undefined : this.cursors.write(walkIn(request.sort), next);

    const waiter = { client: caller.subject, hungUp };
    const inParts = (): Promise<SearchAnswer> => this.answerInParts(plan, waiter, cursorOf, noteFound);
    if (request.limit > LARGE_PAGE) return inParts();
    const result = await this.admission.run(waiter, async (admitted) => {
      const planIn = await plan(admitted.signal);
      const held: InSnapshot<SearchPlan> = async (snapshot) => heldWhole(await planIn(snapshot));
      return this.repository.runInTurn({ query: request.query, plan: held, width }, admitted);
    });
    if (isTooLarge(result)) return inParts();
    noteFound?.(result.total, result.bodies.map(idOfBody));
    return { json: searchAnswer(result), cursor: cursorOf(result.next) };
  }

  /** Every match that the caller may see, as NDJSON (S-15). Throws as `search` does. */
  async stream(body: unknown, { caller, now, hungUp }: Searcher, urlCursor: unknown): Promise<Readable> {
    const request = parseExportRequest(body, { ...dateReadingOf(this.config), urlCursor });
    const { guard } = await this.guarded(request, caller);
    const noteFound = this.audit.search(caller, body);
    return this.admission.export({ client: caller.subject, hungUp }, async ({ signal, inTurn }, write) => {
      await inTurn('export', async () => {
        const view = { now, sees: caller, guard };
        const settingIn = await this.planner.setting(request.query, view, signal);
        const compile = async (snapshot: Queryable): Promise<Exporting> => {
          const setting = await settingIn(snapshot);
          // Audited before the first record is sent: the end of the stream is not known yet (S-16).
          const begun = async (ids: readonly string[]): Promise<void> => {
            const counted = planIn({ ...request, sort: [], limit: 0, offset: 0 }, setting);
            noteFound?.((await runSearch(snapshot, counted)).total, ids);
          };
          return { ...compileExport(request, setting), begun: noteFound && begun };
        };
        await exportRecords(this.streams, compile, (bodies) => write(linesOf(bodies)), signal);
      });
    });
  }

  /**
   * Every match as NDJSON, up to two hundred at a time; returns their number. For the command line: neither access nor
   * time is restricted. Throws 400 as `search` does.
   */
  async export(body: unknown, now: Date, take: (lines: string) => Promise<void>): Promise<number> {
    const request: Exported = body === undefined ? { sort: [] } : parseExportRequest(body, dateReadingOf(this.config));
    await this.frequencies.refresh();
    const settingIn = await this.planner.setting(request.query, { now, sees: 'everything' });
    const compile = async (snapshot: Queryable): Promise<Exporting> =>
      compileExport(request, await settingIn(snapshot));
    let count = 0;
    await exportRecords(this.database, compile, async (bodies) => {
      count += bodies.length;
      await take(linesOf(bodies));
    });
    return count;
  }

  /** Checks access and cost first. */
  private async guarded(request: Pick<SearchRequest, 'query' | 'sort'>, caller: Caller): Promise<Guarded> {
    const guard = await this.planner.guard(caller);
    if (guard !== undefined) refuseSecured(request, guard);
    const { SEARCH_MAX_COST: most } = this.config;
    return { guard, width: requireAffordable(request.query, { most, name: 'SEARCH_MAX_COST' }, 'query', guard) };
  }

  private async answerInParts(
    plan: Planning,
    waiter: Waiter,
    cursorOf: (next: SortValues | undefined) => string | undefined,
    noteFound: NoteFound | undefined,
  ): Promise<SearchAnswer> {
    let cursor: string | undefined;
    const json = await this.admission.page(waiter, async ({ signal, inTurn }, write) => {
      const planIn = await plan(signal);
      await inTurn('heavy', async () =>
        streamPage(
          this.database,
          planIn,
          async ({ total, next, ids }, bodies) => {
            noteFound?.(total, ids);
            cursor = cursorOf(next);
            await writeSearchAnswer(total, bodies, write);
          },
          signal,
        ),
      );
    });
    return { json, cursor };
  }
}

const queryOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'query' in body ? body.query : undefined;

const inputOf = (body: unknown, urlCursor: unknown): unknown =>
  urlCursor === undefined || typeof body !== 'object' ? body : { ...body, cursor: urlCursor };

const linesOf = (bodies: readonly string[]): string => bodies.map((body) => `${body}\n`).join('');
