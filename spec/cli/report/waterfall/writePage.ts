import { writeFile } from 'node:fs/promises';
import { bundlePage, PAGE_SCRIPT_FILE } from './bundlePage.js';

await writeFile(PAGE_SCRIPT_FILE, await bundlePage());
