import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const path = (relative: string): string => fileURLToPath(new URL(`../../../../src/cli/report/waterfall/${relative}`, import.meta.url));

/** The module that holds the page's script. */
export const PAGE_SCRIPT_FILE = path('pageScript.ts');

/** Makes that module of the sources in `page/`. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path('page/main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
  });
  const script = outputFiles.map(({ text }) => text.trim()).join('\n');
  const module = `/** Script of the page, made of the sources in \`page/\` by \`npm run pages\`; a spec tells when it is old. */
export const PAGE_SCRIPT = ${JSON.stringify(script)};
`;
  return format(module, { ...(await resolveConfig(PAGE_SCRIPT_FILE)), filepath: PAGE_SCRIPT_FILE });
}
