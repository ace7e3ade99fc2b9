import { all, any, Sql, sql, unseen } from '../../../kernel/sql/sql.js';
import type { Term } from '../../index/terms/terms.js';
import type { DataPath } from '../../index/values/data-path.js';

export type RowSource =
  /** `isCostly`: checking a row takes longer than finding it. */
  | { readonly kind: 'condition'; readonly condition: Sql; readonly isCostly: boolean }
  /** `seqs` may have repetitions; `condition` is its equivalent on a row. */
  | { readonly kind: 'list'; readonly seqs: Sql; readonly condition: Sql };

export const foundBy = (condition: Sql, isCostly = false): RowSource => ({ kind: 'condition', condition, isCostly });

const listed = (seqs: Sql): RowSource => ({ kind: 'list', seqs, condition: sql`s.seq = any (array(${seqs}))` });

export const seqsOf = (source: RowSource): Sql =>
  source.kind === 'list' ? source.seqs : sql`select s.seq from event_search s where ${source.condition}`;

/** PostgreSQL rechecks the whole OR on each row; where that is costly, each source finds its rows separately. */
export function anyFound(sources: readonly RowSource[], isCostly: boolean): RowSource {
  const [only, ...more] = sources;
  if (only !== undefined && more.length === 0) return only;
  return isCostly ? combined(sources, ' union all ') : foundBy(any(sources.map(({ condition }) => condition)));
}

/** PostgreSQL assumes ten rows for a list, and would try each pair of two lists, so these are intersected. */
export function allFound(sources: readonly RowSource[]): RowSource {
  if (sources.every(({ kind }) => kind === 'condition')) return together(sources);
  const lists = sources.filter((source) => source.kind === 'list' || source.isCostly);
  if (lists.length === 1) return together(sources);
  return together([...sources.filter((source) => !lists.includes(source)), combined(lists, ' intersect ')]);
}

function together(sources: readonly RowSource[]): RowSource {
  const [only, ...more] = sources;
  if (only !== undefined && more.length === 0) return only;
  const condition = all(sources.map((source) => source.condition));
  const found = foundBy(
    condition,
    sources.some((source) => source.kind === 'condition' && source.isCostly),
  );
  return sources.some(({ kind }) => kind === 'list') ? { kind: 'list', condition, seqs: seqsOf(found) } : found;
}

const combined = (sources: readonly RowSource[], operator: ' union all ' | ' intersect '): RowSource =>
  listed(
    Sql.join(
      sources.map((source) => sql`(${seqsOf(source)})`),
      operator,
    ),
  );

/** The terms that every match has, as a tree. */
export type CandidateTerms =
  | { readonly kind: 'none' }
  | { readonly kind: 'someOf' | 'allOf'; readonly terms: readonly bigint[] }
  /** All terms of one of the groups. */
  | { readonly kind: 'someOfAll'; readonly groups: readonly (readonly bigint[])[] }
  | { readonly kind: 'both' | 'either'; readonly parts: readonly CandidateTerms[] };

const NONE: CandidateTerms = { kind: 'none' };

export const someOf = (terms: readonly bigint[]): CandidateTerms => ({
  kind: 'someOf',
  terms: terms.length < 2 ? terms : [...new Set(terms)],
});

/** Not empty. */
export const allOf = (terms: readonly bigint[]): CandidateTerms => ({ kind: 'allOf', terms });

/** For an AND: parts without terms are left out. */
export function both(parts: readonly CandidateTerms[]): CandidateTerms {
  const candidateTerms = parts.filter((part) => part.kind !== 'none');
  const [first, ...rest] = candidateTerms;
  if (first === undefined) return NONE;
  return rest.length === 0 ? first : { kind: 'both', parts: candidateTerms };
}

/** More alternatives of several terms are looked up together. */
const FEW_GROUPS = 8;

/**
 * None if one alternative has none. Single terms, and many alternatives of several terms, are merged to shorten the
 * statement.
 */
export function either(alternatives: readonly CandidateTerms[]): CandidateTerms {
  if (alternatives.some((part) => part.kind === 'none')) return NONE;
  const parts = alternatives.flatMap((part) => (part.kind === 'either' ? part.parts : [part]));
  const terms = parts.flatMap((part) => (isOneOfTerms(part) ? part.terms : []));
  const others = groupedWhereMany(parts.filter((part) => !isOneOfTerms(part)));
  if (others.length === 0) return someOf(terms);
  return { kind: 'either', parts: terms.length === 0 ? others : [someOf(terms), ...others] };
}

function groupedWhereMany(parts: readonly CandidateTerms[]): readonly CandidateTerms[] {
  if (parts.length <= FEW_GROUPS) return parts;
  const groupsOfParts = parts.map(groupsOf);
  const groups = groupsOfParts.flatMap((some) => some ?? []);
  const others = parts.filter((_, at) => groupsOfParts[at] === undefined);
  return groups.length === 0 ? others : [{ kind: 'someOfAll', groups }, ...others];
}

/** A record must have all terms of one group; undefined if more is required. */
function groupsOf(part: CandidateTerms): readonly (readonly bigint[])[] | undefined {
  if (part.kind === 'allOf') return [part.terms];
  if (part.kind === 'someOfAll') return part.groups;
  if (part.kind !== 'both') return undefined;
  const single = part.parts.flatMap((inner) => (isOneOfTerms(inner) && inner.terms.length === 1 ? inner.terms : []));
  return single.length === part.parts.length ? [single] : undefined;
}

export function countTerms(candidateTerms: CandidateTerms): number {
  switch (candidateTerms.kind) {
    case 'none':
      return 0;
    case 'someOf':
    case 'allOf':
      return candidateTerms.terms.length;
    case 'someOfAll':
      return candidateTerms.groups.reduce((sum, group) => sum + group.length, 0);
    case 'both':
    case 'either':
      return candidateTerms.parts.reduce((sum, part) => sum + countTerms(part), 0);
  }
}

export function countGroups(candidateTerms: CandidateTerms): number {
  if (candidateTerms.kind === 'someOfAll') return candidateTerms.groups.length;
  const isTree = candidateTerms.kind === 'both' || candidateTerms.kind === 'either';
  return isTree ? candidateTerms.parts.reduce((sum, part) => sum + countGroups(part), 0) : 0;
}

export const NOTHING: CandidateTerms = { kind: 'someOf', terms: [] };

export const isNothing = (candidateTerms: CandidateTerms): boolean =>
  candidateTerms.kind === 'someOf' && candidateTerms.terms.length === 0;

const isOneOfTerms = (part: CandidateTerms): part is CandidateTerms & { readonly terms: readonly bigint[] } =>
  part.kind === 'someOf' || (part.kind === 'allOf' && part.terms.length === 1);

/** `condition` alone decides, since two terms can have the same hash. */
export const withCandidateTerms = (candidateTerms: CandidateTerms, condition: Sql): RowSource =>
  candidateTerms.kind === 'none' ? foundBy(condition) : allFound([foundByTerms(candidateTerms), foundBy(condition)]);

export function foundByTerms(candidateTerms: CandidateTerms): RowSource {
  switch (candidateTerms.kind) {
    case 'none':
      return foundBy(sql`true`);
    case 'someOf':
      return candidateTerms.terms.length > MOST_TOGETHER
        ? foundByEach(
            sql`(select array[term] as terms from unnest(${unseen(sql`${candidateTerms.terms}::bigint[]`)}) as t (term))`,
          )
        : foundBy(compileTermList(candidateTerms), isCostlyToRecheck(candidateTerms));
    case 'allOf':
      return foundBy(compileTermList(candidateTerms));
    case 'someOfAll':
      return foundByEach(groupsAsRows(candidateTerms.groups));
    case 'both':
      return allFound(candidateTerms.parts.map(foundByTerms));
    case 'either':
      return anyFound(candidateTerms.parts.map(foundByTerms), isCostlyToRecheck(candidateTerms));
  }
}

/** The records that have all terms of one row of `wanted (terms)`. */
const foundByEach = (wanted: Sql): RowSource =>
  listed(sql`select found.seq from ${wanted} as wanted cross join lateral (
        select e.seq from event_search e where e.terms @> wanted.terms offset 0) as found`);

function recheckCandidateTerms(candidateTerms: CandidateTerms): Sql {
  switch (candidateTerms.kind) {
    case 'none':
      return sql`true`;
    case 'someOf':
      return isCostlyToRecheck(candidateTerms)
        ? sql`(select bool_or(has.term in (select unnest(${candidateTerms.terms}::bigint[]))) from unnest(s.terms) as has (term))`
        : compileTermList(candidateTerms);
    case 'allOf':
      return compileTermList(candidateTerms);
    case 'someOfAll':
      return recheckGroups(candidateTerms.groups);
    case 'both':
      return all(candidateTerms.parts.map(recheckCandidateTerms));
    case 'either':
      return any(candidateTerms.parts.map(recheckCandidateTerms));
  }
}

/** Only with rows that have the first term of one group and the last term of one. */
const recheckGroups = (groups: readonly (readonly bigint[])[]): Sql =>
  all([
    ...[0, -1].map((at) => recheckCandidateTerms(someOf(groups.flatMap((group) => group.at(at) ?? [])))),
    sql`exists (select from ${groupsAsRows(groups)} as wanted where s.terms @> wanted.terms)`,
  ]);

/** Undefined unless there is exactly one term. */
export const onlyTerm = (candidateTerms: CandidateTerms): bigint | undefined =>
  isOneOfTerms(candidateTerms) && candidateTerms.terms.length === 1 ? candidateTerms.terms[0] : undefined;

/**
 * Planned once for each connection: PostgreSQL does not know a term from a subquery, and estimates a record in 200.
 * Written three times because estimates multiply: the rows then never seem worth several processes.
 */
function lookUpTerm(term: bigint): Sql {
  const terms = [term];
  const hasTerm = sql`s.terms @> (select ${terms}::bigint[])`;
  return all([hasTerm, hasTerm, hasTerm]);
}

/** With more terms, comparing each with a row's terms costs more than looking each up. */
const FEW_TERMS = 16;

export function isCostlyToRecheck(candidateTerms: CandidateTerms): boolean {
  if (candidateTerms.kind === 'both' || candidateTerms.kind === 'either')
    return candidateTerms.parts.some(isCostlyToRecheck);
  return (
    candidateTerms.kind === 'someOfAll' || (candidateTerms.kind === 'someOf' && candidateTerms.terms.length > FEW_TERMS)
  );
}

/** Together, terms take their number times that of the records found; more are looked up one by one. */
const MOST_TOGETHER = 256;

const groupsAsRows = (groups: readonly (readonly bigint[])[]): Sql =>
  sql`(select array_agg(term) as terms from unnest(${groups.flat()}::bigint[], ${groups.flatMap((group, at) => group.map(() => at))}::int[]) as t (term, of_group) group by of_group)`;

/** PostgreSQL assumes that a list costs as much as one term: a long one is hidden (`unseen`). */
function compileTermList({ kind, terms }: CandidateTerms & { readonly terms: readonly bigint[] }): Sql {
  if (kind === 'allOf' || terms.length === 1) return sql`s.terms @> ${terms}::bigint[]`;
  const list = sql`${terms}::bigint[]`;
  return sql`s.terms && ${terms.length > FEW_TERMS ? unseen(list) : list}`;
}

export interface Candidates {
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Only matches have these. */
  readonly exact: CandidateTerms;
  /** Every match that `exact` does not find has these. */
  readonly coarse: CandidateTerms;
  /** Whether `exact` is equivalent to `candidateTerms`. */
  readonly decides: boolean;
  /** The fields of matches that are not exact; absent: any. */
  readonly mayMatchIn?: readonly DataPath[];
}

/** For a kind of term that expresses the condition. Uncountable ones are rechecked on the record (S-5). */
export function oneOf(terms: readonly Term[]): Candidates {
  const candidateTerms = someOf(terms.map(({ hash }) => hash));
  const countable = terms.filter(({ isCountable }) => isCountable);
  if (countable.length === terms.length) return deciding(candidateTerms);
  if (countable.length === 0) return coarse(candidateTerms);
  const others = terms.filter(({ isCountable }) => !isCountable);
  return {
    candidateTerms,
    exact: someOf(countable.map(({ hash }) => hash)),
    coarse: someOf(others.map(({ hash }) => hash)),
    decides: false,
  };
}

const deciding = (candidateTerms: CandidateTerms): Candidates => ({
  candidateTerms,
  exact: candidateTerms,
  coarse: NOTHING,
  decides: true,
});

export const coarse = (candidateTerms: CandidateTerms): Candidates => ({
  candidateTerms,
  exact: NOTHING,
  coarse: candidateTerms,
  decides: isNothing(candidateTerms),
});

export const coarseOneOf = (terms: readonly Term[]): Candidates => coarse(oneOf(terms).candidateTerms);

export const ANY_RECORD: Candidates = coarse({ kind: 'none' });

export const NO_CANDIDATES: Candidates = deciding(NOTHING);

/** Undefined `terms` are too many to be named. */
export const oneOfOrAny = (terms: readonly Term[] | undefined): Candidates =>
  terms === undefined ? ANY_RECORD : oneOf(terms);

export function eitherOf(alternatives: readonly Candidates[]): Candidates {
  const some = alternatives.filter(({ candidateTerms }) => !isNothing(candidateTerms));
  const candidateTerms = either(some.map((one) => one.candidateTerms));
  if (some.every(({ decides }) => decides)) return deciding(candidateTerms);
  return {
    candidateTerms,
    exact: either(some.map(({ exact }) => exact)),
    coarse: either(some.map((one) => one.coarse)),
    decides: false,
  };
}

export const inSomeField = (fields: ReadonlyMap<DataPath, Candidates>): Candidates => ({
  ...eitherOf([...fields.values()]),
  mayMatchIn: [...fields].filter(([, { decides }]) => !decides).map(([path]) => path),
});

export function bothOf(parts: readonly Candidates[]): Candidates {
  if (parts.some(({ candidateTerms }) => isNothing(candidateTerms))) return NO_CANDIDATES;
  const candidateTerms = both(parts.map((part) => part.candidateTerms));
  const decides = parts.every((part) => part.decides);
  return {
    candidateTerms,
    exact: parts.some((part) => isNothing(part.exact)) ? NOTHING : both(parts.map((part) => part.exact)),
    coarse: decides ? NOTHING : candidateTerms,
    decides,
  };
}

/** On the declaration of `s`, a row of `event_search`. Never NULL where a NOT could make that true. */
export interface DataLeaf {
  readonly kind: 'data';
  readonly isFindable: boolean;
  /** Every match has these. */
  readonly candidateTerms: CandidateTerms;
  /** Whether every record that has the terms matches. */
  readonly decides: boolean;
  /** The recheck where terms do not decide: some 30 us a record. */
  readonly rest: Sql | undefined;
}

export const dataLeaf = (candidateTerms: CandidateTerms, rest?: Sql): DataLeaf => ({
  kind: 'data',
  candidateTerms,
  decides: rest === undefined,
  rest,
  isFindable: candidateTerms.kind !== 'none',
});

export const foundByLeaf = ({ candidateTerms, rest }: DataLeaf): RowSource =>
  rest === undefined ? foundByTerms(candidateTerms) : allFound([foundByTerms(candidateTerms), foundBy(rest)]);

export const compileLookUp = ({ rest }: DataLeaf, term: bigint): Sql => withRest(lookUpTerm(term), rest);

export const recheckDataLeaf = ({ candidateTerms, rest }: DataLeaf): Sql =>
  withRest(recheckCandidateTerms(candidateTerms), rest);

const withRest = (hasTerms: Sql, rest: Sql | undefined): Sql => (rest === undefined ? hasTerms : all([hasTerms, rest]));
