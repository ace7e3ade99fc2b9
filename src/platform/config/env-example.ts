import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

/** The text of `.env.example`: each variable with description, unit and default (P-5). */
export function envExample(): string {
  const entries = Object.entries<Variable<unknown>>(VARIABLES).map(
    ([name, { about, fallback }]) => `# ${about}\n${fallback ? '' : '#'}${name}=${fallback ?? ''}\n`,
  );
  return `${HEAD}\n${entries.join('\n')}`;
}

const HEAD = `# Every variable of the service, with its default. Copy what you change into .env (read outside production) or into the
# environment. NAME_FILE=/path gives any variable as the content of a file. An empty variable counts as absent.
`;
