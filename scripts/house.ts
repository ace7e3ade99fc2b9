/**
 * Prints the size and the structure of the product: `npx tsx scripts/house.ts [--json|--check]`.
 * `--check` ends with exit code 1 if there is a knot.
 * Files are those of `src` and `demo` without specs; a knot is a set of folders that import each other in a circle.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const filesUnder = (...roots: string[]): string[] =>
  roots
    .filter((root) => existsSync(root))
    .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)))
    .sort();

const WORD = /[A-Za-z']{2,}/gu;
const words = (text: string): number => text.match(WORD)?.length ?? 0;

/** The words of all comments of a file; strings that look like comments are none. */
function wordsOfComments(text: string): number {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    const found = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    if (node.kind !== ts.SyntaxKind.JsxText) for (const { pos, end } of found) comments.set(pos, text.slice(pos, end));
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...comments.values()].reduce((sum, comment) => sum + words(comment), 0);
}

/** The strongly connected sets of more than one node (Tarjan). */
function knotsOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const knots: string[][] = [];
  const lowOf = (node: string): number => low.get(node) ?? Infinity;
  const visit = (node: string): void => {
    const index = order.size;
    order.set(node, index);
    low.set(node, index);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      const seen = order.get(next);
      if (seen === undefined) {
        visit(next);
        low.set(node, Math.min(lowOf(node), lowOf(next)));
      } else if (stack.includes(next)) low.set(node, Math.min(lowOf(node), seen));
    }
    if (lowOf(node) !== index) return;
    const knot = stack.splice(stack.indexOf(node));
    if (knot.length > 1) knots.push(knot.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return knots.sort((a, b) => b.length - a.length);
}

export function house() {
  const files = filesUnder('src', 'demo')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => {
      const text = readFileSync(path, 'utf8');
      return { path, text, lines: text.split('\n').length - 1 };
    });
  const edges = new Map<string, Set<string>>(files.map(({ path }) => [dirname(path), new Set()]));
  for (const { path, text } of files)
    for (const [, target] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/gu)) {
      const folder = dirname(normalize(join(dirname(path), target ?? '')));
      if (folder !== dirname(path) && edges.has(folder)) edges.get(dirname(path))?.add(folder);
    }
  const sum = (of: (file: { lines: number; text: string }) => number) => files.reduce((all, file) => all + of(file), 0);
  const rooms = new Set(
    files
      .map(({ path }) => path.split('/'))
      .flatMap(([root, room, ...rest]) => (root === 'src' && rest.length > 0 && room !== undefined ? [room] : [])),
  );
  const pages = filesUnder('docs').filter((path) => path.endsWith('.md') && !path.endsWith('decisions.md'));
  return {
    files: files.length,
    filesOfAtMost20Lines: files.filter(({ lines }) => lines <= 20).length,
    filesOver400Lines: files.filter(({ lines }) => lines > 400).length,
    lines: sum(({ lines }) => lines),
    folders: edges.size,
    rooms: rooms.size,
    nestModules: files.filter(({ text }) => /^@Module\(/mu.test(text)).length,
    knots: knotsOf(edges),
    wordsOfComments: sum(({ text }) => wordsOfComments(text)),
    pages: pages.length,
    wordsOfPages: pages.reduce((all, path) => all + words(readFileSync(path, 'utf8')), 0),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = house();
  if (process.argv.includes('--check')) {
    for (const knot of found.knots) console.error(`folders import each other in a circle: ${knot.join(' ')}`);
    process.exitCode = found.knots.length > 0 ? 1 : 0;
  } else if (process.argv.includes('--json')) console.log(JSON.stringify(found, null, 2));
  else {
    const { knots, ...figures } = found;
    for (const [name, value] of Object.entries(figures)) console.log(`${String(value).padStart(7)}  ${name}`);
    console.log(`${String(knots.length).padStart(7)}  knots of folders`);
    for (const knot of knots) console.log(`         ${String(knot.length)}: ${knot.join(' ')}`);
  }
}
