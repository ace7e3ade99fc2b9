import type { StatementText } from '../../../kernel/sql/binary-params.js';

/** What a thread is told. */
export type ToThread<Task> =
  | { readonly kind: 'do'; readonly id: number; readonly task: Task }
  | { readonly kind: 'written'; readonly id: number }
  | { readonly kind: 'discarded'; readonly id: number }
  | { readonly kind: 'rows'; readonly query: number; readonly rows: readonly unknown[] }
  | { readonly kind: 'refused'; readonly query: number; readonly error: unknown };

/** What a thread tells. A task failed because of a `query`, whose error loses its code on the way, or another error. */
export type FromThread<Result> =
  | { readonly kind: 'done'; readonly id: number; readonly result: Result }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown; readonly query: number | undefined }
  | { readonly kind: 'query'; readonly query: number; readonly statement: StatementText };
