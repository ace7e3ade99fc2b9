import { type Sql, sql } from '../../kernel/sql/sql.js';

/** An attempt, as the log of an outbox lists it. */
export interface AttemptView {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** How many attempts of a row are shown, the latest. */
export const MOST_SHOWN = 20;

/** An expression for a JSON list of attempts, oldest first; `from`: their table as `a`, and which of its rows. */
export const attemptsOf = (from: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_object(
           'at', a.at, 'durationMs', a.duration_ms, 'status', a.status, 'error', a.error,
           'response', a.response) order by a.at), '[]') from ${from})`;

/** Attempts as `attemptsOf` reads them, with instants in UTC. */
export const attemptViews = (attempts: readonly AttemptView[]): readonly AttemptView[] =>
  attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() }));
