import type { Clause, DataInput, DataMember, SearchRequest } from '../../../domain/search-request.js';
import { memberPath } from '../../../errors/issue-path.js';
import type { Issue } from '../../../errors/service-error.js';

/** The conditions of a search that this release does not serve, each by its path in the request (G-4). */
export const unsupportedConditions = ({ query }: SearchRequest): readonly Issue[] =>
  pathsInClause(query, 'query').map((path) => ({ message: `${path}: fuzzy conditions are not served yet` }));

function pathsInClause(clause: Clause, path: string): readonly string[] {
  if (clause.kind !== 'expression') {
    return clause.clauses.flatMap((inner, at) => pathsInClause(inner, memberPath(memberPath(path, 'clauses'), at)));
  }
  return clause.conditions.flatMap((condition) => {
    if (condition.on === 'data') return pathsInMembers(condition.members, memberPath(path, 'data'));
    return condition.on === 'anyField' ? pathsInInput(condition.condition, memberPath(path, 'data')) : [];
  });
}

const pathsInMembers = (members: readonly DataMember[], path: string): readonly string[] =>
  members.flatMap(({ key, input }) => pathsInInput(input, memberPath(path, key)));

function pathsInInput(input: DataInput, path: string): readonly string[] {
  if (input.type === 'map') return pathsInMembers(input.members, path);
  return input.type === 'fuzzy' ? [path] : [];
}
