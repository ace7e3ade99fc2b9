import type { Clause, Query } from '../../../kernel/domain/search-request.js';
import type { Input } from '../../../kernel/input/input.js';
import { unknownKey } from '../../../kernel/input/unknown-key.js';
import { MAX_CLAUSES, MAX_DATA_KEYS, MAX_QUERY_LEVELS } from './bounds.js';
import { isExpressionKey, parseExpression } from './parse-expression.js';

const QUERY_KEYS = ['type', 'clauses'];

/** The whole search tree, within S-4. */
export function parseQuery(input: Input): Query | null {
  const query = parseLevel(input, 1);
  const { notes } = input;
  if (notes.clauses > MAX_CLAUSES) {
    input.refuse(`must hold at most ${MAX_CLAUSES} clauses in all, those of nested queries included`);
  }
  if (notes.dataKeys > MAX_DATA_KEYS) input.refuse(`must name at most ${MAX_DATA_KEYS} fields in \`data\` in all`);
  return query;
}

function parseLevel(input: Input, level: number): Query | null {
  if (level > MAX_QUERY_LEVELS) {
    return input.refuse(`queries must be at most ${MAX_QUERY_LEVELS} levels deep, \`query\` being the first`);
  }
  if (!input.isObject) return input.refuse('must be an object with `clauses`');
  input.refuseKeysBut(QUERY_KEYS, (key) =>
    isExpressionKey(key) ? 'is a condition; it belongs in an item of `clauses`' : unknownKey(key, QUERY_KEYS),
  );
  const type = input.member('type');
  const kind = type.isAbsent ? 'and' : type.oneOf(['and', 'or']);
  const clauses = parseClauses(input.member('clauses'), level);
  return kind === null || clauses === null ? null : { kind, clauses };
}

/** Clauses past the limit are counted, not parsed. */
function parseClauses(input: Input, level: number): readonly Clause[] | null {
  if (input.length === null || input.length === 0) return input.refuse('must be a list of at least one clause');
  const room = Math.max(0, MAX_CLAUSES - input.notes.clauses);
  input.notes.clauses += input.length;
  return input
    .items(room)
    .map((item) => parseClause(item, level))
    .filter((clause) => clause !== null);
}

/** Nested if it has `clauses`, else an expression (S-3). */
function parseClause(input: Input, level: number): Clause | null {
  if (!input.isObject) return input.refuse('must be an object: conditions, or a nested query with `clauses`');
  return input.has('clauses') ? parseLevel(input, level + 1) : parseExpression(input);
}
