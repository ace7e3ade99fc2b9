import type { Answer } from '../service/service.js';

export interface Page {
  readonly ms: number;
  readonly total: number;
  /** How many results are on it. */
  readonly length: number;
}

/** Reads an answer of the search. Throws when it is no page. */
export function pageOf({ status, body, ms }: Answer): Page {
  if (status !== 200) throw new Error(`the search answered ${status}: ${body.slice(0, 500)}`);
  const { total, results } = JSON.parse(body) as { readonly total: number; readonly results: readonly unknown[] };
  return { ms, total, length: results.length };
}
