import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const pagesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => join(folder, path));

const PAGES = [
  ...readdirSync('.').filter((path) => path.endsWith('.md')),
  ...['docs', 'bench', 'examples'].flatMap(pagesUnder),
];

const proseOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/^\s*```.*?^\s*```$/gmsu, '');

/** As GitHub derives them from headings. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each(PAGES)('%s has no dangling link', (page) => {
  const links = [...proseOf(page).matchAll(/\]\((?!\w+:)([^()\s]+)\)/gu)].map(([, link = '']) => link);
  const dangling = links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(dangling).toEqual([]);
});
