import { type AskedVocabulary, WORDED } from '../../index/terms/read-vocabulary.js';
import type { ShapeAspect } from '../../index/terms/terms.js';
import { isComparedExactly } from '../../index/terms/near-words.js';
import { type DataPath, fieldOf, insideOf, memberOf } from '../../index/values/data-path.js';
import { cutsOf, runsIn } from '../../index/values/fold.js';
import type {
  AnyFieldCondition,
  Clause,
  Condition,
  DataInput,
  DataMember,
} from '../../../kernel/domain/search-request.js';
import { askedOfAnyField } from './any-field.js';
import { SELDOM_PLACES } from './candidate-terms-of-inside.js';

/** Everything that compiling the query looks up; undefined without a condition on the declaration. */
export function askedVocabulary(query: Clause): AskedVocabulary | undefined {
  const asked = new Asked();
  asked.addClause(query);
  return asked.isEmpty ? undefined : asked;
}

class Asked implements AskedVocabulary {
  readonly paths = new Set<DataPath>();
  readonly near = new Set<string>();
  readonly nearInEachField = new Set<string>();
  readonly exact = new Set<string>();
  readonly aspects = new Set<ShapeAspect>();

  get isEmpty(): boolean {
    return this.paths.size + this.nearInEachField.size + this.exact.size + this.aspects.size === 0;
  }

  addClause(clause: Clause): void {
    if (clause.kind === 'expression') for (const condition of clause.conditions) this.addCondition(condition);
    else for (const inner of clause.clauses) this.addClause(inner);
  }

  private addCondition(condition: Condition): void {
    if (condition.on === 'data') for (const { key, input } of condition.members) this.addField(fieldOf(key), input);
    else if (condition.on === 'anyField') this.addAnyField(condition.condition);
  }

  private addField(field: DataPath, input: DataInput): void {
    this.paths.add(field);
    if (input.type === 'fuzzy') this.addNear(input.term);
    if (input.type !== 'map') return;
    for (const path of [insideOf(field), ...Object.values(SELDOM_PLACES).map((key) => memberOf(field, key))])
      this.paths.add(path);
    for (const member of input.members) this.addInside(field, member);
  }

  private addInside(parent: DataPath, { key, input }: DataMember): void {
    const path = memberOf(parent, key);
    this.paths.add(path);
    if (input.type === 'fuzzy') this.addNear(input.term);
    else if (input.type === 'map') for (const member of input.members) this.addInside(path, member);
  }

  private addNear(term: string): void {
    for (const run of runsIn(cutsOf(term))) this.near.add(run);
  }

  private addAnyField(condition: AnyFieldCondition): void {
    if (condition.type === 'fuzzy') {
      this.aspects.add('nameWord').add('nameJoin');
      for (const run of runsIn(cutsOf(condition.term))) this.addWord(run, this.nearInEachField);
      return;
    }
    const { words, aspects } = askedOfAnyField(condition);
    for (const aspect of aspects) this.aspects.add(aspect);
    for (const word of words) this.addWord(word, this.exact);
  }

  /** Words that are compared exactly may be in every field with words. */
  private addWord(word: string, words: Set<string>): void {
    if (isComparedExactly(word)) for (const aspect of WORDED) this.aspects.add(aspect);
    else words.add(word);
  }
}
