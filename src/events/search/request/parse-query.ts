import type {
  Clause,
  Condition,
  DataInput,
  Expression,
  LocationField,
  Query,
} from '../../../kernel/domain/search-request.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import { placeIdIn } from '../../../kernel/domain/text.js';
import { quoted } from '../../../kernel/errors/faults.js';
import { given, type Input, unknownKey } from '../../../kernel/input/input.js';
import { conditionType, dataCondition, instantCondition, textCondition } from './parse-condition.js';
import { MAX_CLAUSES, MAX_DATA_KEYS, MAX_QUERY_LEVELS, MAX_TERMS } from './schemas.js';

export type ExpressionKey = keyof typeof SEARCHED_FIELDS | 'flags' | 'data';

/** In the interface's order (QueryExpression). */
const OF_THE_INTERFACE = [
  'id',
  'eventType',
  'status',
  'createdAt',
  'updatedAt',
  'legalStatuses.DECLARED.createdAtLocation',
  'legalStatuses.DECLARED.createdByRole',
  'legalStatuses.REGISTERED.acceptedAt',
  'legalStatuses.REGISTERED.createdAtLocation',
  'legalStatuses.REGISTERED.createdByRole',
  'legalStatuses.REGISTERED.registrationNumber',
  'createdAtLocation',
  'updatedAtLocation',
  'assignedTo',
  'updatedByUserRole',
  'createdBy',
  'updatedBy',
  'trackingId',
  'createdByUserType',
] as const satisfies readonly ExpressionKey[];

/** In the order of messages and of the OpenAPI document. */
export const EXPRESSION_KEYS = [
  ...new Set([...OF_THE_INTERFACE, ...Object.keys(SEARCHED_FIELDS), 'flags', 'data']),
] as readonly ExpressionKey[];

export const hasFuzzy = (clause: Clause): boolean =>
  clause.kind === 'expression' ? clause.conditions.some(isFuzzyCondition) : clause.clauses.some(hasFuzzy);

export function isFuzzyCondition(condition: Condition): boolean {
  if (condition.on === 'data') return condition.members.some(({ input }) => isFuzzyInput(input));
  return condition.on === 'anyField' && isFuzzyInput(condition.condition);
}

export const isFuzzyInput = (input: DataInput): boolean =>
  input.type === 'map' ? input.members.some((member) => isFuzzyInput(member.input)) : input.type === 'fuzzy';

const LISTS = ['anyOf', 'noneOf', 'allOf'] as const;

/** An empty `anyOf` matches nothing; an empty `noneOf` or `allOf` sets no condition (S-6). */
function flagsCondition(input: Input): Condition | null {
  if (!input.isObject) return input.refuse(`must be an object of lists of flags: ${quoted(LISTS)}`);
  input.refuseKeysBut(LISTS);
  const [anyOf, noneOf, allOf] = [readFlags(input, 'anyOf'), readFlags(input, 'noneOf'), readFlags(input, 'allOf')];
  return { on: 'flags', ...(anyOf !== null && { anyOf }), noneOf: noneOf ?? [], allOf: allOf ?? [] };
}

const readFlags = (input: Input, name: (typeof LISTS)[number]): readonly string[] | null =>
  input.has(name) ? input.member(name).listOf('flags', MAX_TERMS, (item) => item.text()) : null;

/**
 * By the table of columns, `exact` may be allowed, and null, which sets no condition (S-3). An unknown location matches
 * nothing (S-9).
 */
function locationCondition(field: LocationField): (input: Input) => Condition | null {
  const takesExact = SEARCHED_FIELDS[field].search.accepts === 'within or exact';
  const accepts = takesExact ? (['within', 'exact'] as const) : (['within'] as const);
  return (input) =>
    !takesExact && input.value === null
      ? null
      : given(conditionType<'within' | 'exact'>(input, accepts), (match) => locationOf(input, field, match));
}

function locationOf(input: Input, field: LocationField, match: 'within' | 'exact'): Condition | null {
  const location = input.member(match === 'within' ? 'location' : 'term').text();
  return given(location, (known) => ({ on: 'location', field, match, location: placeIdIn(known) }));
}

/** The keys themselves contain dots. */
function conditionParser(key: ExpressionKey): (input: Input) => Condition | null {
  if (key === 'flags') return flagsCondition;
  if (key === 'data') return dataCondition;
  const field = SEARCHED_FIELDS[key];
  switch (field.on) {
    case 'text':
      return textCondition(field.condition);
    case 'instant':
      return instantCondition(field.condition);
    case 'location':
      return locationCondition(field.condition);
  }
}

const PARSERS = new Map<string, (input: Input) => Condition | null>(
  EXPRESSION_KEYS.map((key) => [key, conditionParser(key)]),
);

const isExpressionKey = (key: string): boolean => PARSERS.has(key);

const BELONGS_IN_DATA = 'unknown key; a field of the declaration belongs in `data`';

/** Field ids contain dots; so do keys of legal statuses, which may be misspelt. */
const isLikeFieldId = (key: string): boolean => key.includes('.') && !/^legal/i.test(key);

/** All conditions must hold (S-6); at least one is required (S-3). */
function parseExpression(input: Input): Expression | null {
  const { keys } = input;
  if (keys.length === 0) {
    return input.refuse('must name at least one condition, such as `eventType`, or hold `clauses`');
  }
  input.refuseKeysBut(EXPRESSION_KEYS, (key) => {
    if (key === 'type') return 'is a key of a nested query, which also has `clauses`';
    return isLikeFieldId(key) ? BELONGS_IN_DATA : unknownKey(key, [...EXPRESSION_KEYS, 'clauses']);
  });
  const conditions = keys
    .map((key) => PARSERS.get(key)?.(input.member(key)) ?? null)
    .filter((condition) => condition !== null);
  return { kind: 'expression', conditions };
}

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
