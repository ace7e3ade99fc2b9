import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = readdirSync('docs/how-to')
  .map((page) => readFileSync(join('docs/how-to', page), 'utf8'))
  .join('\n');
const SOURCE = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n');

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []))].sort();

it('docs/how-to names every metric, and none that there is not', () => {
  const metrics = found(SOURCE, /'(matricula_[a-z_]+)'/g);
  expect(metrics.length).toBeGreaterThan(20);
  // The series of a histogram, and the role of an example, are no metrics.
  const named = found(PAGE, /(matricula_(?!owner|keys|1\b)[a-z_]+)/g).map((name) =>
    metrics.includes(name) ? name : name.replace(/_count$/, ''),
  );
  expect([...new Set(named)]).toEqual(metrics);
});

it('docs/how-to says what each connection of the service is for', () => {
  const names = found(SOURCE, /'(matricula(?: [a-z]+)*)'/g);
  expect(names).toContain('matricula change feed');
  expect(names.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
});
