import type { NearWord, WordsNear } from '../../index/terms/near-words.js';
import type { Term, TermAspect } from '../../index/terms/terms.js';
import { type DataPath, insideOf } from '../../index/values/data-path.js';
import { type Cuts, cutsOf, mapCuts, runsIn } from '../../index/values/fold.js';
import type { DataInput } from '../../../kernel/domain/search-request.js';
import { all, any, Sql, sql } from '../../../kernel/sql/sql.js';
import {
  type Field,
  fieldAt,
  type NearInValue,
  type NearRun,
  ofOneValue,
  type SearchContext,
} from './search-context.js';
import { type Candidates, coarseOneOf, eitherOf, NO_CANDIDATES, oneOfOrAny } from './candidate-terms.js';
import { termsOfDatesWith } from './value-terms.js';
import { IS_NAME, IS_PART_OF_NAME, JOINS, WORDS } from './stored-fact.js';

/** Without joined cuts that no name can have; empty if the term has no words (S-11). */
export type NearTerm = Cuts<NearRun>;

export type FuzzyScope =
  | { readonly kind: 'field'; readonly path: DataPath }
  | { readonly kind: 'inside'; readonly field: DataPath; readonly path: DataPath }
  | { readonly kind: 'everyField' };

export const nearTermOf = (term: string, field: Field, dictionary: WordsNear): NearTerm =>
  nearTermIn(field, cutsOf(term), (run) => dictionary.at(field.path, run));

function nearTermIn({ shape }: Field, cuts: Cuts<string>, nearOf: (run: string) => readonly NearWord[]): NearTerm {
  const found = mapCuts(cuts, (run) => ({ near: nearOf(run), joins: joinIf(shape.has('nameJoin'), run) }));
  return possible(found, shape.has('nameWord'));
}

const joinIf = (isPossible: boolean, run: string): readonly string[] => (isPossible ? [run] : []);

const possible = <T extends NearRun>(cuts: Cuts<T>, hasNames = true): Cuts<T> => ({
  words: cuts.words,
  joined: hasNames ? cuts.joined.filter((cut) => cut.every(isFound)) : [],
});

export const isFound = ({ near, joins }: NearRun): boolean => near.length + joins.length > 0;

type Inside = FuzzyScope & { readonly kind: 'inside' };

/** Each word once, with any path where it occurs. */
export const nearRunInside = (run: string, { field, path }: Inside, { dictionary }: SearchContext): NearRun['near'] => [
  ...new Map(
    [field, insideOf(field), path].flatMap((at) => dictionary.at(at, run).map((found) => [found.word, found])),
  ).values(),
];

export function nearInside(term: string, at: Inside, context: SearchContext): Cuts<NearInValue> {
  const shape = context.shapes.field(at.field);
  const hasJoins = shape.has('nameJoin') || shape.has('inside');
  return possible(
    mapCuts(cutsOf(term), (run) => inValue({ near: nearRunInside(run, at, context), joins: joinIf(hasJoins, run) })),
  );
}

function inValue({ near, joins }: NearRun): NearInValue {
  const upTo = EDITS.map((most) =>
    near.some(({ edits }) => edits === most)
      ? near.filter(({ edits }) => edits <= most).map(({ word }) => word)
      : undefined,
  );
  return { near, joins, upTo };
}

const EDITS = [0, 1, 2] as const;

/**
 * Each word of the term is near a word, or is a join, of the `fact`; for a name, each run of some cut (S-11). All words
 * must be of this one value.
 */
export function compileFuzzy(term: string, scope: FuzzyScope, context: SearchContext): Sql {
  const { words, joined } = nearInValue(term, scope, context);
  const [first, ...others] = words;
  if (first === undefined) return sql`false`;
  if (others.length + joined.length + first.joins.length === 0) {
    return hasOneOf(first, { words: WORDS, joins: JOINS });
  }
  return overWords((own) => {
    const holds = (runs: readonly NearInValue[]): Sql => all(runs.map((run) => hasOneOf(run, own)));
    return joined.length === 0 ? holds(words) : any([holds(words), all([isName(scope), any(joined.map(holds))])]);
  }, runsIn({ words, joined }));
}

/** In total, each run at its best; NULL if the condition does not hold (S-12). */
export function compileFuzzyEdits(term: string, scope: FuzzyScope, context: SearchContext): Sql {
  const { words, joined } = nearInValue(term, scope, context);
  if (words.length === 0) return sql`null::int`;
  return overWords((own) => {
    const edits = (runs: readonly NearInValue[]): Sql =>
      Sql.join(
        runs.map((run) => editsOfRun(run, own)),
        ' + ',
      );
    if (joined.length === 0) return edits(words);
    return sql`least(${edits(words)}, case when ${isName(scope)} then least(${Sql.join(joined.map(edits), ', ')}) end)`;
  }, runsIn({ words, joined }));
}

export const needsNames = (input: DataInput, scope: FuzzyScope, context: SearchContext): boolean =>
  input.type === 'fuzzy' && nearInValue(input.term, scope, context).joined.length > 0;

/** Joined cuts hold for a name, and for a part of one addressed by its member. */
const isName = ({ kind }: FuzzyScope): Sql => (kind === 'inside' ? any([IS_NAME, IS_PART_OF_NAME]) : IS_NAME);

/** As arrays. */
interface Own {
  readonly words: Sql;
  readonly joins: Sql;
}

/** Evaluates and writes the words of the `fact` once for all tests (Q-1). */
function overWords(test: (own: Own) => Sql, runs: readonly NearRun[]): Sql {
  const joins = runs.some((run) => run.joins.length > 0) ? sql`, ${JOINS} as joins` : sql``;
  return sql`(select ${test({ words: sql`own.words`, joins: sql`own.joins` })} from (select ${WORDS} as words${joins} offset 0) as own)`;
}

export function candidatesOfTerm({ words, joined }: NearTerm, field: Field): Candidates {
  const ofWords = ofOneValue(
    words.map((run) => candidatesOfRun(run, ANY_VALUE, field)),
    field,
  );
  if (joined.length === 0) return ofWords;
  const cuts = mapCuts({ words: [], joined }, (run) => candidatesOfRun(run, NAME, field)).joined;
  return eitherOf([ofWords, ...cuts.map((runs) => ofOneValue(runs, field))]);
}

function candidatesOfRun(run: NearRun, aspects: readonly TermAspect[], field: Field): Candidates {
  const { shape, kinds } = field;
  if (!isFound(run)) return NO_CANDIDATES;
  const found = oneOfOrAny(termsOfRun(run, aspects, field));
  const isLong = aspects === ANY_VALUE && run.near.length > 0 && shape.has('long');
  return isLong ? eitherOf([found, coarseOneOf([kinds.kind('long').term('')])]) : found;
}

const NAME: readonly TermAspect[] = ['nameWord'];
const ANY_VALUE: readonly TermAspect[] = ['nameWord', 'word', 'sole', 'day'];

/** Except in long texts; undefined if there is no room for them. */
function termsOfRun(
  { near, joins }: NearRun,
  aspects: readonly TermAspect[],
  { shape, kinds, room }: Field,
): readonly Term[] | undefined {
  const known = aspects.filter((aspect) => shape.has(aspect));
  if (!room.takes(near.length * known.length + joins.length)) return undefined;
  const terms = [
    ...known.flatMap((aspect) => (aspect === 'day' ? [] : near.map(({ word }) => kinds.kind(aspect).term(word)))),
    ...joins.map((join) => kinds.kind('nameJoin').term(join)),
  ];
  if (!known.includes('day')) return terms;
  const ofDates = near.map(({ word }) => termsOfDatesWith(word, shape.years, kinds));
  const all = ofDates.flatMap((some) => some ?? []);
  return ofDates.includes(undefined) || !room.takes(all.length) ? undefined : [...terms, ...all];
}

export interface FuzzyField extends Field {
  readonly near: NearTerm;
}

/** Undefined when too many fields have near words. */
export function fuzzyFields(term: string, context: SearchContext): readonly FuzzyField[] | undefined {
  const cuts = cutsOf(term);
  const ofJoins = context.shapes.fieldsWith('nameJoin');
  const found = new Map(runsIn(cuts).map((run) => [run, context.dictionary.inEachField(run)]));
  const isSomewhere = (run: string): boolean => ofJoins?.size !== 0 || (found.get(run)?.words.length ?? 0) > 0;
  const possibleRuns = [cuts.words, ...cuts.joined].filter((runs) => runs.every(isSomewhere)).flat();
  if (possibleRuns.length === 0) return [];
  const byFields = possibleRuns.map((run) => found.get(run)?.byField);
  if (ofJoins === undefined || byFields.includes(undefined)) return undefined;
  const paths = new Set([...byFields.flatMap((byField) => [...(byField?.keys() ?? [])]), ...ofJoins]);
  if (!context.room.takes(paths.size * found.size)) return undefined;
  return [...paths]
    .map((path) => fieldAt(path, context))
    .map((field) => ({
      ...field,
      near: nearTermIn(field, cuts, (run) => found.get(run)?.byField?.get(field.path) ?? []),
    }))
    .filter(({ near }) => near.joined.length > 0 || near.words.every(isFound));
}

export const atEdits = ({ near, joins }: NearRun, edits: number): NearRun => ({
  near: near.filter((found) => found.edits === edits),
  joins: edits === 0 ? joins : [],
});

/** The fewest edits with which the run finds something; NULL if it finds nothing. */
function editsOfRun({ upTo, joins }: NearInValue, own: Own): Sql {
  const cases = EDITS.flatMap((edits) => {
    const found = tests(upTo[edits], edits === 0 ? joins : [], own);
    return found.length === 0 ? [] : [sql`when ${any(found)} then ${edits}::int`];
  });
  return cases.length === 0 ? sql`null::int` : sql`case ${Sql.join(cases, ' ')} end`;
}

const hasOneOf = ({ upTo, joins }: NearInValue, own: Own): Sql =>
  any(
    tests(
      upTo.findLast((some) => some !== undefined),
      joins,
      own,
    ),
  );

const tests = (list: readonly string[] | undefined, joins: readonly string[], own: Own): readonly Sql[] => [
  ...(list === undefined ? [] : [sql`${own.words} && ${list}::text[]`]),
  ...(joins.length === 0 ? [] : [sql`${own.joins} && ${joins}::text[]`]),
];

const NEAR = new WeakMap<WordsNear, Map<string, Cuts<NearInValue>>>();

/** Memoized: the statement sends each list once. */
function nearInValue(term: string, scope: FuzzyScope, context: SearchContext): Cuts<NearInValue> {
  const known = NEAR.get(context.dictionary) ?? new Map<string, Cuts<NearInValue>>();
  NEAR.set(context.dictionary, known);
  const key = JSON.stringify([term, scope]);
  const found = known.get(key) ?? findNear(term, scope, context);
  known.set(key, found);
  return found;
}

function findNear(term: string, scope: FuzzyScope, context: SearchContext): Cuts<NearInValue> {
  const { dictionary, shapes } = context;
  if (scope.kind === 'inside') return nearInside(term, scope, context);
  if (scope.kind === 'field') {
    return mapCuts(nearTermOf(term, fieldAt(scope.path, context), dictionary), inValue);
  }
  const hasJoins = shapes.fieldsWith('nameJoin')?.size !== 0;
  const found = mapCuts(cutsOf(term), (run) =>
    inValue({ near: dictionary.inEachField(run).words, joins: joinIf(hasJoins, run) }),
  );
  return possible(found, shapes.fieldsWith('nameWord')?.size !== 0);
}
